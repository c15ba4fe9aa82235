// Help: terms in a text, the card beside its word, the search, the boxes of the tour.
import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, simplify, wordsOf } from "../../assets/components/help/glossary/search.js";
import { coverOf, surround } from "../../assets/components/help/help/boxes.js";
import { termFinder } from "../../assets/components/help/help/finder.js";
import { STOPS } from "../../assets/components/help/help/stops.js";
import { cardPlace } from "../../assets/components/help/help/term_card.js";

const HEAD = { name: "head", forms: ["head", "attention head"], definition: "One attention.", source: "" };
const MASK = { name: "mask", forms: ["mask", "causal mask"], definition: "What is hidden.", source: "Vaswani (2017)" };
const find = termFinder([HEAD, MASK]);
const found = (text) => find(text).map(({ term, start, end }) => [term.name, text.slice(start, end)]);

test("a term is found by its longest form, in the plural, in any case", () => {
  assert.deepEqual(found("An Attention head, two heads and a causal\n mask."), [
    ["head", "Attention head"],
    ["head", "heads"],
    ["mask", "causal\n mask"],
  ]);
});

test("no part of a word is a term, and nothing that the reader wrote", () => {
  assert.deepEqual(found("ahead, heading, head-first, unmask"), []);
  assert.deepEqual(found('“the head of the mask” and "a mask", then mask'), [["mask", "mask"]]);
  assert.deepEqual(found("“an open quotation with a mask"), []);
});

test("a form with signs is taken as it is written", () => {
  const dots = termFinder([{ name: "dots", forms: ["d.k"], definition: "", source: "" }]);
  assert.equal(dots("dxk").length, 0);
  assert.equal(dots("a d.k b").length, 1);
});

test("the card stands below its word, above it at the foot of the window, and inside the window", () => {
  const size = { width: 200, height: 100 };
  const window = { width: 800, height: 600 };
  const box = (left, top) => ({ left, top, bottom: top + 20 });
  assert.deepEqual(cardPlace(box(50, 100), size, window), { left: 50, top: 128 });
  assert.deepEqual(cardPlace(box(50, 550), size, window), { left: 50, top: 442 });
  assert.equal(cardPlace(box(790, 100), size, window).left, 592);
  assert.equal(cardPlace(box(50, 20), size, { width: 800, height: 110 }).top, 8); // no room anywhere
});

test("the search sees neither case nor accents", () => {
  assert.equal(simplify("  Softmáx "), "softmax");
  assert.deepEqual(wordsOf(" Causal  MASK "), ["causal", "mask"]);
  assert.ok(matches(MASK, wordsOf("hidden vaswani")));
  assert.ok(!matches(MASK, wordsOf("hidden heads")));
  assert.ok(matches(HEAD, []));
});

const box = (left, top, right, bottom) => ({ left, top, right, bottom });

test("one frame surrounds all places", () => {
  assert.deepEqual(surround([box(10, 20, 30, 40), box(5, 25, 20, 90)], 6), box(-1, 14, 36, 96));
});

test("boxes that do not meet cover nothing", () => {
  assert.equal(coverOf(box(0, 0, 10, 10), box(5, 5, 20, 8)), 15);
  assert.equal(coverOf(box(0, 0, 10, 10), box(11, 0, 20, 10)), 0);
  assert.equal(coverOf(box(0, 0, 10, 10), box(11, 11, 20, 20)), 0);
});

test("a stop that shows something says what was seen, and why nothing is shown", () => {
  const showing = STOPS.filter(({ show }) => show);
  assert.deepEqual(
    showing.map(({ show }) => show),
    ["type", "choose", "depth"],
  );
  for (const { shown, refused } of showing) assert.ok(shown && refused);
});
