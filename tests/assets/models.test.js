// Whole models: the race of two generations, a translation's words, the patches of a picture, the pen, the map of Home.
import assert from "node:assert/strict";
import { test } from "node:test";
import { INK_SIDE, movePen } from "../../assets/components/models/digit_pad/pen.js";
import { describeProgress, stepsDone, totalTime } from "../../assets/components/models/kv_race/progress.js";
import { arrangeHeads, headAt, placeName, tileBox } from "../../assets/components/models/patch_attention/geometry.js";
import { attentionOf, softmax, tokenOf } from "../../assets/components/models/patch_attention/weights.js";
import { isContinued } from "../../assets/components/models/predict_player/predict_player.js";
import {
  strongestKeys,
  weightAt,
  weightBetween,
  wordOfStep,
} from "../../assets/components/models/translation/attention.js";
import { describeToken, isMostlyRtl } from "../../assets/components/shared/tokens.js";

const STEPS = [
  { computed: 4, reused: 0, multiplications: 2e6, seconds: 0.03, bytes: 2048 },
  { computed: 1, reused: 4, multiplications: 5e5, seconds: 0.01, bytes: 4096 },
];

test("a step is done when its time is over", () => {
  assert.deepEqual(
    [0, 0.02, 0.03, 0.0399, 0.04, Infinity].map((time) => stepsDone(STEPS, time)),
    [0, 0, 1, 1, 2, 2],
  );
  assert.equal(totalTime(STEPS), 0.04);
  assert.equal(totalTime([{ multiplications: 2e9 }]), 0.02); // not measured
});

test("the progress adds up what is done", () => {
  assert.equal(
    describeProgress(STEPS, 2),
    "2 of 2 tokens: 5 token passes computed, 4 reused, 2.5 million multiplications, 4.1 kB kept, 40 ms",
  );
  const unmeasured = [{ computed: 3, reused: 0, multiplications: 900 }];
  assert.equal(
    describeProgress(unmeasured, 0),
    "0 of 1 tokens: 0 token passes computed, 0 reused, 0 multiplications, nothing kept",
  );
});

// One layer, two heads and their mean, two queries, three keys; and the same as the mean of all layers.
const MAPS = [10, 80, 10, 0, 50, 50, 30, 0, 70, 20, 30, 50, 20, 40, 40, 10, 40, 50];
const CROSS = Object.assign(Uint8Array.from([...MAPS, ...MAPS]), { shape: [2, 3, 2, 3] });

const close = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-12, `${found} is not ${wanted}`);

test("a weight is that of the chosen head, or the mean of all", () => {
  close(weightAt(CROSS, { layer: 0, head: 1 }, 0, 2), 0.3475); // the middle of the step of code 70
  close(weightAt(CROSS, { layer: -1, head: -1 }, 0, 0), 0.0975);
  close(weightAt(CROSS, { layer: 5, head: 0 }, 1, 1), 0.2475); // a layer that is not there: the mean
});

test("over the tokens of a word, keys add up and queries that are written are averaged", () => {
  const weightOf = (query, key) => weightAt(CROSS, { layer: 0, head: 0 }, query, key);
  const word = { first: 0, last: 1 };
  close(weightBetween(weightOf, word, { first: 1, last: 2 }, 1), 0.445);
  close(weightBetween(weightOf, word, { first: 1, last: 2 }, 2), 0.47);
  close(weightBetween(weightOf, word, { first: 1, last: 2 }, 0), 0); // nothing is written yet
});

test("the word of a step is the one that its token belongs to", () => {
  const words = [
    { first: 0, last: 1 },
    { first: 2, last: 2 },
  ];
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => wordOfStep(words, step)),
    [-1, 0, 0, 1],
  );
});

test("the keys that are looked at most come first", () => {
  assert.deepEqual(
    strongestKeys((_, key) => [0.1, 0.7, 0.2][key], 0, 3, 2),
    [
      [0.7, 1],
      [0.2, 2],
    ],
  );
});

test("a softmax adds up to 1, also of large scores", () => {
  const row = Float32Array.of(1000, 1001, 999);
  softmax(row, 0.5);
  assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight) - 1) < 1e-6);
  assert.ok(Math.abs(row[1] / row[0] - Math.exp(0.5)) < 1e-5);
});

