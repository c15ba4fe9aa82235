// What a hand does in a frame of a notebook, and the theme of the page around it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Picks } from "../../assets/notebook/picks.js";
import { Questions } from "../../assets/notebook/questions.js";

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

test("what a picture asks waits for a kernel, which answers each question by its name", async () => {
  const sent = [];
  const questions = new Questions((message) => sent.push(message));
  const [first, second] = [questions.ask("/a"), questions.ask("/b")];
  assert.deepEqual(sent, []);
  questions.begin();
  await new Promise(setImmediate);
  assert.deepEqual(
    sent.map(({ does, address }) => [does, address]),
    [
      ["asks", "/a"],
      ["asks", "/b"],
    ],
  );
  questions.answer({ question: sent[1].question, status: 404 });
  questions.answer({ question: sent[0].question, status: 200, bytes: new Uint8Array([1, 2]) });
  assert.equal((await second).status, 404);
  assert.deepEqual([...new Uint8Array(await (await first).arrayBuffer())], [1, 2]);
});

test("a question that is taken back fails at once", async () => {
  const questions = new Questions(() => {});
  questions.begin();
  const controller = new AbortController();
  const answer = questions.ask("/a", { signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  await assert.rejects(answer, { name: "AbortError" });
});
