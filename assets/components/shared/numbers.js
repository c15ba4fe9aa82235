// Numbers as text, as viz/shared/style.py writes them: tests/assets/number_cases.json holds both to the same texts.

const MINUS = "−"; // the typographic one, which lines up in tabular figures
const TIMES_TEN = "\u00a0×\u00a010";
const SPARE = 30; // digits behind those that are kept: enough to tell whether a number lies exactly halfway

// JavaScript rounds a number that lies halfway to the larger one, Python to the even one. `exact` has SPARE digits more
// than are kept. Returns the digits that are kept if the number lies halfway and they are even, else null.
function evenHalfway(exact) {
  const kept = exact.slice(0, -SPARE).replace(/\.$/, "");
  return /^50*$/.test(exact.slice(-SPARE)) && /[02468]$/.test(kept) ? kept : null;
}

const withSign = (x, text) => (x < 0 ? MINUS : "") + text;

// With so many decimals: −0.50.
export function formatFixed(x, decimals) {
  const size = Math.abs(x);
  return withSign(x, evenHalfway(size.toFixed(decimals + SPARE)) ?? size.toFixed(decimals));
}

// By its power of ten: 2.4 × 10⁻⁵. No line breaks in it.
export function formatPower(x, decimals = 1) {
  const size = Math.abs(x);
  const [exact, exponent] = size.toExponential(decimals + SPARE).split("e");
  const even = evenHalfway(exact);
  const [mantissa, power] = even === null ? size.toExponential(decimals).split("e") : [even, exponent];
  const raised = String(Number(power)).replace(/./g, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign]));
  return withSign(x, `${mantissa}${TIMES_TEN}${raised}`);
}

// With so many decimals, a tiny one by its power of ten.
export function formatShort(x, decimals = 2, powerDecimals = 1) {
  const isTiny = x !== 0 && Math.abs(x) < Number(`1e-${decimals}`);
  return isTiny ? formatPower(x, powerDecimals) : formatFixed(x, decimals);
}

// With as many digits as mean something: 56.8, 0.351, 1,206.5, 2.4 × 10⁻⁵, −∞. `decimals` counts those of a number
// below 10; larger ones keep fewer.
export function formatNumber(x, decimals = 3) {
  if (Number.isNaN(x)) return "not a number";
  if (!Number.isFinite(x)) return withSign(x, "∞");
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 0.5 * Number(`1e-${decimals}`)) return formatPower(x);
  if (size >= 100) return groupThousands(formatFixed(x, Math.max(decimals - 2, 0)));
  return formatFixed(x, size >= 10 ? Math.max(decimals - 1, 0) : decimals);
}

function groupThousands(text) {
  const [whole, fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

// A whole number with its thousands apart: 1,127.
export const formatCount = (n) => groupThousands(String(n));

// A share 0..1 in words' form: 31%, 0.4%, under 0.1%, 99.6%, over 99.9%. Only 0 is 0%, and only 1 is 100%.
export function formatPercent(x) {
  if (x > 0 && x < 0.001) return "under 0.1%";
  if (x > 0.999 && x < 1) return "over 99.9%";
  return `${formatFixed(100 * x, (x > 0 && x < 0.01) || (x > 0.99 && x < 1) ? 1 : 0)}%`;
}

// A probability 0..1 with the digits that tell it from others in a list: 31.2%, 4.15%, 2.4 × 10⁻⁵.
export function formatProbability(p) {
  if (p >= 0.9995) return "100%";
  if (p >= 0.001) return `${formatFixed(100 * p, p >= 0.1 ? 1 : 2)}%`;
  return p > 0 ? formatPower(p) : "0";
}
