// The Positions page: cells of the heatmap, hands of the clocks, the circle in space, two positions.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arcOf,
  arrangeClocks,
  circleInSpace,
  fitPoints,
  project,
  shiftCells,
  shiftError,
  tipOf,
} from "../../assets/components/inputs/position_circles/geometry.js";
import { writeTurn } from "../../assets/components/inputs/position_circles/marks.js";
import {
  angleBetween,
  diagonalEdges,
  labelSpace,
  tickStride,
} from "../../assets/components/inputs/position_distance/geometry.js";
import {
  arrangeCells,
  pairStride,
  rowStride,
  subscript,
  togglePair,
} from "../../assets/components/inputs/position_heatmap/geometry.js";

const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("few positions have words beside them, many only numbers", () => {
  const cells = (rows) => arrangeCells({ rows, columns: 64, room: 900, longest: 6, isPresented: false });
  assert.deepEqual([cells(9).isNamed, cells(9).tall], [true, 26]);
  assert.deepEqual([cells(256).isNamed, cells(256).tall], [false, 2]);
  assert.ok(cells(9).width <= 900);
  assert.deepEqual([rowStride(cells(9)), rowStride(cells(256))], [1, 10]);
});

test("pairs of features are numbered as far as their numbers stand apart", () => {
  assert.deepEqual(
    [46, 12, 6, 1].map((wide) => pairStride({ wide })),
    [1, 1, 2, 16],
  );
});

test("a pair that is clicked again goes, and the oldest of too many goes", () => {
  assert.deepEqual(togglePair([1, 3], 3, 4), [1]);
  assert.deepEqual(togglePair([1, 3, 5, 7], 9, 4), [3, 5, 7, 9]);
});

test("an index is set low, digit by digit", () => assert.equal(subscript(120), "₁₂₀"));

test("position 0 points to twelve, and time runs clockwise", () => {
  assert.deepEqual(tipOf(0), [0, -1]);
  const [x, y] = tipOf(Math.PI / 2);
  close(x, 1);
  close(y, 0);
});

test("T(φ) shifts every position by φ", () => {
  const frequencies = [1, 0.1, 0.01];
  assert.ok(shiftError(frequencies, 50, 3.7) < 1e-14);
  const p = (t) => frequencies.flatMap((w) => [Math.sin(w * t), Math.cos(w * t)]);
  const shifted = new Array(6).fill(0);
  for (const [row, column, value] of shiftCells(frequencies, 3.7)) shifted[row] += value * p(5)[column];
  p(8.7).forEach((value, i) => {
    close(shifted[i], value);
  });
});

test("clocks fill their rows evenly", () => {
  assert.equal(arrangeClocks(8, 1040).columns, 8);
  assert.equal(arrangeClocks(8, 700).columns, 4); // not six and two
  assert.equal(arrangeClocks(8, 120).columns, 2);
  assert.equal(arrangeClocks(2, 1200).step, 150);
});

test("an arc goes as far as the hand turns, and at most once round", () => {
  const top = -Math.PI / 2;
  assert.deepEqual(arcOf(0, 1), { from: top, to: top + 1, backwards: false });
  assert.deepEqual(arcOf(0, -1), { from: top, to: top - 1, backwards: true });
  close(arcOf(0, 100).to - top, 2 * Math.PI);
});

test("points are fitted into a canvas with one unit both ways", () => {
  const { unit, middle } = fitPoints(
    [
      [-1, 0],
      [3, 2],
    ],
    200,
    150,
    20,
  );
  assert.deepEqual(middle, [1, 1]);
  assert.equal(unit, 45); // 180 pixels for 4 units; 130 for 2 would be more
});

test("the eye sees the ground from above where it is tipped, and its circles as ellipses", () => {
  close(project([0, 0, 1], { yaw: 2, pitch: 0 })[1], 1);
  close(project([0, 1, 0], { yaw: 0, pitch: Math.PI / 2 })[1], 1);
  const circle = circleInSpace([4, 5, 6]);
  assert.equal(circle.length, 73);
  for (const [x, y, z] of circle) {
    close(Math.hypot(x - 4, y - 5), 1);
    assert.equal(z, 6);
  }
});

test("turns are told in degrees", () => {
  assert.deepEqual([0, 0.01, Math.PI].map(writeTurn), ["0.0°", "0.57°", "180.0°"]);
});

test("the angle between two vectors comes from their product", () => {
  close(angleBetween(0, 4), 90);
  close(angleBetween(2, 2), 0);
  close(angleBetween(2.0000001, 2), 0); // rounding must not make it no number
  close(angleBetween(-2, 2), 180);
});

test("a long rail has fewer ticks", () => {
  assert.deepEqual([9, 60, 61, 300, 601].map(tickStride), [1, 1, 5, 5, 50]);
});

test("labels have no room beside low rows", () => {
  assert.equal(labelSpace(300, ["fox", "brown"], 30), 0);
  assert.equal(labelSpace(300, ["fox", "brown"], 9), 48);
  assert.equal(labelSpace(160, ["a-very-long-word-indeed"], 9), 0.28 * 160);
});

test("the staircases lie along both edges of a diagonal", () => {
  assert.deepEqual(diagonalEdges(1, 3), [
    [
      [0, 1],
      [1, 1],
      [1, 2],
    ],
    [
      [1, 2],
      [2, 2],
      [2, 3],
    ],
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
    [
      [1, 2],
      [1, 3],
      [2, 3],
    ],
  ]);
  assert.deepEqual(diagonalEdges(-2, 3)[0][0], [2, 0]); // row 0, column 2
});
