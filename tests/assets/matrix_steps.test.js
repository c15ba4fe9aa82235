// The steps of attention: where matrices stand, what a cell lights, which products of a sum are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrangeProduct,
  arrangeRow,
  litBy,
  strongestColumn,
} from "../../assets/components/attention/matrix_steps/geometry.js";
import {
  chooseProducts,
  productAt,
  rootMeanSquare,
  valueAt,
} from "../../assets/components/attention/matrix_steps/sums.js";

const matrix = (row, column, rows, columns) => ({ row, column, rows, columns });
const SCORES = {
  a: matrix("query", "feature", 5, 32),
  b: matrix("feature", "key", 32, 5),
  c: matrix("query", "key", 5, 5),
};
const ROOM = { width: 1000, height: Infinity, side: 60, labels: 40, isNarrow: false };

test("a product stands as it is multiplied: b above c, a beside c, the terms between them", () => {
  const { boxes, terms, width, height } = arrangeProduct(SCORES, ROOM);
  assert.equal(boxes.b.x, boxes.c.x);
  assert.equal(boxes.a.y, boxes.c.y);
  assert.equal(boxes.a.height, boxes.c.height);
  assert.ok(boxes.b.y + boxes.b.height < boxes.c.y);
  assert.ok(boxes.a.x + boxes.a.width < boxes.c.x);
  assert.deepEqual([terms.x, terms.width, terms.y], [boxes.a.x, boxes.a.width, boxes.b.y]);
  assert.ok(width <= 1000 && height > boxes.c.y + boxes.c.height);
});

test("a product fits a narrow room, and a low one as far as it can be read", () => {
  const narrow = arrangeProduct(SCORES, { ...ROOM, width: 320, isNarrow: true });
  assert.ok(narrow.width <= 320);
  const low = arrangeProduct(SCORES, { ...ROOM, height: 280 });
  assert.ok(low.height <= 280);
  const lowest = arrangeProduct(SCORES, { ...ROOM, height: 100 });
  assert.deepEqual([lowest.boxes.a.height, lowest.boxes.b.height], [75, 60]); // 15 a word, 60 for features
});

test("what all heads add up to stands below the result", () => {
  const { boxes } = arrangeProduct({ ...SCORES, d: SCORES.c }, ROOM);
  assert.ok(boxes.d.y > boxes.c.y + boxes.c.height);
});

test("other steps stand in a row, on a narrow screen one below the other", () => {
  const words = matrix("query", "key", 5, 5);
  const matrices = { a: words, b: words, c: words };
  const { boxes } = arrangeRow("mask", matrices, ROOM);
  assert.ok(boxes.a.x + boxes.a.width < boxes.b.x && boxes.b.x + boxes.b.width < boxes.c.x);
  const stacked = arrangeRow("mask", matrices, { ...ROOM, width: 350, isNarrow: true });
  assert.ok(stacked.boxes.a.y + stacked.boxes.a.height < stacked.boxes.b.y);
  assert.equal(stacked.boxes.a.x, stacked.boxes.c.x);
});

test("a concatenation has the rest of the row", () => {
  const matrices = { a: matrix("query", "feature", 5, 16), c: matrix("query", "feature", 5, 64) };
  const { boxes } = arrangeRow("concat", matrices, ROOM);
  assert.equal(boxes.c.width, Math.min(430, 1000 - boxes.c.x - 4));
});

test("a cell lights what it is made from", () => {
  const at = (name) => ({ name, row: 1, column: 2 });
  assert.deepEqual(litBy("product", at("c")), { row: 1, column: 2, cell: { row: 1, column: 2 } });
  assert.deepEqual(litBy("product", at("a")), { row: 1, middle: 2 });
  assert.deepEqual(litBy("product", at("b")), { column: 2, middle: 1 });
  assert.deepEqual(litBy("softmax", at("a")), { cell: { row: 1, column: 2 } });
  assert.deepEqual(litBy("concat", at("a"), 32), { cell: { row: 1, column: 34 } });
});

test("the strongest column counts sizes, and the first of equals", () => {
  assert.equal(strongestColumn({ columns: 3, values: [9, 0, 0, 1, -4, 4] }, 1), 1);
});

test("few products are all written, of many the four largest", () => {
  assert.deepEqual(chooseProducts([3, -1, 2]), { written: [0, 1, 2], rest: 0 });
  const { written, rest } = chooseProducts([1, -8, 2, 7, 3, -6, 0.5, 4]);
  assert.deepEqual(written, [1, 3, 5, 7]);
  assert.equal(rest, 6.5);
});

test("products and values are read row by row", () => {
  const a = { columns: 2, values: [1, 2, 3, 4] };
  const b = { columns: 3, values: [5, 6, 7, 8, 9, 10] };
  assert.equal(valueAt(b, 1, 2), 10);
  assert.equal(productAt({ a, b }, 1, 2, 0), 21);
});

test("the root mean square is that of one row", () => {
  const a = { values: Float32Array.of(9, 9, 3, -4), columns: 2 };
  assert.equal(rootMeanSquare(a, 1), Math.sqrt(12.5));
});
