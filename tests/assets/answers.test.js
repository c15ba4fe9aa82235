// Students' answers and words: through a restart of the app, and as a class sees them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnAnswer } from "../../assets/components/teach/follower/own_answer.js";
import { questionStatus } from "../../assets/components/teach/follower/words.js";
import { messagesAfterRestart } from "../../assets/components/teach/presenter/kept_words.js";
import { wordSize } from "../../assets/components/teach/words_shown.js";

// A window's storage, until the end of the test.
function storeIn(t) {
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  t.after(() => delete globalThis.sessionStorage);
}

test("a student's own word is told again after a restart, and not where the presenter asks once more", (t) => {
  storeIn(t);
  const own = new OwnAnswer("room");
  own.take({ id: 1, name: "w" }, "sad", true);
  assert.equal(own.isMissing({ id: 1, name: "w" }), false, "the same connection");
  own.loseConnection();
  assert.equal(own.isMissing({ id: 1, name: "w" }), true, "the network broke");
  own.loseConnection();
  assert.equal(own.isMissing({ id: 7, name: "w" }), true, "a room that was opened again");
  assert.equal(own.choiceOf({ id: 7 }), "sad");
  assert.equal(own.isMissing({ id: 8, name: "w" }), false, "asked once more");
  assert.equal(own.choiceOf({ id: 8 }), null);
  own.take({ id: 8, name: "w" }, 2, true);
  own.loseConnection();
  assert.equal(own.isMissing({ id: 9, name: "other" }), false);
  assert.equal(own.choiceOf(null), null);
});

test("a word that is written while the room does not answer is told later", (t) => {
  storeIn(t);
  const own = new OwnAnswer("room");
  own.loseConnection();
  own.take({ id: 1, name: "w" }, "sad", false);
  assert.equal(own.isMissing({ id: 7, name: "w" }), true);
});

test("a page that is loaded again knows the own word, but not in another room", (t) => {
  storeIn(t);
  new OwnAnswer("room").take({ id: 1, name: "w" }, "sad", true);
  const again = new OwnAnswer("room");
  assert.equal(again.choiceOf({ id: 1 }), "sad");
  assert.equal(again.isMissing({ id: 1, name: "w" }), true, "its seat is new");
  assert.equal(new OwnAnswer("another").choiceOf({ id: 1 }), null);
  sessionStorage.setItem("glassformer answer", "no json");
  assert.equal(new OwnAnswer("room").choiceOf({ id: 1 }), null);
});

test("words that were looked at are told to a room that was opened again", () => {
  const words = [
    ["sad", 2, false],
    ["rude", 1, true],
  ];
  const kept = words.map((word) => ({ keep: word }));
  const close = { close: "w", anew: true };
  assert.deepEqual(messagesAfterRestart("w", { words, closed: true, revealed: false }), [close, ...kept]);
  assert.deepEqual(messagesAfterRestart("w", { words, closed: true, revealed: true }), [
    close,
    ...kept,
    { reveal: "w" },
  ]);
  assert.deepEqual(messagesAfterRestart("w", { words, closed: false }), [{ keep: ["rude", 0, true] }]);
});

test("a word is larger where more wrote it", () => {
  assert.equal(wordSize(1, 1), 1);
  assert.equal(wordSize(9, 9), 2.2);
  assert.ok(wordSize(3, 9) > 1 && wordSize(3, 9) < 2.2);
});

test("a student is told what became of an own word, and of a vote without a right answer", () => {
  const words = { choices: [], words: true };
  assert.equal(questionStatus(words, null), "Write one word, or a few.");
  assert.equal(questionStatus(words, "sad"), "You wrote “sad”. You can change it.");
  assert.equal(questionStatus({ ...words, closed: true }, null), "The presenter looks at the answers.");
  assert.equal(questionStatus({ ...words, answer: null }, "sad"), "You wrote “sad”.");
  const poll = { choices: ["a", "b"], answer: null };
  assert.equal(questionStatus(poll, 1), "You chose B.");
  assert.equal(questionStatus(poll, null), "The answers are in.");
});
