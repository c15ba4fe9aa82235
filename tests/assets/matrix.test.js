// Matrices on a canvas: cells under a point, places on a scale, labels that fit, a matrix in words, the layout of
// several.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellAt,
  cellText,
  describeMatrix,
  largestSize,
  placeAt,
  scaleStep,
} from "../../assets/components/attention/matrix.js";
import { arrangePanels, countAcross } from "../../assets/components/attention/matrix_panels/geometry.js";

const BOX = { x: 100, y: 50, width: 60, height: 40 }; // 3 columns of 20, 2 rows of 20

test("a point of a box is in a cell, and one beside it in none", () => {
  assert.deepEqual(cellAt(BOX, 2, 3, 101, 51), { row: 0, column: 0 });
  assert.deepEqual(cellAt(BOX, 2, 3, 159, 89), { row: 1, column: 2 });
  for (const [x, y] of [
    [99, 60],
    [160, 60],
    [120, 49],
    [120, 90],
  ])
    assert.equal(cellAt(BOX, 2, 3, x, y), null);
  assert.deepEqual(placeAt(BOX, 2, 3, 99, 95), { row: 2, column: -1 });
});

test("a scale ends at the largest finite size", () => {
  assert.equal(largestSize([0.5, -3], [NaN, Infinity, -Infinity, 2]), 3);
  assert.equal(largestSize([0, 0]), 1);
  assert.deepEqual(
    [-3, 0, 3].map((value) => scaleStep(value, "signed", 3)),
    [0, 128, 255],
  );
  assert.deepEqual(
    [0, 1, 2].map((value) => scaleStep(value, "sequential", 1)),
    [0, 255, 255],
  );
});

test("a number in a cell is short", () => {
  assert.deepEqual([0, 0.004, 0.1, -1.5, 12.345, NaN].map(cellText), ["0", "0.00", "0.10", "−1.50", "12.3", "NaN"]);
});

test("a matrix in words has its range, its largest cell and what is hidden", () => {
  const matrix = { rows: 2, columns: 2, values: Float32Array.of(0.25, -Infinity, 3, -1) };
  const cellName = (row, column) => `r${row} c${column}`;
  assert.equal(
    describeMatrix("Scores", matrix, cellName),
    "Scores, 2 by 2: from −1.000 to 3.000, the largest at r1 c0, 1 cells hidden.",
  );
  const empty = { rows: 1, columns: 2, values: Float32Array.of(NaN, -Infinity) };
  assert.equal(describeMatrix("Scores", empty, cellName), "Scores, 1 by 2: no cell has a number.");
});

test("as many panels stand side by side as can be read", () => {
  const across = (count, width) => countAcross(count, 9, (n) => width / n);
  assert.deepEqual(
    [1200, 400, 200].map((width) => across(4, width)),
    [4, 2, 1],
  );
  assert.deepEqual(
    [1200, 300, 200].map((width) => across(3, width)),
    [3, 1, 1],
  );
  assert.equal(across(5, 300), 2);
});

test("panels do not touch each other", () => {
  const layout = arrangePanels({
    count: 4,
    rows: 9,
    columns: 9,
    width: 700,
    side: 80,
    top: 100,
    sums: 46,
    isNarrow: false,
  });
  const [first, second, third] = layout.boxes;
  assert.ok(second.x >= first.x + first.width + 46);
  assert.ok(third.y >= first.y + first.height + 100);
  assert.ok(layout.width <= 700);
  assert.ok(layout.boxes.every((box) => box.y + box.height <= layout.height));
});
