// The steps of attention: where matrices stand, what a cell lights, which products of a sum are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrangeProduct,
  arrangeRow,
  litBy,
  strongestColumn,
} from "../../assets/components/attention/matrix_steps/geometry.js";
import {
  chooseProducts,
  productAt,
  rootMeanSquare,
  Sums,
  valueAt,
} from "../../assets/components/attention/matrix_steps/sums.js";
import { readNumber } from "../../assets/components/shared/numbers.js";

const matrix = (row, column, rows, columns) => ({ row, column, rows, columns });
const SCORES = {
  a: matrix("query", "feature", 5, 32),
  b: matrix("feature", "key", 32, 5),
  c: matrix("query", "key", 5, 5),
};
const ROOM = { width: 1000, height: Infinity, side: 60, labels: 40, isNarrow: false };

test("a product stands as it is multiplied: b above c, a beside c, the terms between them", () => {
  const { boxes, terms, width, height } = arrangeProduct(SCORES, ROOM);
  assert.equal(boxes.b.x, boxes.c.x);
  assert.equal(boxes.a.y, boxes.c.y);
  assert.equal(boxes.a.height, boxes.c.height);
  assert.ok(boxes.b.y + boxes.b.height < boxes.c.y);
  assert.ok(boxes.a.x + boxes.a.width < boxes.c.x);
  assert.deepEqual([terms.x, terms.width, terms.y], [boxes.a.x, boxes.a.width, boxes.b.y]);
  assert.ok(width <= 1000 && height > boxes.c.y + boxes.c.height);
});

test("a product fits a narrow room, and a low one as far as it can be read", () => {
  const narrow = arrangeProduct(SCORES, { ...ROOM, width: 320, isNarrow: true });
  assert.ok(narrow.width <= 320);
  const low = arrangeProduct(SCORES, { ...ROOM, height: 280 });
  assert.ok(low.height <= 280);
  const lowest = arrangeProduct(SCORES, { ...ROOM, height: 100 });
  assert.deepEqual([lowest.boxes.a.height, lowest.boxes.b.height], [75, 60]); // 15 a word, 60 for features
});

test("what all heads add up to stands below the result", () => {
  const { boxes } = arrangeProduct({ ...SCORES, d: SCORES.c }, ROOM);
  assert.ok(boxes.d.y > boxes.c.y + boxes.c.height);
});

test("other steps stand in a row, on a narrow screen one below the other", () => {
  const words = matrix("query", "key", 5, 5);
  const matrices = { a: words, b: words, c: words };
  const { boxes } = arrangeRow("mask", matrices, ROOM);
  assert.ok(boxes.a.x + boxes.a.width < boxes.b.x && boxes.b.x + boxes.b.width < boxes.c.x);
  const stacked = arrangeRow("mask", matrices, { ...ROOM, width: 350, isNarrow: true });
  assert.ok(stacked.boxes.a.y + stacked.boxes.a.height < stacked.boxes.b.y);
  assert.equal(stacked.boxes.a.x, stacked.boxes.c.x);
});

test("a concatenation has the rest of the row", () => {
  const matrices = { a: matrix("query", "feature", 5, 16), c: matrix("query", "feature", 5, 64) };
  const { boxes } = arrangeRow("concat", matrices, ROOM);
  assert.equal(boxes.c.width, Math.min(430, 1000 - boxes.c.x - 4));
});

test("a cell lights what it is made from", () => {
  const at = (name) => ({ name, row: 1, column: 2 });
  assert.deepEqual(litBy("product", at("c")), { row: 1, column: 2, cell: { row: 1, column: 2 } });
  assert.deepEqual(litBy("product", at("a")), { row: 1, middle: 2 });
  assert.deepEqual(litBy("product", at("b")), { column: 2, middle: 1 });
  assert.deepEqual(litBy("softmax", at("a")), { cell: { row: 1, column: 2 } });
  assert.deepEqual(litBy("concat", at("a"), 32), { cell: { row: 1, column: 34 } });
});

test("the strongest column counts sizes, and the first of equals", () => {
  assert.equal(strongestColumn({ columns: 3, values: [9, 0, 0, 1, -4, 4] }, 1), 1);
});

test("few products are all written, of many the four largest", () => {
  assert.deepEqual(chooseProducts([3, -1, 2]), { written: [0, 1, 2], rest: 0 });
  const { written, rest } = chooseProducts([1, -8, 2, 7, 3, -6, 0.5, 4]);
  assert.deepEqual(written, [1, 3, 5, 7]);
  assert.equal(rest, 6.5);
});

test("products and values are read row by row", () => {
  const a = { columns: 2, values: [1, 2, 3, 4] };
  const b = { columns: 3, values: [5, 6, 7, 8, 9, 10] };
  assert.equal(valueAt(b, 1, 2), 10);
  assert.equal(productAt({ a, b }, 1, 2, 0), 21);
});

test("the root mean square is that of one row", () => {
  const a = { values: Float32Array.of(9, 9, 3, -4), columns: 2 };
  assert.equal(rootMeanSquare(a, 1), Math.sqrt(12.5));
});

