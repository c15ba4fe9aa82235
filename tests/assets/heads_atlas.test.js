// All heads as tiles: how they are arranged, and that a point on a tile is its head.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrangeTiles,
  cellOf,
  headAt,
  headIn,
  rowOf,
  tileBox,
} from "../../assets/components/attention/heads_atlas/geometry.js";

const WIDE = { layers: 4, heads: 3, room: 1200, height: Infinity, isSorted: false };
const ORDER = [11, 0, 5, 1, 2, 3, 4, 6, 7, 8, 9, 10]; // of a sorted atlas

test("columns are layers and rows are heads", () => {
  const grid = arrangeTiles(WIDE);
  assert.deepEqual([grid.columns, grid.rows, grid.isTurned], [4, 3, false]);
  assert.deepEqual(tileBox(grid, 3), [22 + grid.step, 18, grid.step - grid.gap]); // layer 1, head 0
});

test("a narrow screen turns an atlas that has more layers than heads", () => {
  const grid = arrangeTiles({ ...WIDE, layers: 30, heads: 9, room: 390 });
  assert.deepEqual([grid.columns, grid.rows, grid.isTurned], [9, 30, true]);
  assert.ok(grid.width <= 390);
});

test("a lecture room has larger tiles where its height allows them", () => {
  assert.equal(arrangeTiles(WIDE).step, 64);
  assert.equal(arrangeTiles({ ...WIDE, height: 58 + 3 * 100 }).step, 100);
  assert.equal(arrangeTiles({ ...WIDE, height: 100 }).step, 64);
});

test("the middle of each tile is its head, and the gap beyond the last is none", () => {
  const places = [
    arrangeTiles(WIDE),
    arrangeTiles({ ...WIDE, layers: 30, heads: 9, room: 390 }),
    arrangeTiles({ ...WIDE, isSorted: true, room: 250 }),
  ];
  for (const grid of places) {
    const count = grid.isSorted ? 12 : grid.columns * grid.rows;
    for (let number = 0; number < count; number++) {
      const [x, y, side] = tileBox(grid, number, ORDER.indexOf(number));
      assert.equal(headAt(grid, ORDER, x + side / 2, y + side / 2), number);
      assert.equal(headIn(grid, ORDER, cellOf(grid, number, ORDER.indexOf(number))), number);
    }
    assert.equal(headAt(grid, ORDER, grid.margin.left - 1, grid.margin.top + 1), null);
    assert.equal(headAt(grid, ORDER, grid.width + 1, grid.margin.top + 1), null);
  }
});

test("the last row of a sorted atlas may end early", () => {
  const grid = arrangeTiles({ ...WIDE, isSorted: true, room: 250 });
  assert.ok(grid.columns * grid.rows > 12);
  assert.equal(headAt(grid, ORDER, grid.width - 1, grid.height - 1), null);
});

test("a query has its row in a small picture, also where several queries share one", () => {
  assert.deepEqual(
    [0, 1, 7].map((query) => rowOf(query, 8, 8)),
    [0, 1, 7],
  );
  // As numpy's reduceat in `pool`: the blocks of 50 queries in 24 rows begin at 0, 2, 4, 6, 8, 10, 12, 14, 16, ...
  const starts = Array.from({ length: 24 }, (_, row) => Math.floor((row * 50) / 24));
  starts.forEach((start, row) => {
    assert.equal(rowOf(start, 50, 24), row);
    assert.equal(rowOf((starts[row + 1] ?? 50) - 1, 50, 24), row);
  });
});
