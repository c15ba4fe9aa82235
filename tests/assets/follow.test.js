// What a window remembers of a lecture that it follows.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explores,
  keepKey,
  keptKey,
  setExploring,
  setWholeApp,
  stopFollowing,
  takesWholeApp,
} from "../../assets/components/teach/follower/window_memory.js";

function storage(t) {
  const kept = {};
  globalThis.sessionStorage = {
    getItem: (name) => kept[name] ?? null,
    setItem: (name, value) => {
      kept[name] = String(value);
    },
    removeItem: (name) => delete kept[name],
  };
  t.after(() => delete globalThis.sessionStorage);
  return kept;
}

test("the key of a room stays beside what else the window remembers", (t) => {
  const kept = storage(t);
  assert.equal(keptKey(), null);
  kept["glassformer window"] = '{"room": "token"}';
  keepKey("name.key");
  assert.equal(keptKey(), "name.key");
  assert.deepEqual(JSON.parse(kept["glassformer window"]), { room: "token", follow: "name.key" });
  kept["glassformer window"] = "no json";
  assert.equal(keptKey(), null);
});

test("a window explores, or follows with the whole app, one room alone, until it leaves", (t) => {
  storage(t);
  keepKey("a");
  setExploring("a");
  setWholeApp("a");
  assert.deepEqual([explores("a"), explores("b"), takesWholeApp("a"), takesWholeApp("b")], [true, false, true, false]);
  stopFollowing();
  assert.deepEqual([explores("a"), takesWholeApp("a"), keptKey()], [false, false, null]);
});

test("a browser without a storage follows all the same", () => {
  assert.equal(keptKey(), null);
  keepKey("a");
  stopFollowing();
  assert.equal(explores("a"), false);
});