// -- every line of a sum gives its result by the digits that are printed ----------------------------------------------

// What a line says as plain text.
const textOf = (line) => line.map((part) => part.textContent ?? part).join("");

// The arithmetic of a text: “0.351 · (−2.000)” as a number.
function evaluate(text) {
  const formula = text
    .replace(/the \d+ smaller products, together /, "")
    .replace(/\u00a0×\u00a010([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, raised) => {
      const power = raised.replace(/./g, (sign) => (sign === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)));
      return `e${power}`;
    })
    .replaceAll(",", "")
    .replaceAll("·", "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-")
    .replace(/-\s*-/g, "+ ");
  assert.match(formula, /^[-+*/().\de ]+$/, text);
  return new Function(`return ${formula};`)();
}

function makeSums(kind, extra = {}) {
  let seed = kind.length;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return (seed / 2147483647 - 0.5) * 8;
  };
  const make = (row, column, rows, columns, fill = random) => ({
    symbol: kind,
    role: "query",
    row,
    column,
    rows,
    columns,
    values: Float32Array.from({ length: rows * columns }, fill),
  });
  const data = { kind, tokens: { query: ["a", "b", "c"], key: ["a", "b", "c"] }, ...extra };
  return { data, make, colours: () => "black" };
}

const bytes = (...values) => new Uint8Array(Float32Array.from(values).buffer);

// Each kind of step: its matrices with the right result, as the network makes it.
const KINDS = {
  product({ make }) {
    const [a, b] = [make("query", "feature", 3, 9), make("feature", "key", 9, 3)];
    const sum = (cell) =>
      [...Array(9).keys()].reduce(
        (total, i) => total + a.values[Math.floor(cell / 3) * 9 + i] * b.values[i * 3 + (cell % 3)],
        0,
      );
    const c = make("query", "key", 3, 3);
    c.values.set(c.values.map((_, cell) => sum(cell)));
    return { a, b, c };
  },
  scale({ make, data }) {
    const a = make("query", "key", 3, 3);
    data.divisor = Math.sqrt(24);
    data.sign = "÷ √24";
    const c = { ...a, values: a.values.map((score) => score / data.divisor) };
    return { a, c };
  },
  bias({ make }) {
    const [a, b] = [make("query", "key", 3, 3), make("query", "key", 3, 3)];
    return { a, b, c: { ...a, values: a.values.map((score, i) => score + b.values[i]) } };
  },
  softmax({ make }) {
    const a = make("query", "key", 3, 3);
    const values = a.values.map((score, i) => {
      const row = a.values.subarray(i - (i % 3), i - (i % 3) + 3);
      return Math.exp(score) / row.reduce((sum, x) => sum + Math.exp(x), 0);
    });
    return { a, c: { ...a, values } };
  },
  norm({ make, data }) {
    const a = make("query", "feature", 3, 3);
    data.gain = bytes(0.5, 1.25, 2);
    const gains = [0.5, 1.25, 2];
    const values = a.values.map((x, i) => (x / rootMeanSquare(a, Math.floor(i / 3))) * gains[i % 3]);
    return { a, c: { ...a, values } };
  },
  rotate({ make, data }) {
    const a = make("query", "feature", 3, 2);
    const angles = [0, 1, 2].map((t) => 0.7 * t);
    Object.assign(data, { speeds: [0.7], cos: bytes(...angles.map(Math.cos)), sin: bytes(...angles.map(Math.sin)) });
    const values = a.values.map((x, i) => {
      const [angle, first] = [angles[Math.floor(i / 2)], i - (i % 2)];
      const other = a.values[i % 2 ? first : first + 1];
      return i % 2 ? other * Math.sin(angle) + x * Math.cos(angle) : x * Math.cos(angle) - other * Math.sin(angle);
    });
    return { a, c: { ...a, values } };
  },
};

for (const [kind, fill] of Object.entries(KINDS)) {
  test(`the printed digits of a ${kind} give its printed result, or the line says nearly`, () => {
    globalThis.document = {
      createElement: () => ({ style: {}, setAttribute() {}, append() {}, replaceChildren() {} }),
    };
    const picture = makeSums(kind);
    const matrices = fill(picture);
    const sums = new Sums({ ...picture, matrices });
    const signs = new Set();
    for (let row = 0; row < matrices.c.rows; row++) {
      for (let column = 0; column < matrices.c.columns; column++) {
        const line = textOf(sums.linesOf(row, column)[0]).replace(/: the distance.*/, "");
        const text = kind === "bias" ? `cell = ${line}` : line; // the other lines begin with the name of their cell
        const steps = text.split(/ ([=≈]) /).slice(1); // behind the name of the cell
        const result = steps.at(-1);
        const terms = steps.at(-3);
        const [value, unit] = readNumber(result);
        const isGiven = Math.abs(evaluate(terms) - value) <= unit / 2 + 1e-9;
        assert.equal(steps.at(-2), isGiven ? "=" : "≈", text);
        signs.add(steps.at(-2));
      }
    }
    assert.ok(signs.has("="), "no line of all gives its result");
  });
}
