// What the mouse is at: name, shape, meaning, and the number of the cell.
import { createElement } from "../../shared/dom.js";
import { formatNumber } from "../../shared/numbers.js";
import { pathWords, shapeText } from "./names.js";
import { cellWords } from "./why.js";

const OFFSET = 14; // pixels from the mouse

// The lines of a cell of a matrix. `value` is undefined where its number has not come.
export function describe(layout, cell, value) {
  const { matrix } = cell;
  return {
    name: [pathWords(layout, matrix.group), matrix.title].filter(Boolean).join(" › "),
    facts: `${shapeText(matrix)} · ${matrix.meaning}`,
    cell: cellWords(layout, cell),
    value: value === undefined ? "" : formatNumber(value),
  };
}

export class Hover {
  constructor() {
    this.root = createElement("div", { className: "hover", hidden: true, "aria-hidden": "true" });
  }

  show({ name, facts, cell, value }, [x, y], [wide, high]) {
    const line = (text, className = "") => createElement("div", { textContent: text, className });
    const number = createElement("b", { textContent: value });
    const last = createElement(
      "div",
      {},
      value ? number : "",
      createElement("span", { textContent: value ? ` ${cell}` : cell }),
    );
    this.root.replaceChildren(createElement("b", { textContent: name }), line(facts, "muted"), last);
    this.root.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = x + OFFSET + width > wide ? x - OFFSET - width : x + OFFSET;
    const top = y + OFFSET + height > high ? y - OFFSET - height : y + OFFSET;
    Object.assign(this.root.style, { left: `${Math.max(0, left)}px`, top: `${Math.max(0, top)}px` });
  }

  hide() {
    this.root.hidden = true;
  }
}
