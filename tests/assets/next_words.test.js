// The outcomes beside the heads, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRow } from "../../assets/components/attention/next_words/next_words.js";
import { formatNumber } from "../../assets/components/shared/numbers.js";

test("an outcome is told with its share, and in an edited run with the whole model's", () => {
  assert.equal(describeRow({ label: "·dog", share: 0.65, whole: null }), "dog 65%");
  assert.equal(describeRow({ label: "·dog", share: 0.65, whole: 0.89 }), "dog 65%, with all heads 89%");
  assert.equal(
    describeRow({ label: "stars", share: -0.25, whole: 3.5 }, formatNumber),
    "stars −0.250, with all heads 3.500",
  );
});
