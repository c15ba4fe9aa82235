// The turns of a conversation as fields: who speaks, and what is said.
import { createElement } from "../../shared/dom.js";
import { replaceHalves } from "../../shared/fields.js";
import { icon } from "../../shared/icons.js";

export const ROLES = ["system", "user", "assistant"];
const LIKE_CONTROL = /<[^<>\s]+>|\[\/?[A-Z_]{2,}\]/; // <|im_end|>, </s>, [INST]
const MOST = 64;

export const newTurn = (role, text = "") => ({ role, text, goes_on: false, has_control: false, ids: [] });

// Whose turn is next.
export const nextRole = (turns) => (turns.at(-1)?.role === "user" ? "assistant" : "user");

// The turns as the server takes them. Tokens that a model wrote spell their own text alone, and only the last turn can
// go on: a model answers after the turn of a user.
export function readTurns(turns) {
  return turns.map((turn, i) => ({
    ...turn,
    text: replaceHalves(turn.text),
    goes_on: turn.goes_on && turn.role === "assistant" && i === turns.length - 1,
    has_control: turn.has_control && LIKE_CONTROL.test(turn.text),
  }));
}

// A change of a turn. Another text is not what the model wrote.
export const changed = (turn, change) => ({ ...turn, ...change, ids: "text" in change ? [] : turn.ids });

export const sameTurns = (some, others) => JSON.stringify(some) === JSON.stringify(others);

export class TurnEditor {
  // `onChange` is called after each change, `grow` with each box of a text.
  constructor(onChange, grow) {
    Object.assign(this, { onChange, grow });
    this.turns = [];
    this.list = createElement("div", { className: "turns" });
    const props = { className: "add", textContent: "Add a turn", "data-id": "add turn", onclick: () => this.add() };
    this.more = createElement("button", props);
    this.node = createElement("div", { className: "conversation" }, this.list, this.more);
  }

  fill(turns) {
    this.turns = turns.map((turn) => ({ ...turn }));
    this.draw();
  }

  read() {
    return readTurns(this.turns);
  }

  get length() {
    return this.turns.reduce((sum, { text, role }) => sum + text.length + role.length + 3, 0);
  }

  focus() {
    this.list.querySelector(".line:last-child textarea")?.focus();
  }

  add() {
    this.turns.push(newTurn(nextRole(this.turns)));
    this.draw();
    this.onChange();
    this.focus();
  }

  change(i, change) {
    this.turns[i] = changed(this.turns[i], change);
    this.onChange();
  }

  draw() {
    this.list.replaceChildren(...this.turns.map((turn, i) => this.line(turn, i)));
    this.more.hidden = this.turns.length >= MOST;
    for (const box of this.list.querySelectorAll("textarea")) this.grow(box);
  }

  line(turn, i) {
    const options = ROLES.map((role) => createElement("option", { value: role, textContent: role }));
    const who = createElement("select", { "aria-label": `Who says turn ${i + 1}`, "data-id": `role ${i}` }, ...options);
    who.value = turn.role;
    who.onchange = () => {
      this.change(i, { role: who.value });
      this.draw();
    };
    const said = createElement("textarea", {
      "aria-label": `What the ${turn.role} says in turn ${i + 1}`,
      rows: 1,
      dir: "auto",
      "data-id": `said ${i}`,
      value: turn.text,
    });
    const control = this.tick(i, "has_control", "What looks like a control token is one");
    control.hidden = !LIKE_CONTROL.test(turn.text);
    said.oninput = () => {
      this.change(i, { text: said.value });
      control.hidden = !LIKE_CONTROL.test(said.value);
      this.grow(said);
    };
    const out = createElement("button", { className: "out", "aria-label": `Take out turn ${i + 1}` }, icon("close"));
    out.hidden = this.turns.length < 2;
    out.onclick = () => {
      this.turns.splice(i, 1);
      this.draw();
      this.onChange();
    };
    const isLastAnswer = turn.role === "assistant" && i === this.turns.length - 1;
    const open = isLastAnswer ? [this.tick(i, "goes_on", "Not at its end: the model continues it")] : [];
    return createElement("div", { className: `line said ${turn.role}` }, who, said, out, control, ...open);
  }

  // A box to tick, for a property of a turn.
  tick(i, name, words) {
    const box = createElement("input", { type: "checkbox", checked: this.turns[i][name], "data-id": `${name} ${i}` });
    box.onchange = () => this.change(i, { [name]: box.checked });
    return createElement("label", { className: "tick" }, box, ` ${words}`);
  }
}
