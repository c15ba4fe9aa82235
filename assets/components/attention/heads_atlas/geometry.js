// Where the tiles of all heads stand: rows are heads and columns layers, on a narrow screen the other way; sorted, a
// plain run of tiles. A head's number counts through the layers: number = layer * heads + head.

const WIDEST = 2400; // pixels
const LEAST_PRESENTED = 64; // pixels of a tile that a lecture room needs

// `room` is the width, `height` the height that the atlas may have; Infinity where it may be as tall as it likes.
export function arrangeTiles({ layers, heads, isSorted, room, height }) {
  const width = Math.min(room, WIDEST);
  const isTurned = !isSorted && layers > heads && width < 24 * layers;
  const margin = isSorted ? { left: 0, top: 0 } : { left: 22, top: 18 };
  const columns = isSorted ? Math.max(Math.floor(width / (width < 600 ? 42 : 58)), 1) : isTurned ? heads : layers;
  const rows = isSorted ? Math.ceil((layers * heads) / columns) : isTurned ? layers : heads;
  const presented = height < Infinity ? (height - 58) / (isTurned ? layers : heads) : 0;
  const most = isSorted ? 72 : isTurned ? 44 : Math.max(presented, LEAST_PRESENTED);
  const step = Math.max(Math.min((width - margin.left) / columns, most), 20);
  const label = isSorted ? 15 : 0;
  return {
    isTurned,
    isSorted,
    margin,
    columns,
    rows,
    step,
    label,
    heads,
    gap: step > 30 ? 4 : 2,
    width: margin.left + columns * step,
    height: margin.top + rows * (step + label),
  };
}

// The cell of a tile. Only a sorted atlas needs `place`, the tile's place in the run.
export function cellOf({ isSorted, isTurned, columns, heads }, number, place) {
  if (isSorted) return { row: Math.floor(place / columns), column: place % columns };
  const [layer, head] = [Math.floor(number / heads), number % heads];
  return isTurned ? { row: layer, column: head } : { row: head, column: layer };
}

// The number of the head in a cell; null where there is none. `order`: the numbers in the order of a sorted atlas.
export function headIn({ isSorted, isTurned, columns, rows, heads }, order, { row, column }) {
  if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
  if (isSorted) return order[row * columns + column] ?? null;
  return isTurned ? row * heads + column : column * heads + row;
}

// The left and the upper edge of a tile, and its side.
export function tileBox(grid, number, place) {
  const { margin, step, gap, label } = grid;
  const { row, column } = cellOf(grid, number, place);
  return [margin.left + column * step, margin.top + row * (step + label), step - gap];
}

// The number of the head under a point, or null.
export function headAt(grid, order, x, y) {
  const column = Math.floor((x - grid.margin.left) / grid.step);
  const row = Math.floor((y - grid.margin.top) / (grid.step + grid.label));
  return headIn(grid, order, { row, column });
}

// The row of a tile that holds a query: a longer sentence has several queries in each of its rows (`pool` of
// viz/shared/payload.py).
export const rowOf = (query, queries, rows) => Math.ceil((rows * (query + 1)) / queries) - 1;
