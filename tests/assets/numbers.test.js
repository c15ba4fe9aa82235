// Numbers as text. The table holds them to the same texts as tests/model/test_numerals.py holds Python's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  asPrinted,
  equalsSign,
  formatCount,
  formatDegrees,
  formatFileSize,
  formatFixed,
  formatLarge,
  formatMilliseconds,
  formatNumber,
  formatPercent,
  formatPower,
  readNumber,
} from "../../assets/components/shared/numbers.js";

const cases = JSON.parse(readFileSync(new URL("./number_cases.json", import.meta.url), "utf8"));
const SPECIAL = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const FORMATS = {
  number: formatNumber,
  percent: formatPercent,
  fixed: formatFixed,
  power: formatPower,
  degrees: formatDegrees,
  large: formatLarge,
  fileSize: formatFileSize,
  milliseconds: formatMilliseconds,
};

for (const { format, value, decimals, text, case: name } of cases) {
  test(`${format} ${value}: ${name}`, () => assert.equal(FORMATS[format](SPECIAL[value] ?? value, decimals), text));
}

test("whole numbers have their thousands apart", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(formatCount), ["0", "999", "1,000", "1,234,567"]);
});

test("a text is read as its value and the unit of its last digit", () => {
  for (const { format, value, decimals, text } of cases.filter(({ format }) => format === "number")) {
    const number = SPECIAL[value] ?? value;
    if (Number.isFinite(number) && number && Math.abs(Math.log10(Math.abs(number))) > 300) continue; // read as ∞ or 0
    const [read, unit] = readNumber(text);
    if (!Number.isFinite(number)) assert.ok(Object.is(read, number));
    else assert.ok(Math.abs(read - number) <= (unit / 2) * (1 + 1e-9), `${format} ${text}: ${read}, ${unit}`);
    assert.equal(asPrinted(number, decimals), read);
  }
  assert.deepEqual(readNumber("−1,206.5"), [-1206.5, 0.1]);
  assert.deepEqual(readNumber("0"), [0, 0]);
});

test("printed terms give their result, or the sum says that they do so nearly", () => {
  assert.equal(equalsSign(0.351 * 2, "0.702"), "=");
  assert.equal(equalsSign(0.351 * 2, "0.703"), "≈");
  assert.equal(equalsSign(-Infinity, "−∞"), "=");
  assert.equal(equalsSign(1, "−∞"), "≈");
  assert.equal(equalsSign(0, "0"), "=");
});
