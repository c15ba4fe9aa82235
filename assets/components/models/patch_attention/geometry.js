// Where the small pictures of all heads stand, and how a patch is named and reached.
import { clampIndex } from "../../shared/keyboard.js";

const HEIGHT = 484; // pixels that the heads may be tall: as the picture
const EDGE = 24; // pixels for the numbers of layers and heads
const GAP = 3;

// Layers across and heads down, or turned where the tiles are larger that way.
export function arrangeHeads(layers, heads, room) {
  const stepOf = (columns, rows) => Math.floor(Math.min((room - EDGE) / columns, (HEIGHT - EDGE) / rows, 72));
  const isTurned = stepOf(heads, layers) > stepOf(layers, heads);
  const [columns, rows] = isTurned ? [heads, layers] : [layers, heads];
  const step = Math.max(stepOf(columns, rows), 12);
  const size = { width: EDGE + columns * step, height: EDGE + rows * step };
  return { isTurned, columns, rows, step, left: EDGE, top: EDGE, ...size };
}

// The left and the upper edge of a tile, and its side.
export function tileBox({ isTurned, left, top, step }, layer, head) {
  const [column, row] = isTurned ? [head, layer] : [layer, head];
  return [left + column * step, top + row * step, step - GAP];
}

export function headAt({ isTurned, left, top, step, columns, rows }, x, y) {
  const column = Math.floor((x - left) / step);
  const row = Math.floor((y - top) / step);
  if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
  return isTurned ? { layer: row, head: column } : { layer: column, head: row };
}

// A patch by its row and column, counted from 1.
export const placeName = (patch, side) => `r${Math.floor(patch / side) + 1} c${(patch % side) + 1}`;

// The patch that an arrow leads to in a picture of `side` x `side`. From the class token, -1, it leads to the first.
export function stepPatch(patch, [right, down], side) {
  if (patch < 0) return 0;
  const column = clampIndex((patch % side) + right, side);
  return clampIndex(Math.floor(patch / side) + down, side) * side + column;
}
