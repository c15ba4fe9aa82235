// The keys and places of a saved lecture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf, placeAfter, placeInAddress } from "../../assets/saved_page/scene_keys.js";

const within =
  (...kinds) =>
  (selector) =>
    kinds.some((kind) => selector.split(", ").includes(kind));
const press = (key, kinds = [], more = {}) => actionOf({ key, ...more }, within(...kinds));

test("a clicker and the arrows step, letters switch", () => {
  const keys = ["PageDown", "ArrowRight", " ", "PageUp", "Home", "End", "N", "q", "x"];
  assert.deepEqual(
    keys.map((key) => press(key)),
    ["next", "next", "next", "back", "first", "last", "notes", "question", undefined],
  );
  assert.equal(press("ArrowRight", [], { ctrlKey: true }), undefined);
});

test("fields and controls keep their keys, but never those of the clicker", () => {
  assert.equal(press("ArrowRight", ["[role=slider]"]), undefined);
  assert.equal(press(" ", ["button"]), undefined);
  assert.equal(press("n", ["button"]), "notes");
  assert.equal(press("n", ["input"]), undefined);
  assert.equal(press("PageDown", ["input"]), "next");
});

test("places stay within the scenes", () => {
  assert.deepEqual(
    [placeAfter("next", 2, 3), placeAfter("back", 0, 3), placeAfter("last", 0, 3), placeAfter("next", 0, 3)],
    [2, 0, 2, 1],
  );
  assert.deepEqual(
    ["#2", "", "#9", "#x", "#0"].map((hash) => placeInAddress(hash, 3)),
    [1, 0, 0, 0, 0],
  );
});
