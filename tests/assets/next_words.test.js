// The outcomes beside the heads, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRow } from "../../assets/components/attention/next_words/next_words.js";

test("an outcome is told with its share, and in an edited run with the whole model's", () => {
  assert.equal(describeRow({ label: "·dog", share: 0.65, whole: null }), "dog 65%");
  assert.equal(describeRow({ label: "·dog", share: 0.65, whole: 0.89 }), "dog 65%, with all heads 89%");
});
