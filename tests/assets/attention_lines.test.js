// The lines of a head: whom a query looks at, where words and lines stand, where keys lead.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrangeWords,
  barReach,
  curveBetween,
  middleOf,
  rowSize,
  wordAfter,
} from "../../assets/components/attention/attention_lines/geometry.js";
import { arrangeHeadCells } from "../../assets/components/attention/attention_lines/head_cells.js";
import { ShownEarly, viewAt } from "../../assets/components/attention/attention_lines/shown_early.js";
import { HeadWeights } from "../../assets/components/attention/attention_lines/weights.js";
import { answerWithStack, findStack, layerOf } from "../../assets/components/attention/stack_link.js";

// Two heads, three queries and keys, codes of 100.
const CODES = Object.assign(Uint8Array.of(100, 0, 0, 30, 70, 0, 10, 20, 70, 100, 0, 0, 50, 50, 0, 80, 10, 10), {
  shape: [2, 3, 3],
});
const causal = new HeadWeights(CODES, true);
const ALL = [0, 1, 2];

test("a weight is the middle of its code's step, and a mean is that of the heads", () => {
  assert.equal(causal.of(0, 1, 1), 0.3475);
  assert.equal(causal.of(1, 2, 0), 0.3975);
  assert.equal(causal.mean([0, 1], 1, 0), 0.1975);
  assert.equal(causal.mean([], 1, 0), 0);
});

test("a causal query sees no later key", () => {
  assert.deepEqual(
    ALL.map((key) => causal.isMasked(1, key)),
    [false, false, true],
  );
  assert.equal(new HeadWeights(CODES, false).isMasked(0, 2), false);
});

test("the mean over the queries counts those that may look", () => {
  assert.equal(causal.meanOfQueries(0, ALL, 2), 0.3475);
  assert.ok(Math.abs(causal.meanOfQueries(0, ALL, 1) - 0.2225) < 1e-12);
});

test("the strongest come first, and masked keys never", () => {
  assert.deepEqual(causal.strongestKeys([0], 1, ALL, 3), [
    [0.3475, 1],
    [0.1475, 0],
  ]);
  assert.deepEqual(causal.strongestKeys([0], 1, [0, 2], 3), [[0.1475, 0]]);
  assert.deepEqual(
    causal.strongestQueries([1], 0, ALL, 2).map(([, query]) => query),
    [0, 2],
  );
});

const place = { width: 1000, height: Infinity, longest: 9, labels: { query: 70, key: 80 }, isRtl: false };
const down = arrangeWords({ ...place, isDown: true });
const across = arrangeWords({ ...place, isDown: false });
const flipped = arrangeWords({ ...place, isDown: false, isRtl: true });

test("longer sentences have lower rows", () => {
  assert.deepEqual(
    [9, 17, 33, 65].map((longest) => rowSize(longest).row),
    [31, 26, 20, 16],
  );
});

test("a screen with little height has lower rows, which can still be read", () => {
  const rowAt = (height) => arrangeWords({ ...place, isDown: true, height }).row;
  assert.equal(rowAt(Infinity), 31);
  assert.equal(rowAt(26 + 9 * 25), 25);
  assert.equal(rowAt(50), 18); // the type, and three pixels
});

test("laid down, queries stand left of keys, with room between", () => {
  assert.equal(down.start.query, 40 + 70);
  assert.ok(down.start.key - down.start.query >= 60);
  assert.ok(down.width <= 1000);
  assert.equal(middleOf(down, 0), 22 + 31 / 2);
  assert.equal(middleOf(down, 1) - middleOf(down, 0), 31);
});

test("on a narrow screen the picture stays as wide as the screen", () => {
  assert.equal(arrangeWords({ ...place, isDown: true, width: 300 }).width, 300);
});

test("laid across, right-to-left words begin at the right", () => {
  assert.ok(middleOf(across, 0) < middleOf(across, 1));
  assert.ok(middleOf(flipped, 0) > middleOf(flipped, 1));
});

test("a line begins at its query, ends at its key, and bends half way", () => {
  assert.deepEqual(curveBetween(down, 30, 90), [114, 30, 370, 30, 370, 90, 626, 90]);
  const [x, y] = curveBetween(across, 30, 90);
  assert.deepEqual([x, y], [30, across.start.query + 4]);
});

test("a bar of weight 1 fills its side", () => {
  assert.equal(barReach(down, "query"), 70);
  assert.equal(barReach(down, "key"), down.width - down.start.key - 40);
  assert.equal(barReach(across, "key"), 80);
});

test("arrows lead along a side and over to the other one", () => {
  const next = (layout) => (key) => wordAfter(layout, key, "query", 3, 9);
  const keys = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "x"];
  assert.deepEqual(keys.map(next(down)), [
    ["query", 4],
    ["query", 2],
    ["query", 3],
    ["key", 3],
    ["query", 0],
    ["query", 8],
    undefined,
  ]);
  assert.deepEqual(next(across)("ArrowRight"), ["query", 4]);
  assert.deepEqual(next(flipped)("ArrowRight"), ["query", 2]);
  assert.deepEqual(next(flipped)("ArrowDown"), ["key", 3]);
});

test("the cells of all heads stand in order between the queries and the keys", () => {
  for (const heads of [1, 4, 9, 32]) {
    const { size, places } = arrangeHeadCells({ start: { query: 90, key: 490 } }, heads);
    assert.equal(places.length, heads);
    assert.ok(places[0] > 90 && places[heads - 1] + size < 490);
    for (let head = 1; head < heads; head++) assert.ok(Math.abs(places[head] - places[head - 1] - size) < 1e-9);
  }
});

const STACK = {
  titles: ["layer 0", "layer 1"],
  weights: Object.assign(
    Uint8Array.from({ length: 16 }, (_, i) => i),
    { shape: [2, 2, 2, 2] },
  ),
};

test("a layer of a stack has its own title and weights", () => {
  const { title, weights } = layerOf(STACK, 1);
  assert.deepEqual([title, weights.shape, [...weights]], ["layer 1", [2, 2, 2], [...STACK.weights].slice(8)]);
});

test("a picture finds the stack of its own run, as long as its component stands", () => {
  globalThis.document = new EventTarget();
  const stop = answerWithStack((id) => (id === "run" ? STACK : undefined));
  assert.equal(findStack("run"), STACK);
  assert.equal(findStack("another run"), undefined);
  stop();
  assert.equal(findStack("run"), undefined);
  delete globalThis.document;
});

test("another place keeps the view, with its own head alone", () => {
  const view = { heads: [0, 1], head: 1, query: 5, key: null, least: 0.1 };
  assert.deepEqual(viewAt(view, 1), view);
  assert.deepEqual(viewAt(view, 0), { ...view, heads: [0], head: 0 });
});

test("an answer to an earlier choice is overtaken, and news are not", () => {
  const early = new ShownEarly();
  assert.equal(early.isOvertaken([0, 0]), false);
  for (const layer of [3, 4, 5]) early.add([layer, 0]);
  assert.deepEqual(
    [3, 4, 5].map((layer) => early.isOvertaken([layer, 0])),
    [true, true, false],
  );
  early.add([6, 0]);
  assert.equal(early.isOvertaken([9, 0]), false, "something else has chosen layer 9");
  assert.equal(early.isOvertaken([6, 0]), false);
  for (const layer of [3, 4, 3]) early.add([layer, 0]);
  assert.equal(early.isOvertaken([3, 0]), false, "the server may answer the last choice alone");
});
