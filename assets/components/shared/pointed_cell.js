// Addresses of what a component shows, so that the presenter's laser points at the same cell on every screen. They go
// through the page from one component to another: the property stands on the component's own element.
import { pointOn, sizeOf } from "./canvas.js";

// `offer` has `at(event)`, the address (a short text) of the cell under the pointer or null, and `boxOf(address)`, its
// box on the screen or null.
export function offerCells(node, offer) {
  node.glassformerCells = offer;
}

// The offer for a canvas: `find(x, y)` and `place(address)` use the canvas' own pixels. A place is its left and upper
// edge, its width and its height.
export const canvasCells = (canvas, find, place) => ({
  at: (event) => find(...pointOn(canvas, event)),
  boxOf: (address) => {
    const found = place(address);
    if (!found) return null;
    const shown = canvas.getBoundingClientRect();
    const scale = shown.width / (sizeOf(canvas)[0] || 1);
    const [x, y, width, height] = found.map((length) => length * scale);
    return { left: shown.left + x, top: shown.top + y, width, height };
  },
});
