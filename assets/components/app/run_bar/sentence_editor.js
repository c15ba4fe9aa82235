// The editor of the sentence. It holds what is typed until it is run or given up: no run of the page writes into it.
import { createElement, keyHint } from "../../shared/dom.js";
import { replaceHalves } from "../../shared/fields.js";
import { formatCount } from "../../shared/numbers.js";
import { keepSentence, readSentences } from "./last_sentences.js";
import { Panel } from "./panel.js";
import { newTurn, sameTurns, TurnEditor } from "./turn_editor.js";

const WIDTH = 520; // pixels
const HINT = "Enter runs · Shift + Enter makes a line · Esc puts back what stood there";

// What a key does in the editor: "run", "back" or nothing.
export function commandOf({ key, shiftKey, isComposing }) {
  if (isComposing) return undefined; // Enter chooses a letter of a script that is composed
  if (key === "Enter" && !shiftKey) return "run";
  return key === "Escape" ? "back" : undefined;
}

// How long a text is. One that is too long stays in the box, so that nothing of it is lost, and cannot be run.
export function describeLength(length, most) {
  const text = `${formatCount(length)} of ${formatCount(most)} characters`;
  return length > most ? `${text}: too long to run. Take out ${formatCount(length - most)}.` : text;
}

// The words beside the box that puts the begin token before the sentence.
export function describeBegin({ token, is_usual }) {
  const usual = is_usual ? "the model's tokenizer puts it there" : "the model's tokenizer does not put it there";
  return [`Begin with ${token}`, usual];
}

function field(label, rows, placeholder = "") {
  return createElement("textarea", { "aria-label": label, placeholder, rows, dir: "auto", "data-id": label });
}

export class SentenceEditor {
  // `chips`: the box at which the editor opens, and its pencil.
  constructor(root, chips, tell) {
    this.tell = tell;
    this.pencil = chips.pencil;
    this.sentence = field("Your sentence", 2);
    this.translation = field("Its translation", 1, "empty: the model's own");
    this.more = createElement("label", { className: "more" }, "Its translation", this.translation);
    this.begins = createElement("input", { type: "checkbox", "data-id": "begin" });
    this.begins.onchange = () => this.tell("begin", this.begins.checked);
    this.beginWords = createElement("span", {});
    this.begin = createElement("label", { className: "more" }, this.begins, this.beginWords);
    this.count = createElement("span", { className: "muted count" });
    this.lists = createElement("div", { className: "lists" });
    this.panel = new Panel(root, {
      anchor: chips.box,
      opener: chips.pencil,
      label: "Edit the sentence",
      width: WIDTH,
    });
    this.runs = createElement("button", { className: "run", textContent: "Run", onclick: () => this.run() });
    const cancel = createElement("button", { className: "cancel", textContent: "Cancel", onclick: () => this.back() });
    const hint = createElement("small", { className: "muted" }, keyHint(HINT));
    const actions = createElement("div", { className: "actions" }, this.runs, cancel, hint, this.count);
    this.talk = new TurnEditor(
      () => this.measure(),
      (box) => this.grow(box),
    );
    this.kinds = createElement("div", { className: "kinds", role: "group", "aria-label": "What the model reads" });
    this.kinds.append(this.kind("A text to continue", false), this.kind("A conversation to answer", true));
    this.panel.node.append(this.kinds, this.sentence, this.talk.node, this.more, this.begin, actions, this.lists);
    this.panel.node.addEventListener("keydown", (event) => this.onKey(event));
    for (const each of [this.sentence, this.translation]) each.addEventListener("input", () => this.measure());
  }

  // A button that chooses between a text and a conversation.
  kind(words, talks) {
    const button = createElement("button", { className: "kind", textContent: words, "data-id": `talks ${talks}` });
    button.onclick = () => {
      this.show(talks);
      this.measure();
      talks ? this.talk.focus() : this.sentence.focus();
    };
    return button;
  }

