// Numbers as text. The table holds them to the same texts as tests/viz/shared/test_style.py holds Python's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  formatCount,
  formatFixed,
  formatNumber,
  formatPercent,
  formatPower,
  formatProbability,
  formatShort,
} from "../../assets/components/shared/numbers.js";

const cases = JSON.parse(readFileSync(new URL("./number_cases.json", import.meta.url), "utf8"));
const SPECIAL = { nan: NaN, inf: Infinity, "-inf": -Infinity };

for (const { format, value, decimals, text, case: name } of cases) {
  test(`${format} ${value}: ${name}`, () => {
    const number = SPECIAL[value] ?? value;
    assert.equal(format === "number" ? formatNumber(number, decimals) : formatPercent(number), text);
  });
}

test("so many decimals, and a tie goes to the even digit", () => {
  assert.equal(formatFixed(0.625, 2), "0.62");
  assert.equal(formatFixed(-0.375, 2), "−0.38");
  assert.equal(formatFixed(1.005, 2), "1.00"); // less than it looks
  assert.equal(formatFixed(12, 0), "12");
});

test("a number by its power of ten", () => {
  assert.equal(formatPower(2.4e-5), "2.4 × 10⁻⁵");
  assert.equal(formatPower(-0.00125, 1), "−1.3 × 10⁻³"); // more than it looks
  assert.equal(formatPower(12500000, 1), "1.2 × 10⁷");
  assert.equal(formatPower(9.96e-8, 1), "1.0 × 10⁻⁷");
});

test("a short number has decimals until it is tiny", () => {
  assert.equal(formatShort(0), "0.00");
  assert.equal(formatShort(0.01), "0.01");
  assert.equal(formatShort(0.0099), "9.9 × 10⁻³");
  assert.equal(formatShort(-7, 0), "−7");
  assert.equal(formatShort(0.00001234, 4, 2), "1.23 × 10⁻⁵");
});

test("whole numbers have their thousands apart", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(formatCount), ["0", "999", "1,000", "1,234,567"]);
});

test("a probability keeps the digits that tell it from others", () => {
  const texts = [1, 0.9996, 0.312, 0.0415, 0.001, 0.0009, 0].map(formatProbability);
  assert.deepEqual(texts, ["100%", "100%", "31.2%", "4.15%", "0.10%", "9.0 × 10⁻⁴", "0"]);
});
