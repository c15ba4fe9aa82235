// Where the small pictures of all heads stand, and how a patch is named.

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

// The cell of a head, and the head in a cell.
export const cellOf = ({ isTurned }, layer, head) =>
  isTurned ? { row: layer, column: head } : { row: head, column: layer };
export const headIn = ({ isTurned }, { row, column }) =>
  isTurned ? { layer: row, head: column } : { layer: column, head: row };

// The left and the upper edge of a tile, and its side.
export function tileBox(grid, layer, head) {
  const { row, column } = cellOf(grid, layer, head);
  return [grid.left + column * grid.step, grid.top + row * grid.step, grid.step - GAP];
}

export function headAt(grid, x, y) {
  const column = Math.floor((x - grid.left) / grid.step);
  const row = Math.floor((y - grid.top) / grid.step);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return null;
  return headIn(grid, { row, column });
}

// A patch by its row and column, counted from 1.
export const placeName = (patch, side) => `r${Math.floor(patch / side) + 1} c${(patch % side) + 1}`;
