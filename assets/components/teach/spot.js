// The spot of the presenter's laser, and the mark around what it points at.
import { createElement } from "../shared/dom.js";

const GAP = 3; // pixels between a cell and its mark

export const createSpot = () => createElement("div", { className: "spot", hidden: true, "aria-hidden": "true" });
export const createMark = () => createElement("div", { className: "spotmark", hidden: true, "aria-hidden": "true" });

export function moveSpot(spot, x, y) {
  spot.hidden = false;
  spot.style.left = `${x}px`;
  spot.style.top = `${y}px`;
}

export function moveMark(mark, box) {
  mark.hidden = false;
  mark.style.left = `${box.left - GAP}px`;
  mark.style.top = `${box.top - GAP}px`;
  mark.style.width = `${box.width + 2 * GAP}px`;
  mark.style.height = `${box.height + 2 * GAP}px`;
}