  // Shows the box of a text, or the turns of a conversation. The first one begins with the text.
  show(talks) {
    this.talks = talks;
    if (talks && !this.talk.turns.length) this.talk.fill([newTurn("user", this.sentence.value)]);
    this.sentence.hidden = talks;
    this.talk.node.hidden = !talks;
    this.lists.hidden = talks;
    for (const [i, button] of [...this.kinds.children].entries())
      button.setAttribute("aria-pressed", String(talks === Boolean(i)));
    if (talks) this.talk.draw(); // its boxes have a height where they are seen
  }

  update(data) {
    this.data = data;
    this.more.hidden = !data.has_target;
    this.begin.hidden = data.begin === null;
    this.kinds.hidden = !data.converses;
    if (data.begin) this.showBegin(data.begin);
    if (!this.panel.isOpen && !this.isDraft) this.fill();
  }

  showBegin(begin) {
    const [words, usual] = describeBegin(begin);
    this.begins.checked = begin.is_on;
    this.beginWords.replaceChildren(
      ` ${words}`,
      createElement("small", { className: "muted", textContent: ` ${usual}` }),
    );
  }

  fill() {
    this.sentence.value = this.data.text;
    this.translation.value = this.data.target;
    this.talk.fill(this.data.turns ?? []);
    this.show(Boolean(this.data.talks));
    this.isDraft = false;
  }

  open() {
    if (!this.isDraft) this.fill();
    const own = readSentences().filter((each) => each !== this.data.text);
    this.lists.replaceChildren(...this.list("Your last sentences", own), ...this.list("Examples", this.data.examples));
    this.panel.open();
    this.show(this.talks); // the boxes have a height now
    this.measure();
    if (this.talks) this.talk.focus();
    else this.sentence.focus();
    if (!this.isDraft && !this.talks) this.sentence.select();
  }

  list(title, sentences) {
    if (!sentences.length) return [];
    const items = sentences.map((text) => {
      const item = createElement("button", { className: "item", dir: "auto", textContent: text, title: text });
      item.onclick = () => this.take(text, "");
      return createElement("li", {}, item);
    });
    return [createElement("h3", { className: "muted", textContent: title }), createElement("ul", {}, ...items)];
  }

  // Puts a text into the open box, as if it were typed.
  put(text) {
    this.show(false);
    this.sentence.value = text;
    this.measure();
  }

  longest() {
    return Math.max(this.talks ? this.talk.length : this.sentence.value.length, this.translation.value.length);
  }

  // The box grows with its text.
  measure() {
    const { text, target, talks = false, turns = [] } = this.data;
    const isOtherText = this.sentence.value !== text || this.translation.value !== target;
    this.isDraft = this.talks !== talks || (talks ? !sameTurns(this.talk.read(), turns) : isOtherText);
    this.count.textContent = describeLength(this.longest(), this.data.most_characters);
    this.runs.disabled = this.longest() > this.data.most_characters;
    this.grow(this.sentence);
  }

  grow(box) {
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight + 2, window.innerHeight * 0.4)}px`;
  }

  onKey(event) {
    event.stopPropagation(); // the page has keys of its own
    const command = event.target.tagName === "TEXTAREA" || event.key === "Escape" ? commandOf(event) : undefined;
    if (!command) return;
    event.preventDefault();
    this[command]();
  }

  run() {
    if (this.runs.disabled) return;
    if (this.talks) this.takeTurns();
    else this.take(this.sentence.value, this.data.has_target ? this.translation.value : this.data.target);
  }

  take(text, target) {
    const [whole, translation] = [replaceHalves(text), replaceHalves(target)];
    this.leave();
    keepSentence(whole);
    const isOther = whole !== this.data.text || translation !== this.data.target;
    if (isOther || this.data.talks) this.tell("run", [whole, translation]);
  }

  takeTurns() {
    const turns = this.talk.read();
    this.leave();
    if (!this.data.talks || !sameTurns(turns, this.data.turns)) this.tell("talk", turns);
  }

  back() {
    this.fill();
    this.leave();
  }

  leave() {
    this.isDraft = false;
    this.panel.close();
    this.pencil.focus();
  }
}
