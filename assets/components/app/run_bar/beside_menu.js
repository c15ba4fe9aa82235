// The choice of a second model for the same sentence: a button with a panel, and a press that takes it away again.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { Panel } from "./panel.js";

const WIDTH = 380; // pixels

export class BesideMenu {
  constructor(root, tell) {
    this.tell = tell;
    this.name = createElement("span", { className: "name" });
    this.button = createElement("button", { className: "box beside", "data-id": "beside" }, this.name, icon("open"));
    this.button.onclick = () => this.open();
    const title = "One model alone";
    this.close = createElement("button", { className: "step", title, "aria-label": title, "data-id": "alone" });
    this.close.append(icon("close"));
    this.close.onclick = () => this.choose("");
    this.box = createElement("span", { className: "two" }, this.button, this.close);
    this.panel = new Panel(root, { anchor: this.button, opener: this.button, label: "Beside", width: WIDTH });
  }

  // `beside`: {models, chosen, title}; null on a page that shows one model.
  update({ beside }) {
    this.data = beside;
    this.box.hidden = beside === null;
    if (beside === null) return;
    this.name.textContent = beside.title || "Beside";
    this.button.setAttribute("aria-label", `Beside it: ${beside.title || "no other model"}`);
    this.button.title = "A second model for the same sentence";
    this.close.hidden = !beside.chosen;
    if (this.panel.isOpen) this.fill();
  }

  open() {
    this.fill();
    this.panel.open();
    this.panel.node.querySelector("[aria-checked=true]")?.focus();
  }

  fill() {
    const alone = { name: "", title: "One model alone", note: "" };
    const items = [alone, ...this.data.models].map((each) => this.item(each));
    const list = createElement("div", { className: "models", role: "menu", "aria-label": "Beside it" }, ...items);
    moveFocusByKeys(list, items, { forward: ["ArrowDown"], back: ["ArrowUp"] });
    replaceKeepingFocus(this.panel.node, list);
  }

  item({ name, title, note }) {
    const isChosen = name === this.data.chosen;
    const words = createElement("b", { textContent: title });
    const about = createElement("small", { className: "muted", textContent: note });
    const props = { className: "item", role: "menuitemradio", "aria-checked": String(isChosen), "data-id": name };
    const item = createElement("button", { ...props, tabIndex: isChosen ? 0 : -1 }, words, about);
    item.onclick = () => this.choose(name);
    return item;
  }

  choose(name) {
    this.panel.close();
    this.button.focus();
    if (name !== this.data.chosen) this.tell("beside", name);
  }
}
