// A painted mask: strokes, whole rows and columns, undo and redo, its bits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PaintedMask } from "../../assets/components/attention/mask_painter/mask.js";

const open = (rows, columns) => new PaintedMask(new Array(rows * columns).fill(1), rows, columns);

test("a fast stroke leaves no gaps", () => {
  const mask = open(4, 4);
  mask.paintLine({ row: 0, column: 0 }, { row: 3, column: 3 }, 0);
  assert.equal(mask.text(), "0111101111011110");
  assert.equal(mask.hiddenCount(), 4);
});

test("a line is hidden where any of it is seen, and shown where all of it is hidden", () => {
  const mask = open(2, 3);
  mask.replace(mask.withCell({ row: 0, column: 1 }, 0));
  mask.replace(mask.withLineToggled({ row: 0 }));
  assert.equal(mask.text(), "000111");
  mask.replace(mask.withLineToggled({ row: 0 }));
  assert.equal(mask.text(), "111111");
  mask.replace(mask.withLineToggled({ column: 2 }));
  assert.equal(mask.text(), "110110");
});

test("undo and redo walk through what was done, and a new step forgets what was undone", () => {
  const mask = open(1, 3);
  mask.replace([0, 1, 1]);
  mask.replace([0, 0, 1]);
  assert.equal(mask.replace([0, 0, 1]), false); // nothing changed
  assert.ok(mask.undo());
  assert.equal(mask.text(), "011");
  assert.ok(mask.redo());
  assert.equal(mask.text(), "001");
  mask.undo();
  mask.undo();
  assert.equal(mask.undo(), false);
  assert.equal(mask.text(), "111");
  mask.replace([1, 1, 0]);
  assert.equal(mask.redo(), false);
});

test("a stroke is one step of undo", () => {
  const mask = open(1, 3);
  mask.remember();
  mask.paintLine({ row: 0, column: 0 }, { row: 0, column: 2 }, 0);
  mask.undo();
  assert.equal(mask.text(), "111");
});

test("a mask from elsewhere can be undone", () => {
  const mask = open(1, 2);
  mask.accept([0, 1]);
  assert.equal(mask.text(), "01");
  mask.undo();
  assert.equal(mask.text(), "11");
});

test("at most 200 steps are remembered", () => {
  const mask = open(1, 1);
  for (let i = 0; i < 250; i++) mask.replace([i % 2]);
  assert.equal(mask.past.length, 200);
});

test("rows that see nothing are named", () => {
  assert.deepEqual(new PaintedMask([0, 0, 1, 0, 0, 0], 3, 2).blindRows(), [0, 2]);
});

test("eight cells are a byte, the first one highest", () => {
  assert.deepEqual([...new PaintedMask([1, 0, 0, 0, 0, 0, 0, 1, 1], 3, 3).toBits()], [0b10000001, 0b10000000]);
});
