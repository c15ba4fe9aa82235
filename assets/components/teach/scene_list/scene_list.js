// The scenes of a lecture with small pictures. Arrows choose one; dragging, or Alt with an arrow, moves it.
import { createElement } from "../../shared/dom.js";
import { listStep } from "../../shared/keyboard.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";

const KEYS = { forward: ["ArrowDown", "ArrowRight"], back: ["ArrowUp", "ArrowLeft"] };

// What a key does in the list: {choose: place} or {move: [from, to]}; undefined for other keys and past the ends.
export function actionOf({ key, altKey, ctrlKey, metaKey }, at, count, isEditable) {
  const to = listStep(key, at, count, KEYS);
  if (ctrlKey || metaKey || to === undefined || to < 0 || to >= count || to === at) return undefined;
  if (!altKey) return { choose: to };
  return isEditable ? { move: [at, to] } : undefined;
}

// The place that a dragged scene gets: `before` counts the scenes whose middle lies above the pointer.
export const dropPlace = (from, before) => (before > from ? before - 1 : before);

// The list after a move.
export function moved(list, from, to) {
  const left = list.filter((_, i) => i !== from);
  return [...left.slice(0, to), list[from], ...left.slice(to)];
}

class SceneList {
  constructor(root) {
    this.root = root;
    this.dragged = null; // the place of the scene in hand
    this.waiting = null; // data that came while a scene was in hand
    this.said = ""; // what the last move did, for those who hear the page
  }

  update(show, send) {
    this.send = send;
    if (this.dragged === null) this.draw(show);
    else this.waiting = show;
  }

  draw(show) {
    const hasFocus = this.root.contains(this.root.getRootNode().activeElement);
    Object.assign(this, show);
    applyTheme(this.root);
    const help = this.editable
      ? "Arrow keys choose a scene. Alt with an arrow key moves it. Or drag it."
      : "Arrow keys choose a scene.";
    this.list = createElement(
      "ol",
      { role: "listbox", "aria-label": "Scenes", "aria-description": help, className: "scenes" },
      ...this.scenes.map((scene, i) => this.item(scene, i)),
    );
    this.list.onkeydown = (event) => this.press(event);
    if (this.editable) this.takeDrops();
    const status = createElement("p", { className: "sr", role: "status", textContent: this.said });
    const top = this.root.querySelector(".scenes")?.scrollTop ?? 0;
    this.root.replaceChildren(this.list, status);
    this.list.scrollTop = top;
    const chosen = this.list.children[this.chosen];
    if (hasFocus) chosen?.focus({ preventScroll: true });
    this.reveal(chosen);
  }

  // Scrolls the list, and not the page, to an item.
  reveal(item) {
    if (!item) return;
    const { list } = this;
    if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
    const end = item.offsetTop + item.offsetHeight;
    if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight;
  }

  item({ title, summary, picture, page, steps }, i) {
    const isChosen = i === this.chosen;
    const image = picture
      ? createElement("img", { src: picture, alt: "", draggable: false })
      : createElement("span", { className: "none", textContent: page, "aria-hidden": "true" });
    const more = steps ? ` · ${steps} ${steps === 1 ? "step" : "steps"} more` : "";
    const words = createElement(
      "span",
      { className: "words" },
      createElement("b", { textContent: `${i + 1}. ${title}` }),
      createElement("small", { className: "muted", textContent: summary + more }),
    );
    const props = { role: "option", "aria-selected": String(isChosen), tabIndex: isChosen ? 0 : -1 };
    const node = createElement("li", { ...props, draggable: this.editable }, image, words);
    node.onclick = () => this.do({ choose: i });
    node.ondragstart = (event) => {
      this.dragged = i;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", title);
      node.classList.add("dragged");
    };
    node.ondragend = () => this.letGo();
    return node;
  }

  takeDrops() {
    this.list.ondragover = (event) => {
      if (this.dragged === null) return;
      event.preventDefault();
      this.markDrop(this.countAbove(event.clientY));
    };
    this.list.ondrop = (event) => {
      if (this.dragged === null) return;
      event.preventDefault();
      const from = this.dragged;
      const to = dropPlace(from, this.countAbove(event.clientY));
      this.letGo();
      if (to !== from) this.do({ move: [from, to] });
    };
  }

  countAbove(y) {
    return [...this.list.children].filter((item) => {
      const box = item.getBoundingClientRect();
      return y > box.top + box.height / 2;
    }).length;
  }

  markDrop(place) {
    [...this.list.children].forEach((item, i) => {
      item.classList.toggle("drop", i === place);
      item.classList.toggle("drop-after", place === this.scenes.length && i === place - 1);
    });
  }

  letGo() {
    this.dragged = null;
    const show = this.waiting ?? { scenes: this.scenes, chosen: this.chosen, editable: this.editable };
    this.waiting = null;
    this.draw(show);
  }

  press(event) {
    const action = actionOf(event, this.chosen, this.scenes.length, this.editable);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    this.do(action);
  }

  // Shows what was asked for at once. The server answers with the same.
  do(action) {
    if (action.move) {
      const [from, to] = action.move;
      this.said = `${this.scenes[from].title} is scene ${to + 1} of ${this.scenes.length} now.`;
      this.draw({ scenes: moved(this.scenes, from, to), chosen: to, editable: this.editable });
      this.send("move", action.move);
    } else {
      this.said = "";
      this.draw({ scenes: this.scenes, chosen: action.choose, editable: this.editable });
      this.send("choose", action.choose);
    }
    this.list.children[this.chosen]?.focus({ preventScroll: true });
  }
}

const lists = new WeakMap(); // root -> its list

export default async function drawSceneList({ data, parentElement, setTriggerValue }) {
  const show = await unpackNewest(parentElement, data);
  if (!show) return;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf" });
  if (!lists.has(root)) lists.set(root, new SceneList(root));
  lists.get(root).update(show, setTriggerValue);
}