test("the attention of a patch is the softmax of its query with all keys, its largest told apart", () => {
  // One head, two features, the class token and two patches.
  const shape = [1, 1, 2, 3];
  const data = {
    queries: Object.assign(Int8Array.of(0, 2, 0, 0, 0, 4), { shape }),
    keys: Object.assign(Int8Array.of(1, 0, 3, 0, 1, 0), { shape }),
    steps: [1],
    special: 1,
    best: Uint8Array.of(0, 1, 0),
    top: Uint8Array.of(0, Math.round(255 * 0.9 ** 0.25), 0),
  };
  const weights = attentionOf(data, 0); // scores 2, 0, 6
  const largest = (data.top[1] / 255) ** 4;
  assert.ok(Math.abs(weights[0] - Math.exp(-4) / (1 + Math.exp(-4) + Math.exp(-6))) < 1e-6);
  assert.equal(weights[2], Math.fround(largest)); // the told one, not the softmax
  assert.ok(weights[1] <= largest);
});

test("learnt tokens stand before the patches, and the second one is the distillation token", () => {
  assert.deepEqual(
    [-1, -2, 0, 5].map((patch) => tokenOf(patch, 2)),
    [0, 1, 2, 7],
  );
  const shape = [1, 1, 1, 4]; // two learnt tokens and two patches
  const data = {
    queries: Object.assign(Int8Array.of(0, 2, 0, 0), { shape }),
    keys: Object.assign(Int8Array.of(1, 0, 0, 2), { shape }),
    steps: [1],
    special: 2,
    best: Uint8Array.of(0, 1, 0, 0),
    top: Uint8Array.of(0, 255, 0, 0),
  };
  const weights = attentionOf(data, -2); // scores 2, 0, 0, 4
  const sum = Math.exp(2) + 2 + Math.exp(4);
  assert.ok(Math.abs(weights[0] - Math.exp(2) / sum) < 1e-6);
  assert.equal(weights[3], 1); // the second patch is told
});

test("heads are laid the way in which they are larger, and found under a point", () => {
  for (const [layers, heads] of [
    [12, 6],
    [3, 12],
  ]) {
    const grid = arrangeHeads(layers, heads, 500);
    for (const [layer, head] of [
      [0, 0],
      [layers - 1, heads - 1],
      [1, 2],
    ]) {
      const [x, y, side] = tileBox(grid, layer, head);
      assert.deepEqual(headAt(grid, x + side / 2, y + side / 2), { layer, head });
    }
    assert.equal(headAt(grid, 3, 50), null);
  }
});

test("patches are named from 1", () => {
  assert.equal(placeName(15, 14), "r2 c2");
});

test("the pen stays on the pad", () => {
  assert.deepEqual(movePen({ x: 28, y: 28 }, [1, 0]), { x: 30, y: 28 });
  assert.deepEqual(movePen({ x: 4, y: INK_SIDE - 4 }, [-1, 1]), { x: 3, y: INK_SIDE - 3 });
});

test("a token is described by its id and bytes", () => {
  const token = { label: "·fox", id: 12, bytes: "20 66", special: false };
  assert.equal(describeToken(token, 3), "Token 3: fox, id 12, bytes 20 66");
  assert.equal(
    describeToken({ label: "<EOS>", id: 1, bytes: "", special: true, meaning: "the end of a text" }, 9),
    "Token 9: <EOS>, id 1, bytes none, special token: the end of a text",
  );
  assert.equal(
    describeToken({ label: "[CLS]", id: 0, bytes: "", special: true }, 0),
    "Token 0: [CLS], id 0, bytes none, special token",
  );
  assert.deepEqual([[], [{ rtl: true }, {}], [{ rtl: true }]].map(isMostlyRtl), [false, false, true]);
});

test("only a text that begins as the one before is the same one, with more behind it", () => {
  const text = (...written) => ({ prompt: [{ text: "Tom" }], written: written.map((word) => ({ text: word })) });
  assert.equal(isContinued(text("went"), text("went", "to")), true);
  assert.equal(isContinued(text(), text("went")), true);
  assert.equal(isContinued(text("went"), text("went")), false);
  assert.equal(isContinued(text("sleeps"), text("went", "to")), false);
});
