// What a hand does in a frame of a notebook, and the theme of the page around it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Picks } from "../../assets/notebook/picks.js";

const pick = (value, key = "lines") => ({ key, event: "view", value });

function picksThatSend() {
  const sent = [];
  return [new Picks(({ value, number }) => sent.push([value, number])), sent];
}

test("while the kernel is busy, the newest deed of each part waits", () => {
  const [picks, sent] = picksThatSend();
  for (const value of [1, 2, 3]) picks.add(pick(value));
  picks.add(pick(7, "matrix"));
  assert.deepEqual(sent, [[1, 1]]);
  assert.equal(picks.answer(1), true); // old: the hand has gone on
  assert.deepEqual(sent.at(-1), [3, 2]);
  assert.equal(picks.answer(2), true);
  assert.deepEqual(sent.at(-1), [7, 3]);
  assert.equal(picks.answer(3), false);
  picks.add(pick(4));
  assert.deepEqual(sent.at(-1), [4, 4]);
});

test("a change by a program is shown unless an answer is awaited, which has it too", () => {
  const [picks] = picksThatSend();
  assert.equal(picks.answer(undefined), false);
  picks.add(pick(1));
  assert.equal(picks.answer(undefined), true);
  assert.equal(picks.answer(1), false);
});

test("a new kernel is told what the old one has not answered since", () => {
  const [picks, sent] = picksThatSend();
  picks.add(pick(1));
  picks.add(pick(2));
  picks.begin();
  assert.deepEqual(sent, [
    [1, 1],
    [2, 2],
  ]);
});
