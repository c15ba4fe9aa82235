// Places of the map: steps in and out, keys, search, and the URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellBox, inSight, Layout } from "../../assets/components/home/model_map/layout.js";
import { axisName, placeWords, readPlace, writePlace } from "../../assets/components/home/model_map/names.js";
import { boxAround, groupsAt, matrixAt, neighbour, stepIn } from "../../assets/components/home/model_map/places.js";
import { isMade, listSteps, stepWords, whenMade } from "../../assets/components/home/model_map/progress.js";
import { createIndex, search } from "../../assets/components/home/model_map/search.js";
import { synonymsOf } from "../../assets/components/home/model_map/synonyms.js";
import { readKey, stepCell } from "../../assets/components/home/model_map/travel.js";
import { JSON_LAYOUT, layout, view, WINDOW } from "./model_map_layout.js";

test("a click enters the head at the pointer, then its matrix, then chooses a cell", () => {
  const far = view(0, 0, 1.5);
  const cellOf = (matrix) => ({ matrix });
  const point = [215, 115];
  const first = stepIn(layout, inSight(layout, far), far, point, cellOf);
  assert.equal(first.group.id, "decoder.1/head 1");
  const near = view(200, 100, 5.5);
  assert.equal(stepIn(layout, inSight(layout, near), near, point, cellOf).matrix.title, "W_Q");
  const seen = inSight(layout, near);
  assert.equal(stepIn(layout, seen, near, [275, 115], cellOf).cell.matrix.title, "weights");
  assert.equal(matrixAt(seen, 255, 200), null);
  assert.deepEqual(groupsAt(layout, 5000, 0), []);
});

test("around a cell its values can be read", () => {
  const matrix = layout.find("decoder.0.self_attn.weights", 0, 0, 0);
  const [x, y, width, height] = boxAround({ matrix, row: 2, column: 2 }, WINDOW);
  const k = WINDOW[0] / width;
  assert.ok(matrix.cell[0] * k >= 40 && matrix.cell[1] * k >= 20);
  const [left, top, wide, high] = cellBox(matrix, 2, 2);
  assert.ok(left >= x && top >= y && left + wide <= x + width && top + high <= y + height);
});

test("arrows lead to the nearest in their direction", () => {
  const heads = [...layout.groups.values()].filter(({ kind }) => kind === "head");
  const from = layout.groups.get("decoder.0/head 0");
  assert.equal(neighbour(heads, from.box, [1, 0]).id, "decoder.1/head 0");
  assert.equal(neighbour(heads, from.box, [0, 1]).id, "decoder.0/head 1");
  assert.equal(neighbour(heads, from.box, [-1, 0]), null);
  const matrix = layout.find("decoder.0.self_attn.weights", 0, 0, 0);
  assert.deepEqual(stepCell({ matrix, row: 0, column: 1 }, [0, -1]), { matrix, row: 0, column: 1 });
  assert.deepEqual(stepCell({ matrix, row: 0, column: 1 }, [1, 0]), { matrix, row: 0, column: 2 });
  assert.deepEqual(readKey({ key: "ArrowUp" }), { step: [0, -1] });
  assert.deepEqual(readKey({ key: "/" }), { command: "search" });
  assert.equal(readKey({ key: "/", ctrlKey: true }), null);
  assert.equal(readKey({ key: "q" }), null);
});

test("search finds layers, heads, weights, neurons, tokens and cells", () => {
  const index = createIndex(layout);
  const first = (question) => search(index, layout, question)[0];
  assert.equal(first("layer 1 head 0").group.id, "decoder.1/head 0");
  assert.equal(first("Layer 1").group.id, "decoder.1");
  assert.equal(first("w_q 1").matrix.tensor, "decoder.blocks.1.query.weight");
  const { cell } = first("layer 1 neuron 812");
  assert.deepEqual([cell.matrix.tensor, cell.row, cell.column], ["decoder.1.ffn.activated", 2, 812]);
  assert.deepEqual(search(index, layout, "neuron 1024"), []);
  const token = first("cat").cell;
  assert.deepEqual([token.matrix.tensor, token.row], ["embed.out", 1]);
  assert.equal(first("decoder.1.self_attn.weights:1,2,0").cell.matrix.matrix, 1);
  for (const nothing of ["", "   ", "zebra", "decoder.9.self_attn.weights:0,0,0", "layer 7"]) {
    assert.deepEqual(search(index, layout, nothing), []);
  }
});

test("search knows what people type", () => {
  const index = createIndex(layout);
  const first = (question) => search(index, layout, question)[0];
  for (const words of ["L1H0", "l1 h0", "1.0", "1/0", "layer1 head0", "Layer 1, Head 0", "L1.H0"]) {
    assert.equal(first(words)?.group?.id, "decoder.1/head 0", words);
  }
  assert.equal(first("L1").group.id, "decoder.1");
  assert.equal(first("softmax").matrix.tensor, "decoder.0.self_attn.weights");
  assert.equal(first("L1 softmax").matrix.tensor, "decoder.1.self_attn.weights");
  assert.equal(first("MLP").matrix.tensor, "decoder.0.ffn.activated");
  assert.equal(first("query projection").matrix.tensor, "decoder.blocks.0.query.weight");
  const { cell } = first("token 2");
  assert.deepEqual([cell.matrix.tensor, cell.row], ["embed.out", 2]);
  assert.deepEqual(search(index, layout, "token 3"), []); // the text has three
});

