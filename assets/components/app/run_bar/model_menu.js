// The choice of a model: a button with its name, and a panel with all models and the facts about the chosen one.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { Panel } from "./panel.js";

const WIDTH = 380; // pixels
const UP_AND_DOWN = { forward: ["ArrowDown"], back: ["ArrowUp"] };

export class ModelMenu {
  constructor(root, tell) {
    this.tell = tell;
    this.name = createElement("span", { className: "name" });
    this.button = createElement("button", { className: "box model", "data-id": "model" }, this.name, icon("open"));
    this.button.onclick = () => this.open();
    this.panel = new Panel(root, { anchor: this.button, opener: this.button, label: "Model", width: WIDTH });
  }

  update(data) {
    this.data = data;
    const chosen = data.models.find((each) => each.name === data.model);
    this.name.textContent = chosen?.title ?? data.model;
    this.button.setAttribute("aria-label", `Model: ${this.name.textContent}`);
    if (this.panel.isOpen) this.fill();
  }

  open() {
    this.fill();
    this.panel.open();
    this.panel.node.querySelector("[aria-checked=true]")?.focus();
  }

  fill() {
    const items = this.data.models.map((each) => this.item(each));
    const list = createElement("div", { className: "models", role: "menu", "aria-label": "Models" }, ...items);
    const usable = items.filter((item) => !item.disabled);
    moveFocusByKeys(list, usable, UP_AND_DOWN);
    replaceKeepingFocus(this.panel.node, list, ...this.adding(), this.facts());
  }

  // The button that opens the dialog of the app, where models may be added.
  adding() {
    if (!this.data.adds) return [];
    const props = { className: "item add", textContent: "Add a model…", "data-id": "add" };
    const open = () => {
      this.panel.close();
      this.tell("add", true);
    };
    return [createElement("button", { ...props, onclick: open })];
  }

  item(each) {
    const isChosen = each.name === this.data.model;
    const title = createElement("b", { textContent: each.title });
    const about = createElement("small", { className: "muted", textContent: each.note });
    const props = {
      className: "item",
      role: "menuitemradio",
      "aria-checked": String(isChosen),
      disabled: !each.fits,
      tabIndex: isChosen ? 0 : -1,
    };
    const item = createElement("button", props, title, about);
    item.onclick = () => {
      this.panel.close();
      this.button.focus();
      if (!isChosen) this.tell("model", each.name);
    };
    return item;
  }

  facts() {
    const { about, facts } = this.data;
    const rows = facts.flatMap(([name, value]) => [
      createElement("dt", { className: "muted", textContent: name }),
      createElement("dd", { textContent: value }),
    ]);
    const text = createElement("p", { textContent: about });
    return createElement("div", { className: "about" }, text, createElement("dl", {}, ...rows), ...this.hands());
  }

  // The two hands in which Urdu is written, beside a model that writes it.
  hands() {
    const { hands, hand } = this.data;
    if (!hands.length) return [];
    const buttons = hands.map((each) => {
      const props = { className: "hand", textContent: each, "aria-pressed": String(each === hand), "data-id": each };
      return createElement("button", { ...props, onclick: () => this.tell("hand", each) });
    });
    return [createElement("p", { className: "hands" }, "Urdu letters ", ...buttons)];
  }
}
