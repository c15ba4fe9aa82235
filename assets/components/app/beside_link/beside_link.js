// Links two models that stand beside each other: what is pointed at on one side is pointed at on the other, too. Where
// their tokens differ, characters are the common ground: a token marks all those that it overlaps.
import { collectNodes, createElement } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { partOf, partUnder } from "../../shared/pointed_part.js";
import { applyTheme } from "../../shared/theme.js";
import { linkTokens } from "../../shared/token_link.js";
import { otherParts } from "./parts.js";

const SIDES = ["beside-first", "beside-second"];
const END = "-beside"; // of the keys of the second side
const ELEMENT = '[data-testid="stElementContainer"]';
const GAP = 2; // pixels between a part and its mark

const findKey = (document, key) => document.querySelector(`.st-key-${key}, [data-name="st-key-${key}"]`);
const rowsOf = (element) => element.querySelector(".js-plotly-plot")?.layout?.meta;
const keyOf = (node) => node.dataset.place ?? [...node.classList].find((name) => name.startsWith("st-key-"));

class BesideLink {
  constructor(parent) {
    this.root = parent.appendChild(createElement("div", { className: "gf", hidden: true }));
    this.marks = [];
    this.pointed = ""; // the part under the pointer, as text
    this.onMove = (event) => event.isTrusted && event.pointerType !== "touch" && this.follow(event);
    document.addEventListener("pointermove", this.onMove, { passive: true });
  }

  // `there`: for each token of the first model its places in the second one; `back`: the other way round.
  update({ there, back }) {
    this.colours = applyTheme(this.root);
    this.tables = [there, back];
    const side = findKey(document, SIDES[1]);
    if (side) linkTokens(side, (place) => there[place] ?? []);
  }

  follow(event) {
    const sides = SIDES.map((key) => findKey(document, key));
    const path = event.composedPath();
    const from = sides.findIndex((side) => side && path.includes(side));
    const element = from < 0 ? null : path.find((node) => node.matches?.(ELEMENT));
    const other = element && this.counterpart(element, sides[1 - from], from);
    const [part, box] = other ? partUnder(element, path, event) : ["", null];
    const share = box && [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const wanted = part && otherParts(part, share, this.tables[from], [element, other].map(rowsOf));
    const now = JSON.stringify([from, element && keyOf(element), wanted]);
    if (now === this.pointed) return;
    this.clear();
    this.pointed = now;
    if (wanted) this.show(other, wanted);
  }

  // The element with the same picture on the other side; its key ends otherwise.
  counterpart(element, side, from) {
    const key = keyOf(element);
    if (!key || !side) return null;
    const wanted = from === 0 ? `${key}${END}` : key.slice(0, -END.length);
    return [...side.querySelectorAll(ELEMENT)].find((each) => keyOf(each) === wanted);
  }

  // Marks parts of an element, and points at the first of them, so that its picture shows what it shows to a hand.
  show(element, parts) {
    for (const [number, { part, share }] of parts.entries()) {
      const found = partOf(element, part);
      if (!found) continue;
      const box = share ? boxIn(found.box, share) : found.box;
      this.marks.push(this.mark(box));
      if (number === 0) this.point(found.node, box);
    }
  }

  mark({ left, top, width, height }) {
    const pixels = { left: left - GAP, top: top - GAP, width: width + 2 * GAP, height: height + 2 * GAP };
    const style = Object.fromEntries(Object.entries(pixels).map(([name, value]) => [name, `${value}px`]));
    const look = { position: "fixed", pointerEvents: "none", zIndex: 5, boxSizing: "border-box", borderRadius: "4px" };
    const border = `2px solid ${this.colours("query")}`;
    const props = { className: "gf-beside-mark", "aria-hidden": "true", style: { ...look, ...style, border } };
    return document.body.appendChild(createElement("div", props));
  }

  point(node, { left, top, width, height }) {
    const at = { clientX: left + width / 2, clientY: top + height / 2 };
    this.targets = node.glassformerCells ? collectNodes(node, (each) => each.matches("canvas")) : [node];
    for (const target of this.targets) tell(target, ["pointerenter", "pointermove", "mousemove"], at);
  }

  clear() {
    for (const mark of this.marks.splice(0)) mark.remove();
    for (const target of this.targets ?? []) tell(target, ["pointerleave", "mouseout"], { clientX: -1, clientY: -1 });
    this.targets = [];
  }

  stop() {
    document.removeEventListener("pointermove", this.onMove);
    this.clear();
    this.root.remove();
  }
}

// The part of a box at shares of it: {x, y, width, height}.
function boxIn({ left, top, width, height }, share) {
  return {
    left: left + share.x * width,
    top: top + share.y * height,
    width: share.width * width,
    height: share.height * height,
  };
}

function tell(node, names, at) {
  for (const name of names) {
    const bubbles = name.startsWith("mouse"); // Plotly hears them further out
    node.dispatchEvent(new PointerEvent(name, { ...at, bubbles, pointerType: "mouse" }));
  }
}

export default mountOnce(BesideLink);
