// Numbers as text, as model/numerals.py writes them: tests/assets/number_cases.json holds both to the same texts. A
// number exactly halfway between two texts gets the one farther from 0, as toFixed and toExponential do for sizes.

const MINUS = "−"; // the typographic one, which lines up in tabular figures
const TIMES_TEN = "\u00a0×\u00a010";
const LARGE_WORDS = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
  [1e3, "thousand"],
];
const SIZE_UNITS = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];
const ROUNDS_TO_ONE = 0.9995; // the least share of a unit that three figures write as 1

// What rounds to 0 has no sign.
const withSign = (x, text) => (x < 0 && /[^0.]/.test(text) ? MINUS : "") + text;

// With so many decimals, and its thousands apart: −0.50, 1,206.5.
export const formatFixed = (x, decimals) => withSign(x, groupThousands(Math.abs(x).toFixed(decimals)));

// By its power of ten: 2.4 × 10⁻⁵. No line breaks in it.
export function formatPower(x, decimals = 1) {
  const [mantissa, power] = Math.abs(x).toExponential(decimals).split("e");
  const raised = String(Number(power)).replace(/./g, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign]));
  return withSign(x, `${mantissa}${TIMES_TEN}${raised}`);
}

// With as many digits as mean something: 56.76, 0.351, 1,206.5, 2.4 × 10⁻⁵, −∞. `decimals` counts those of a number
// below 10; larger ones keep fewer.
export function formatNumber(x, decimals = 3) {
  if (Number.isNaN(x)) return "not a number";
  if (!Number.isFinite(x)) return withSign(x, "∞");
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 0.5 * Number(`1e-${decimals}`)) return formatPower(x);
  if (size >= 100) return formatFixed(x, Math.max(decimals - 2, 0));
  return formatFixed(x, size >= 10 ? Math.max(decimals - 1, 0) : decimals);
}

function groupThousands(text) {
  const [whole, fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

// A whole number with its thousands apart: 1,127.
export const formatCount = (n) => groupThousands(String(n));

// A share 0..1 as a percentage: 31%, 4.2%, 0.4%, under 0.1%, 99.6%, over 99.9%. Only 0 is 0%, and none below 1 is 100%.
// Two figures, and of what is above 99% a third one. A change may be below 0, or above 1.
export function formatPercent(x) {
  if (!Number.isFinite(x)) return formatNumber(x);
  const size = Math.abs(x);
  if (size > 0 && size < 0.001) return x > 0 ? "under 0.1%" : `over ${MINUS}0.1%`;
  if (x > 0.999 && x < 1) return "over 99.9%";
  if (size >= 1e4) return `${formatNumber(100 * x)}%`;
  const hasTenths = (size > 0 && size < 0.0995) || (x > 0.99 && x < 1);
  return `${formatFixed(100 * x, hasTenths ? 1 : 0)}%`;
}

// An angle in degrees: 57.3°, 0.04°, 2.4 × 10⁻⁵°.
export const formatDegrees = (angle) =>
  `${Math.abs(angle) >= 1 || angle === 0 ? formatFixed(angle, 1) : formatNumber(angle, 2)}°`;

// A large count in words: 950, 12.3 thousand, 4.56 million.
export const formatLarge = (count) => inUnits(count, LARGE_WORDS, "");

// Bytes in decimal units: 512 B, 1.5 kB, 24.8 MB.
export const formatFileSize = (size) => inUnits(size, SIZE_UNITS, " B");

// A short time: 4.2 ms, 41 ms, 1,234 ms, below 0.1 ms.
export const formatMilliseconds = (seconds) =>
  seconds < 1e-4 ? "below 0.1 ms" : `${formatNumber(1000 * seconds, 1)} ms`;

// Three figures and the largest unit of which they are at least 1.
function inUnits(count, units, one) {
  const [size, word] = units.find(([unit]) => count >= ROUNDS_TO_ONE * unit) ?? [];
  if (!size) return formatFixed(count, 0) + one;
  const share = count / size;
  const text = formatFixed(share, Math.max(2 - Math.floor(Math.log10(share)), 0));
  return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${word}`;
}

// What a text of `formatNumber` tells, and the unit of its last digit: "56.76" gives [56.76, 0.01].
export function readNumber(text) {
  if (text === "not a number") return [Number.NaN, 0];
  if (text.includes("∞")) return [text.startsWith(MINUS) ? -Infinity : Infinity, 0];
  const [mantissa, raised = "⁰"] = text.replace(MINUS, "-").replaceAll(",", "").split(TIMES_TEN);
  const power = raised.replace(/./g, (sign) => (sign === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)));
  const decimals = mantissa.split(".")[1]?.length ?? 0;
  const unit = text === "0" ? 0 : Number(`1e${Number(power) - decimals}`);
  return [Number(`${mantissa}e${power}`), unit];
}

// The end of a sum: "= 0.702", or "≈ 0.703" where its printed terms give another last digit.
export function writeResult(fromPrinted, value) {
  const text = formatNumber(value);
  return `${equalsSign(fromPrinted, text)} ${text}`;
}

// The value that a reader of `formatNumber` sees.
export const asPrinted = (x, decimals = 3) => readNumber(formatNumber(x, decimals))[0];

// "=" where the printed terms of a sum give its printed `result`, else "≈". `fromPrinted`: what the terms give as they
// are printed. They give the result where it is at most half a unit of its last digit away.
export function equalsSign(fromPrinted, result) {
  const [value, unit] = readNumber(result);
  if (!Number.isFinite(value) || !Number.isFinite(fromPrinted)) return Object.is(fromPrinted, value) ? "=" : "≈";
  return Math.abs(fromPrinted - value) <= (unit / 2) * (1 + 1e-6) + 1e-12 * Math.abs(value) ? "=" : "≈";
}
