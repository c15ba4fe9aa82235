// Texts of a head: the pieces of a line, the weights on its keys, and what it says in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeLine,
  describeLook,
  looksOfLines,
  piecesOf,
  textOfSide,
} from "../../assets/components/attention/head_texts/lines.js";

const BOTH = {
  role: "both",
  count: 60,
  rtl: false,
  special: [],
  parts: [
    { first: 3, texts: ["The", " cat"] },
    { first: 50, texts: [" a", " cat"] },
  ],
};
const LINE = { weight: 0.916, length: null, kind: "stories", query: 51, key: 4, words: ["cat", "cat"], sides: [BOTH] };
const SOURCE = { ...BOTH, role: "keys", count: 2, parts: [{ first: 0, texts: ["I", " am"] }] };
const TARGET = { ...BOTH, role: "queries", count: 2, parts: [{ first: 0, texts: ["<SOS>", " میں"] }], special: [0] };
const CROSS = { weight: 0.5, length: 3.256, kind: "", query: 1, key: 0, words: ["میں", "I"], sides: [SOURCE, TARGET] };

test("a sentence is its tokens, with what is cut between them and at its ends", () => {
  const pieces = piecesOf(BOTH, LINE);
  assert.deepEqual(
    pieces.map((piece) => piece?.place ?? null),
    [null, 3, 4, null, 50, 51, null],
  );
  assert.deepEqual(
    pieces.filter((piece) => piece?.isQuery || piece?.isKey).map(({ place, isQuery }) => [place, isQuery]),
    [
      [4, false],
      [51, true],
    ],
  );
  assert.equal(textOfSide(BOTH, LINE), "… The cat … a cat …");
});

test("in cross-attention each sentence has one of the two, and special tokens are known", () => {
  assert.deepEqual(
    piecesOf(SOURCE, CROSS).map(({ isQuery, isKey }) => [isQuery, isKey]),
    [
      [false, true],
      [false, false],
    ],
  );
  assert.deepEqual(
    piecesOf(TARGET, CROSS).map(({ isQuery, isSpecial }) => [isQuery, isSpecial]),
    [
      [false, true],
      [true, false],
    ],
  );
});

test("each line has the weights on the keys that it shows", () => {
  const looks = looksOfLines([{ lines: [LINE] }, { lines: [CROSS] }], [1, 101, 0, 3, 200, 0]);
  assert.deepEqual(
    [...looks[0][0].entries()],
    [
      [3, 0.0025],
      [4, 0.5025],
      [50, 0],
      [51, 0.0125],
    ],
  );
  assert.deepEqual([...looks[1][0].keys()], [0, 1]);
});

test("a line is told with its weight, its tokens and its text", () => {
  assert.equal(describeLine(LINE), "0.92, stories: “cat” at 51 looks at “cat” at 4. … The cat … a cat …");
  assert.equal(describeLine(CROSS), "length 3.26, weight 0.50: “میں” at 1 looks at “I” at 0. I am → <SOS> میں");
  assert.equal(describeLook(" cat", 0.916), "0.92 of its attention on “cat”");
});
