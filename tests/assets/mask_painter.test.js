// A painted mask: strokes, whole rows and columns, undo and redo, its bits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, PaintedMask } from "../../assets/components/attention/mask_painter/mask.js";

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
  mask.accept({ ...mask.state(), cells: [0, 1] });
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

const window = (cells, first, around) => ({ cells, rows: 1, columns: cells.length, first, around });
const openWindow = (cells) => new PaintedMask(cells, 1, cells.length, [0, 0], "old");
const shown = ({ cells, first, around }) => [cells.join(""), first, around];

test("a preset replaces what is around a window too, and Undo brings all of it back", () => {
  const mask = openWindow([1, 1]);
  assert.ok(mask.replace([1, 1], "new")); // the cells of the window stay
  mask.replace([0, 1]);
  assert.deepEqual(shown(mask), ["01", [0, 0], "new"]);
  mask.undo();
  mask.undo();
  assert.deepEqual(shown(mask), ["11", [0, 0], "old"]);
  mask.redo();
  assert.deepEqual(shown(mask), ["11", [0, 0], "new"]);
});

test("Undo leads back to the window of the step", () => {
  const mask = openWindow([1, 1]);
  mask.replace([0, 1]);
  const moved = window([1, 1, 1], [0, 7], "moved");
  assert.equal(mask.isInWindowOf(moved), false);
  mask.take(moved);
  assert.ok(mask.isInWindowOf(moved));
  mask.replace([0, 0, 0]);
  mask.undo();
  assert.deepEqual(shown(mask), ["111", [0, 7], "moved"]);
  mask.undo();
  assert.deepEqual(shown(mask), ["11", [0, 0], "old"]);
  assert.deepEqual([mask.rows, mask.columns], [1, 2]);
  mask.redo();
  mask.redo();
  assert.deepEqual(shown(mask), ["000", [0, 7], "moved"]);
});

test("a mask that is refused is no step", () => {
  const mask = openWindow([1, 1]);
  mask.replace([0, 1]);
  const kept = mask.state();
  mask.replace([0, 0]);
  mask.replace([1, 0]);
  mask.goBackTo(kept);
  assert.deepEqual(shown(mask), ["01", [0, 0], "old"]);
  assert.equal(mask.past.length, 1);
  mask.undo();
  assert.deepEqual(shown(mask), ["11", [0, 0], "old"]);
});

test("the name of a mask tells of its window and of what is around it", () => {
  const names = [
    window([1], [0, 0], "a"),
    window([1], [0, 1], "a"),
    window([1], [0, 0], "b"),
    window([0], [0, 0], "a"),
  ];
  assert.equal(new Set(names.map(nameOf)).size, 4);
  const mask = new PaintedMask([1], 1, 1, [0, 1], "a");
  assert.equal(nameOf(mask), nameOf(names[1]));
});
