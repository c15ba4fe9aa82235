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

// The left and the upper edge of a tile, and its side. Only a sorted atlas needs `place`, the tile's place in the run.
export function tileBox(grid, number, place) {
  const { columns, margin, step, gap, label } = grid;
  const [layer, head] = [Math.floor(number / grid.heads), number % grid.heads];
  const [column, row] = grid.isSorted
    ? [place % columns, Math.floor(place / columns)]
    : grid.isTurned
      ? [head, layer]
      : [layer, head];
  return [margin.left + column * step, margin.top + row * (step + label), step - gap];
}

// The number of the head under a point, or null. `order`: the numbers in the order of a sorted atlas.
export function headAt(grid, order, x, y) {
  const column = Math.floor((x - grid.margin.left) / grid.step);
  const row = Math.floor((y - grid.margin.top) / (grid.step + grid.label));
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return null;
  if (grid.isSorted) return order[row * grid.columns + column] ?? null;
  return grid.isTurned ? row * grid.heads + column : column * grid.heads + row;
}

// The row of a tile that holds a query: a longer sentence has several queries in each of its rows (`pool` of
// viz/shared/payload.py).
export const rowOf = (query, queries, rows) => Math.ceil((rows * (query + 1)) / queries) - 1;
