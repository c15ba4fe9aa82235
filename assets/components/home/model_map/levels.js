// Which tiles a matrix needs: the level whose cells are about as large as pixels, and its tiles in sight.
import { writeAddress } from "./tile_file.js";

const THUMBNAIL_CELLS = 16; // rows, and columns, of the last level at most
const LEAST_PIXELS = 0.2; // of the shorter side of a cell
const MAX_FINER = 16; // tiles that are finer than needed, drawn while better ones are on their way
const TILE_CELLS = 256; // rows, and columns, of a tile at most

// How often an axis of so many cells is halved up to a level: one of at most 16 cells is not (`count_halvings` of
// viz/shared/tiles.py).
export function countHalvings(cells, level) {
  const thumbnails = Math.ceil(cells / THUMBNAIL_CELLS);
  return Math.min(level, thumbnails > 1 ? 32 - Math.clz32(thumbnails - 1) : 0);
}

// How many levels a matrix has: 1 where it is a thumbnail as it is.
export const countLevels = ([rows, columns]) => 1 + countHalvings(Math.max(rows, columns, 1), Infinity);

// The rows and columns of the matrix that a cell of a level stands for.
export const sidesOf = ({ shape }, level) => shape.map((cells) => 2 ** countHalvings(cells, level));

// The level for a matrix whose cells are so many pixels wide and high: a cell of the level has a pixel or more.
export function levelFor(matrix, [width, height]) {
  for (let level = 0; level < matrix.levels - 1; level++) {
    const [high, wide] = sidesOf(matrix, level);
    if (width * wide * height * high >= 1 && Math.min(width * wide, height * high) >= LEAST_PIXELS) return level;
  }
  return matrix.levels - 1;
}

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
  for (let level = best; level < matrix.levels; level++) {
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
