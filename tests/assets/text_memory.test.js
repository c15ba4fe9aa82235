// The reader's own texts in the browser's storage.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keep, stored } from "../../assets/components/attention/text_memory/text_memory.js";

function storageWith(room) {
  const entries = new Map();
  return {
    getItem: (name) => entries.get(name) ?? null,
    removeItem: (name) => entries.delete(name),
    setItem: (name, text) => {
      if (text.length > room) throw new Error("QuotaExceededError");
      entries.set(name, text);
    },
  };
}

const TEXTS = { name: "mine.txt", text: "the dog\nthe cat", column: "" };

test("texts are kept, given back, and forgotten", () => {
  const storage = storageWith(1000);
  assert.equal(keep(TEXTS, storage), true);
  assert.deepEqual(stored(storage), TEXTS);
  assert.equal(keep(null, storage), true);
  assert.equal(stored(storage), null);
});

test("a storage without room says so, and one that is switched off keeps nothing", () => {
  assert.equal(keep(TEXTS, storageWith(10)), false);
  assert.equal(keep(TEXTS, undefined), false);
  assert.equal(stored(undefined), null);
});
