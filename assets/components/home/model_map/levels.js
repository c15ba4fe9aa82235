// Which tiles a matrix needs: those in sight of the level that its table has for the scale.
import { TILE_CELLS, writeAddress } from "./tile_file.js";

const MAX_FINER = 16; // tiles that are finer than needed, drawn while better ones are on their way

// The level at which a matrix is drawn, at so many pixels of a world unit: its table is made by
// viz/home/layout/levels.py. -1 where it is not drawn.
export const levelAt = ({ levels, until = Infinity }, k) => (k < until ? levels.findIndex((least) => k >= least) : -1);

// The rows and columns of the matrix that a cell of a level stands for.
export const sidesOf = ({ halvings }, level) => halvings.map((most) => 2 ** Math.min(level, most));

// The cells of a level that are in sight: the first and the end of rows and columns.
export function cellsInSight(matrix, level, sight) {
  const [high, wide] = sidesOf(matrix, level);
  const along = (box, cell, [first, end], axis, side) => {
    const from = Math.max(first, first + Math.floor((sight[axis] - box[axis]) / cell[axis]));
    const to = Math.min(end, first + Math.ceil((sight[axis] + sight[axis + 2] - box[axis]) / cell[axis]));
    return [Math.floor(from / side), Math.max(Math.floor(from / side) + 1, Math.ceil(to / side))];
  };
  return {
    columns: along(matrix.box, matrix.cell, matrix.columns, 0, wide),
    rows: along(matrix.box, matrix.cell, matrix.rows, 1, high),
  };
}

// The tiles with those cells: {address, row, column}, where row and column are those of the tile's first cell.
export function tilesOf({ tensor, matrix }, level, { rows, columns }) {
  const tiles = [];
  const places = ([first, end]) => {
    const numbers = [];
    for (let i = Math.floor(first / TILE_CELLS); i * TILE_CELLS < end; i++) numbers.push(i);
    return numbers;
  };
  for (const row of places(rows)) {
    for (const column of places(columns)) {
      const address = writeAddress(tensor, matrix, level, row, column);
      tiles.push({ address, level, row: row * TILE_CELLS, column: column * TILE_CELLS });
    }
  }
  return tiles;
}

// The tiles to draw one above the other, coarse ones first, from what is there: the best level where all of it has
// come, and before that what covers most. `has(address)` tells what is there.
export function layersOf(matrix, best, sight, has) {
  const layers = [];
  for (let level = best; level <= Math.max(...matrix.halvings); level++) {
    const tiles = tilesOf(matrix, level, cellsInSight(matrix, level, sight));
    const there = tiles.filter(({ address }) => has(address));
    if (there.length) layers.unshift(there);
    if (there.length === tiles.length) return layers;
  }
  for (let level = best - 1; level >= 0 && !layers.length; level--) {
    const tiles = tilesOf(matrix, level, cellsInSight(matrix, level, sight));
    if (tiles.length > MAX_FINER) break;
    if (tiles.every(({ address }) => has(address))) layers.push(tiles);
  }
  return layers;
}
