// The map of the whole model: its layout, its levels and tiles, its colours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellAt, cellBox, indexOf, inSight, placeOf } from "../../assets/components/home/model_map/layout.js";
import { cellsInSight, layersOf, levelAt, sidesOf, tilesOf } from "../../assets/components/home/model_map/levels.js";
import { codeOf, MASKED_CODE, NAN_CODE } from "../../assets/components/home/model_map/palette.js";
import { layout, view } from "./model_map_layout.js";

test("templates are filled in at each of their places", () => {
  const second = layout.groups.get("decoder.1/head 1");
  assert.deepEqual(second.box, [210, 110, 100, 100]);
  assert.deepEqual(second.go, { part: "head", stack: "decoder", layer: 1 });
  assert.deepEqual(
    layout.path(second).map(({ id }) => id),
    ["model", "decoder.1", "decoder.1/head 1"],
  );
  assert.equal(layout.byTensor.get("decoder.1.self_attn.weights").length, 4);
  assert.deepEqual(layout.links.at(-1).points, [
    [210, 250],
    [320, 250],
  ]);
});

test("in sight is what lies in the window, at the level of meaning of its size", () => {
  const far = inSight(layout, view(0, 0, 1));
  assert.deepEqual(new Set(far.matrices.map(({ title }) => title)), new Set(["embedding", "weights", "neurons"]));
  assert.equal(far.matrices.filter(({ title }) => title === "weights").length, 4);
  const near = inSight(layout, view(205, 100, 7));
  assert.deepEqual(
    near.matrices.map(({ tensor }) => tensor),
    ["decoder.1.self_attn.weights", "decoder.blocks.1.query.weight"],
  );
  assert.deepEqual(inSight(layout, view(5000, 0, 1)), { groups: [], matrices: [] });
});

test("a cell is found from a point, and its box from the cell, also in a part of a weight", () => {
  const matrix = layout.find("decoder.blocks.1.query.weight", 0, 40, 100);
  assert.equal(matrix.group.id, "decoder.1/head 1"); // its rows are 32..63
  const box = cellBox(matrix, 40, 100);
  assert.deepEqual(cellAt(matrix, box[0] + box[2] / 2, box[1] + box[3] / 2), [40, 100]);
  assert.equal(layout.find("decoder.blocks.1.query.weight", 0, 64, 0), null);
  assert.equal(layout.find("logits", 0, 0, 0), null);
});

test("of the pictures of a tensor, a cell is in the one that is seen from near", () => {
  assert.equal(layout.find("decoder.0.self_attn.weights", 1, 2, 2).until, undefined);
});

test("an index and the place in its matrix lead to each other", () => {
  const weights = layout.find("decoder.0.self_attn.weights", 1, 2, 0);
  assert.deepEqual(indexOf(weights, 2, 0), [1, 2, 0]);
  assert.deepEqual(placeOf([1, 2, 0]), [1, 2, 0]);
  assert.deepEqual(indexOf({ axes: ["d_model"], matrix: 0 }, 0, 7), [7]);
  assert.deepEqual(placeOf([7]), [0, 0, 7]);
});

test("the level is the finest that the table has for the scale, and outside of the table there is none", () => {
  const [far, near] = layout.byTensor.get("decoder.0.self_attn.weights");
  assert.deepEqual(
    [1, 2.19, 2.2].map((k) => [levelAt(far, k), levelAt(near, k)]),
    [
      [0, -1],
      [0, -1],
      [-1, 0],
    ],
  );
  const neurons = layout.byTensor.get("decoder.0.ffn.activated")[0];
  assert.deepEqual(
    [9, 2.048, 2.047, 0.3, 0.001].map((k) => levelAt(neurons, k)),
    [0, 0, 1, 4, 6],
  );
});

test("a level halves an axis as often as it can be halved", () => {
  const weight = layout.byTensor.get("decoder.blocks.0.query.weight");
  assert.deepEqual(
    [0, 1, 3, 9].map((level) => sidesOf(weight[0], level)),
    [
      [1, 1],
      [2, 2],
      [4, 8],
      [4, 32],
    ],
  );
});

test("the tiles of a matrix are those in sight", () => {
  const neurons = layout.byTensor.get("decoder.0.ffn.activated")[0];
  const sight = [100 + 30, 200, 30, 100]; // columns 307.2 to 614.4 of 1024
  assert.deepEqual(cellsInSight(neurons, 0, sight), { rows: [0, 3], columns: [307, 615] });
  assert.deepEqual(
    tilesOf(neurons, 0, cellsInSight(neurons, 0, sight)).map(({ address }) => address),
    [1, 2].map((column) => `decoder.0.ffn.activated/0/0/0/${column}`),
  );
  assert.deepEqual(cellsInSight(neurons, 2, sight), { rows: [0, 3], columns: [76, 154] });
});

test("what is coarse is drawn below what has come of the best level", () => {
  const neurons = layout.byTensor.get("decoder.0.ffn.activated")[0];
  const sight = neurons.box;
  const there = new Set(["decoder.0.ffn.activated/0/0/0/1", "decoder.0.ffn.activated/0/3/0/0"]);
  const layers = layersOf(neurons, 0, sight, (address) => there.has(address));
  assert.deepEqual(
    layers.map((layer) => layer.map(({ level, column }) => [level, column])),
    [[[3, 0]], [[0, 256]]],
  );
  assert.deepEqual(
    layersOf(neurons, 0, sight, () => false),
    [],
  );
});

test("codes of numbers are those of scale_codes in viz/shared/tiles.py", () => {
  const signed = { kind: "diverging", low: -2, high: 2 };
  assert.deepEqual(
    [-9, -2, 0, 1, 2, 9].map((value) => codeOf(value, signed)),
    [0, 0, 126, 189, 252, 252],
  );
  assert.deepEqual(
    [0, 0.5, 1].map((value) => codeOf(value, { low: 0, high: 1 })),
    [0, 126, 252],
  );
  assert.equal(codeOf(Number.NEGATIVE_INFINITY, signed), MASKED_CODE);
  assert.equal(codeOf(Number.NaN, signed), NAN_CODE);
});
