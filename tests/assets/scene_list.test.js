// The list of scenes: what keys and drops mean. And the entries of lectures in the browser's storage.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeElsewhere, entryOf, nameOf } from "../../assets/components/teach/lecture_memory/lecture_memory.js";
import { actionOf, dropPlace, moved } from "../../assets/components/teach/scene_list/scene_list.js";

const key = (name, more = {}) => ({ key: name, altKey: false, ctrlKey: false, metaKey: false, ...more });

test("arrows, Home and End choose a scene, and stop at the ends", () => {
  assert.deepEqual(actionOf(key("ArrowDown"), 1, 4, true), { choose: 2 });
  assert.deepEqual(actionOf(key("ArrowUp"), 1, 4, false), { choose: 0 });
  assert.deepEqual(actionOf(key("End"), 1, 4, false), { choose: 3 });
  assert.equal(actionOf(key("ArrowDown"), 3, 4, true), undefined);
  assert.equal(actionOf(key("Home"), 0, 4, true), undefined);
  assert.equal(actionOf(key("x"), 0, 4, true), undefined);
});

test("Alt moves a scene, where the lecture can be edited", () => {
  assert.deepEqual(actionOf(key("ArrowUp", { altKey: true }), 2, 4, true), { move: [2, 1] });
  assert.deepEqual(actionOf(key("End", { altKey: true }), 0, 4, true), { move: [0, 3] });
  assert.equal(actionOf(key("ArrowUp", { altKey: true }), 2, 4, false), undefined);
  assert.equal(actionOf(key("ArrowUp", { altKey: true }), 0, 4, true), undefined);
  assert.equal(actionOf(key("ArrowDown", { ctrlKey: true }), 0, 4, true), undefined);
});

test("a dragged scene leaves its place before it takes another", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((before) => dropPlace(1, before)),
    [0, 1, 1, 2, 3],
  );
  const list = ["a", "b", "c", "d"];
  assert.deepEqual(moved(list, 1, 3), ["a", "c", "d", "b"]);
  assert.deepEqual(moved(list, 3, 0), ["d", "a", "b", "c"]);
  assert.deepEqual(moved(list, 2, 2), list);
});

test("each lecture has an entry, the first one that of older versions", () => {
  assert.deepEqual(["mine", "mine-2"].map(entryOf), ["glassformer lecture", "glassformer lecture mine-2"]);
  assert.deepEqual(["mine", "mine-2"].map(entryOf).map(nameOf), ["mine", "mine-2"]);
  assert.equal(nameOf("glassformer window"), undefined);
  assert.equal(nameOf(null), undefined);
});

test("another window's change names its lecture", () => {
  const change = (name, newValue) => changeElsewhere({ key: name, newValue });
  assert.deepEqual(change("glassformer lecture", "a"), { lecture: "a", changed: true });
  assert.deepEqual(change("glassformer lecture mine-2", "b"), { others: { "mine-2": "b" }, changed: true });
  assert.deepEqual(change("glassformer lecture mine-2", null), { gone: "mine-2", changed: true });
  assert.equal(change("something else", "c"), undefined);
});