test("search finds a word that the model answers, and none of numbers that are no answers", () => {
  const json = { ...JSON_LAYOUT, groups: [...JSON_LAYOUT.groups, OUTPUT] };
  const drawn = new Layout(json);
  const outcome = { title: "Next token", kind: "softmax", bars: [{ label: "·down", share: 0.25 }] };
  const found = search(createIndex(drawn), drawn, "down", outcome);
  assert.deepEqual(
    found.map(({ label, group }) => [label, group.id]),
    [["Next token: down, 25%", "decoder.output"]],
  );
  assert.deepEqual(search(createIndex(drawn), drawn, "down", { ...outcome, kind: "none" }), []);
  assert.equal(search(createIndex(drawn), drawn, "unembedding")[0].group.id, "decoder.output");
});

test("each part is found by the words of people, on every kind of name", () => {
  const words = (tensor) => synonymsOf({ matrix: { tensor } }, true).split(" ");
  assert.ok(words("decoder.3.self_attn.q_unrotated").includes("queries"));
  assert.ok(words("decoder.3.self_attn.k").includes("keys") && words("decoder.3.cross_attn.v").includes("values"));
  assert.ok(words("embed.tokens.weight").includes("unembedding"));
  assert.ok(!synonymsOf({ matrix: { tensor: "embed.tokens.weight" } }, false).includes("unembedding"));
});

const OUTPUT = { id: "decoder.output", title: "Output", kind: "part", parent: "model", box: [330, 0, 60, 300] };

test("places are written as the server reads them", () => {
  const number = { target: "decoder.9.self_attn.weights", index: [2, 7, 0], view: [] };
  assert.equal(writePlace(number), "decoder.9.self_attn.weights:2,7,0");
  assert.deepEqual(readPlace("decoder.9.self_attn.weights:2,7,0"), number);
  const group = { target: "decoder.9/head 2", view: [12.34567, -3, 100.5] };
  assert.equal(writePlace(group), "decoder.9/head 2@12.346,-3,100.5");
  assert.deepEqual(readPlace("decoder.9/head 2@12.346,-3,100.5").view, [12.346, -3, 100.5]);
  assert.equal(readPlace("a:b:c"), null);
});

test("a place of an axis is a token or a number of its kind", () => {
  const weights = layout.find("decoder.0.self_attn.weights", 0, 0, 0);
  assert.equal(placeWords(weights, "row", 1, layout.tokens), "cat (query 1)");
  const neurons = layout.byTensor.get("decoder.0.ffn.activated")[0];
  assert.equal(placeWords(neurons, "column", 812, layout.tokens), "neuron 812");
  assert.deepEqual(["queries", "keys", "vocabulary", null].map(axisName), ["query", "key", "vocabulary", ""]);
});

test("a run goes layer by layer, all tokens at once, and what is not made yet is known", () => {
  const steps = listSteps(layout);
  assert.deepEqual(
    steps.map(({ layer }) => layer),
    [0, 1, 2], // two layers and the answer
  );
  const isThere = (tensor, step) => isMade(layout.byTensor.get(tensor)[0], steps[step], "decoder");
  assert.deepEqual(
    [0, 1, 2].map((step) => isThere("decoder.1.self_attn.weights", step)),
    [false, true, true],
  );
  assert.ok(isThere("embed.out", 0) && isThere("decoder.0.self_attn.weights", 0));
  assert.ok(isMade({ weight: true, tensor: "decoder.blocks.1.query.weight" }, steps[0], "decoder"));
  assert.deepEqual(
    steps.map((step) => isMade({ tensor: "logits" }, step, "decoder")),
    [false, false, true],
  );
  assert.equal(stepWords(steps[1], steps, layout.tokens), "Layer 1 of 0–1: all 3 tokens at once");
  const answer = { token: "sat", label: "down", share: "25%" };
  assert.equal(
    stepWords(steps[2], steps, layout.tokens, answer),
    "Every token predicts. The last one, “sat”: “down”, 25%",
  );
  assert.equal(stepWords(steps[2], steps, layout.tokens), "The answer");
});

test("a translator reads all of its source before its decoder runs", () => {
  const both = { groups: new Map(), tokens: { source: ["a", "b"], target: ["x"] } };
  for (const id of ["encoder.0", "decoder.0"]) both.groups.set(id, { id, kind: "layer" });
  const steps = listSteps(both);
  assert.deepEqual(
    steps.map(({ stack, layer }) => [stack, layer]),
    [
      ["encoder", 0],
      ["encoder", 1],
      ["decoder", 0],
      ["decoder", 1],
    ],
  );
  assert.ok(!isMade({ tensor: "decoder.0.cross_attn.k" }, steps[0], "decoder"));
  const states = { tensor: "encoder.0.resid_out" };
  assert.ok(isMade(states, steps[0], "decoder") && isMade(states, steps[2], "decoder"));
  assert.deepEqual(whenMade("encoder.embed.out", "decoder"), { stack: "encoder", layer: -1 });
  assert.equal(stepWords(steps[0], steps, both.tokens), "Encoder, layer 0 of 0–0: all 2 tokens at once");
  assert.equal(stepWords(steps[2], steps, both.tokens), "Decoder, layer 0 of 0–0: its one token");
});
