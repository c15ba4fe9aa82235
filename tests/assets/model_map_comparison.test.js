// Two runs on the map: the lines of its cells, and where the numbers of each run are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printedValues } from "../../assets/components/home/model_map/cells.js";
import { bothRuns, describeComparison, linesOf } from "../../assets/components/home/model_map/comparison.js";

const MATRIX = { tensor: "logits", matrix: 0, box: [0, 0, 200, 100], rows: [0, 2], columns: [0, 2] };

test("a cell has three lines where two runs are compared and there is room", () => {
  assert.deepEqual(
    linesOf(MATRIX, true, [100, 50]).map(({ mark, matrix, shift }) => [mark, matrix.tensor, shift]),
    [
      ["a ", "a|logits", -1],
      ["b ", "b|logits", 0],
      ["a − b ", "logits", 1],
    ],
  );
  for (const [isCompared, cell] of [
    [false, [100, 50]],
    [true, [60, 50]],
    [true, [100, 30]],
  ]) {
    assert.deepEqual(linesOf(MATRIX, isCompared, cell), [{ mark: "", matrix: MATRIX, shift: 0 }]);
  }
});

test("the matrices of both runs are the same place of other tensors", () => {
  assert.deepEqual(
    bothRuns(MATRIX).map(({ tensor, rows }) => [tensor, rows]),
    [
      ["a|logits", [0, 2]],
      ["b|logits", [0, 2]],
    ],
  );
});

test("the mark of a line takes its room from the value", () => {
  const tools = { toScreen: (box) => box, measure: (text) => text.length * 10, valueAt: () => 0.125 };
  const [value] = printedValues(MATRIX, [0, 1], [0, 1], { ...tools, mark: "a " });
  assert.equal(value.text, "a 0.125");
  const [shorter] = printedValues(MATRIX, [0, 1], [0, 1], { ...tools, mark: "a − b " });
  assert.ok(shorter === undefined || shorter.text.length * 10 <= 94);
});

test("the line below the map names both runs", () => {
  const words = describeComparison(["“The dog”", "“The cat”"]);
  assert.match(words, /a − b\. a: “The dog”\. b: “The cat”/);
});
