// The part of an element that is pointed at, by an address that finds the same part in another one: on another screen,
// or beside it. A part is a cell, a chip, a picture or the whole.
import { collectNodes } from "./dom.js";

const PICTURES = "canvas, img, .nsewdrag, table"; // of Plotly, the rectangle inside the axes
const MAX_ADDRESS = 55; // characters

const picturesOf = (element) => collectNodes(element, (node) => node.matches(PICTURES));
const contains = (box, x, y) => x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height;

// The address of the part under a pointer, and its box on the screen. `path`: where the event went, to the element.
export function partUnder(element, path, event) {
  for (const node of path) {
    if (node === element) break;
    const cell = node.glassformerCells?.at(event);
    const box = cell && cell.length < MAX_ADDRESS && node.glassformerCells.boxOf(cell);
    if (box) return [`cell ${cell}`, box];
    const spot = node.dataset?.spot;
    if (spot && spot.length < MAX_ADDRESS) return [`spot ${spot}`, node.getBoundingClientRect()];
  }
  const boxes = picturesOf(element).map((picture) => picture.getBoundingClientRect());
  const picture = boxes.findLastIndex((box) => contains(box, event.clientX, event.clientY));
  return picture < 0 ? ["", element.getBoundingClientRect()] : [`#${picture}`, boxes[picture]];
}

// The part of an element at an address: {node, box, isNamed}, or null where it has none. `isNamed`: its box is what was
// pointed at, to be marked as a whole.
export function partOf(element, part) {
  const [kind, address] = [part.slice(0, 5), part.slice(5)];
  if (kind === "cell ") {
    for (const node of collectNodes(element, (each) => each.glassformerCells)) {
      const box = node.glassformerCells.boxOf(address);
      if (box) return { node, box, isNamed: true };
    }
  }
  const node =
    kind === "spot "
      ? collectNodes(element, (each) => each.dataset?.spot === address)[0]
      : picturesOf(element)[part ? Number(part.slice(1)) : -1];
  return node ? { node, box: node.getBoundingClientRect(), isNamed: kind === "spot " } : null;
}
