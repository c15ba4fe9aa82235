// The spot of the presenter's laser.
import { createElement } from "../shared/dom.js";

export const createSpot = () => createElement("div", { className: "spot", hidden: true, "aria-hidden": "true" });

export function moveSpot(spot, x, y) {
  spot.hidden = false;
  spot.style.left = `${x}px`;
  spot.style.top = `${y}px`;
}
