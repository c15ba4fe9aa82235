// The field for searching, with what it finds below it.
import { createElement } from "../../shared/dom.js";
import { clampIndex } from "../../shared/keyboard.js";
import { createIndex, search } from "./search.js";

const HINT = "L9H2, softmax, MLP, W_O 3, neuron 812, token 3, a word …";

export class SearchBox {
  // `go(entry)` leads to what was chosen; `close()` gives the focus back.
  constructor({ go, close }) {
    this.go = go;
    this.close = close;
    this.field = createElement("input", { type: "text", role: "combobox", placeholder: HINT, autocomplete: "off" });
    this.field.setAttribute("aria-label", "Search the map");
    this.field.setAttribute("aria-expanded", "true");
    this.list = createElement("ul", { role: "listbox", "aria-label": "What was found" });
    this.root = createElement("div", { className: "search", hidden: true }, this.field, this.list);
    this.field.oninput = () => this.find();
    this.field.onkeydown = (event) => this.press(event);
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.root.contains(relatedTarget)) this.root.hidden = true;
    });
  }

  // `outcome`: the bars of the model's answer.
  open(layout, outcome) {
    if (this.layout !== layout) this.index = null;
    this.layout = layout;
    this.outcome = outcome;
    this.root.hidden = false;
    this.field.value = "";
    this.find();
    this.field.focus();
  }

  find() {
    this.index ??= createIndex(this.layout);
    this.found = search(this.index, this.layout, this.field.value, this.outcome);
    this.chosen = 0;
    this.draw();
  }

  draw() {
    const rows = this.found.map((entry, i) => {
      const props = { textContent: entry.label, role: "option", id: `found-${i}` };
      const row = createElement("li", { ...props, "aria-selected": String(i === this.chosen) });
      row.onmousedown = (event) => {
        event.preventDefault();
        this.take(entry);
      };
      return row;
    });
    if (!rows.length && this.field.value.trim()) {
      rows.push(
        createElement("li", { className: "muted", textContent: "Nothing here has this name.", role: "option" }),
      );
    }
    this.list.replaceChildren(...rows);
    this.field.setAttribute("aria-activedescendant", this.found.length ? `found-${this.chosen}` : "");
    rows[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  take(entry) {
    this.hide();
    this.go(entry);
  }

  hide() {
    this.root.hidden = true;
    this.close();
  }

  press(event) {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.chosen = clampIndex(this.chosen + step, this.found.length);
      this.draw();
    } else if (event.key === "Enter" && this.found[this.chosen]) this.take(this.found[this.chosen]);
    else if (event.key === "Escape") this.hide();
    else return;
    event.preventDefault();
  }
}
