// What is being typed in the lecture editor: kept until the server has it, and given to a session that begins anew.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldOf, settle, takeTyped, watchTyping } from "../../assets/components/teach/lecture_memory/typed_text.js";

const stored = new Map();
const listeners = {};
globalThis.sessionStorage = {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, text) => stored.set(name, text),
  removeItem: (name) => stored.delete(name),
};
globalThis.document = {
  addEventListener: (name, act) => Object.assign(listeners, { [name]: act }),
  removeEventListener: (name) => delete listeners[name],
};

const NOTES = "stElementContainer st-key-scene-notes-17 e1";
const PLACE = { lecture: "mine", scene: 2 };

const field = (value, className = NOTES) => ({ value, closest: () => ({ className }) });
const type = (text, className) => listeners.input({ target: field(text, className) });

test("a field of a scene is known by the class around it", () => {
  assert.equal(fieldOf(NOTES), "notes");
  assert.equal(fieldOf("st-key-scene-slide_text-3"), "slide_text");
  assert.equal(fieldOf("st-key-scene-list st-key-other-scene-1"), undefined);
});

test("a text is kept while it is typed, and given to a session that begins anew", () => {
  const stop = watchTyping();
  settle(PLACE, null);
  type("Say hel");
  type("Say hello");
  settle(PLACE, null); // a run that something else began
  assert.deepEqual(takeTyped(), { ...PLACE, name: "notes", text: "Say hello" });
  stop();
  assert.deepEqual(Object.keys(listeners), []);
});

test("what the server has is kept no longer", () => {
  watchTyping();
  for (const saves of [{ type: "focusout" }, { type: "keydown", key: "Enter", ctrlKey: true }]) {
    settle(PLACE, null);
    type("Say hello");
    listeners[saves.type]({ ...saves, target: field("Say hello") });
    assert.notEqual(takeTyped(), null, "the process may end before its run");
    type("Say hello");
    listeners[saves.type]({ ...saves, target: field("Say hello") });
    settle(PLACE, null);
    assert.equal(takeTyped(), null);
  }
});

test("a text that is still offered is kept until it is taken or forgotten", () => {
  const offered = { ...PLACE, name: "notes", text: "Say hello" };
  settle(PLACE, offered);
  assert.deepEqual(takeTyped(), offered);
  settle(PLACE, null);
  assert.equal(takeTyped(), null);
});

test("other fields are nobody's concern", () => {
  watchTyping();
  settle(PLACE, null);
  listeners.input({ target: { value: "secret", closest: () => null } });
  listeners.input({ target: globalThis });
  assert.equal(takeTyped(), null);
});
