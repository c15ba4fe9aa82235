// Which labels have room. The table holds them to the same places as tests/viz/shared/test_labels.py holds Python's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shownPlaces } from "../../assets/components/shared/labels.js";

const cases = JSON.parse(readFileSync(new URL("./label_cases.json", import.meta.url), "utf8"));

for (const { count, space, least, chosen, places, case: name } of cases) {
  test(`labels of ${count} places: ${name}`, () => {
    assert.deepEqual(shownPlaces(count, space, least, chosen), places);
  });
}

test("no two labels are nearer than they need", () => {
  for (const count of [8, 30, 56, 128, 256]) {
    for (const chosen of [0, 1, count >> 1, count - 2, count - 1]) {
      for (const space of [1, 3, 7.5, 12, 40]) {
        const places = shownPlaces(count, space, 12, [chosen]);
        assert.ok(places.includes(chosen));
        for (let i = 1; i < places.length; i++) assert.ok((places[i] - places[i - 1]) * space >= 12);
      }
    }
  }
});
