// The sum behind a cell in words, one function for each kind of step. A line is a list of texts and elements.
import { createElement } from "../../shared/dom.js";
import { hasArabicScript } from "../../shared/fonts.js";
import { asPrinted, equalsSign, formatNumber } from "../../shared/numbers.js";
import { float32Values } from "../../shared/payload.js";
import { plainLabel } from "../../shared/tokens.js";

const MOST_PRODUCTS = 6; // that are all written
const LARGEST_PRODUCTS = 4; // that are written of more
const LARGE_SCORE = 50; // its power is too long to read

// The number of a matrix at a cell.
export const valueAt = ({ values, columns }, row, column) => values[row * columns + column];

// One of the products whose sum is a cell of a product of matrices.
export const productAt = ({ a, b }, row, column, i) => valueAt(a, row, i) * valueAt(b, i, column);

// The root mean square of a row of a matrix.
export function rootMeanSquare({ values, columns }, row) {
  const squares = Array.from(values.subarray(row * columns, (row + 1) * columns), (value) => value * value);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / columns);
}

// Which products of a sum are written, by their index, and the sum of all others.
export function chooseProducts(products) {
  const all = [...products.keys()];
  if (products.length <= MOST_PRODUCTS) return { written: all, rest: 0 };
  const largestFirst = all.sort((i, j) => Math.abs(products[j]) - Math.abs(products[i]));
  const rest = largestFirst.slice(LARGEST_PRODUCTS).reduce((sum, i) => sum + products[i], 0);
  return { written: largestFirst.slice(0, LARGEST_PRODUCTS), rest };
}

// `data`, `matrices` and `colours` are those of the picture.
export class Sums {
  constructor({ data, matrices, colours }) {
    Object.assign(this, { data, matrices, colours });
  }

  // The lines that tell a cell of the result. `data.kind` names the step.
  linesOf(row, column) {
    return this[this.data.kind](row, column);
  }

  // The line that tells a cell of an operand.
  operandLine(name, row, column) {
    const matrix = this.matrices[name];
    return [this.text(this.place(matrix, row, column)), " = ", this.number(valueAt(matrix, row, column))];
  }

  text(text, role) {
    const className = hasArabicScript(text) ? "rtl" : "mono";
    const style = role ? { color: this.colours(role) } : {};
    return createElement("bdi", { className, dir: "ltr", textContent: text, style });
  }

  number(value, role) {
    return this.text(formatNumber(value), role);
  }

  // The end of a line: the sign and the result. The printed terms of the line give `fromPrinted`.
  ending(fromPrinted, value) {
    const textContent = formatNumber(value);
    return [` ${equalsSign(fromPrinted, textContent)} `, createElement("strong", { className: "mono", textContent })];
  }

  // The name of a place on an axis. Arabic script is kept apart from the direction of its neighbours.
  word(axis, i) {
    const text = axis === "feature" ? `feature ${i}` : plainLabel(this.data.tokens[axis][i]);
    return hasArabicScript(text) ? `\u2068${text}\u2069` : text;
  }

  place(matrix, row, column) {
    return `${matrix.symbol}[${this.word(matrix.row, row)}, ${this.word(matrix.column, column)}]`;
  }

  product(row, column) {
    const { a, b, c, d } = this.matrices;
    const products = Array.from({ length: a.columns }, (_, i) => productAt(this.matrices, row, column, i));
    const { written, rest } = chooseProducts(products);
    const line = [this.text(this.place(c, row, column), c.role), " = "];
    let printed = 0;
    const add = (words, value) => {
      printed += asPrinted(value);
      line.push(words, this.number(value));
    };
    written.forEach((i, n) => {
      const factors = [valueAt(a, row, i), valueAt(b, i, column)];
      printed += asPrinted(factors[0]) * asPrinted(factors[1]);
      line.push(n ? " + " : "", this.number(factors[0], a.role), " · ", this.number(factors[1], b.role));
    });
    const others = products.length - written.length;
    if (others) add(` + the ${others} smaller products, together `, rest);
    if (this.data.beyond) {
      const beyond = float32Values(this.data.beyond)[row * c.columns + column];
      add(` + the ${this.data.keys_beyond} keys that are not shown, together `, beyond);
    }
    if (this.data.bias) add(" + bias ", float32Values(this.data.bias)[column]);
    line.push(...this.ending(printed, valueAt(c, row, column)));
    return d ? [line, this.totalLine(row, column)] : [line];
  }

  // The result of this head added to those of all others.
  totalLine(row, column) {
    const { c, d } = this.matrices;
    const total = valueAt(d, row, column);
    const own = valueAt(c, row, column);
    const place = this.text(this.place(d, row, column), "residual_text");
    const others = [` + ${this.data.others} `, this.number(total - own)];
    const ending = this.ending(asPrinted(own) + asPrinted(total - own), total);
    return [place, " = this head ", this.number(own, c.role), ...others, ...ending];
  }

  scale(row, column) {
    const { a, c } = this.matrices;
    const score = valueAt(a, row, column);
    const quotient = ` ${this.data.sign} = ${formatNumber(score)} ÷ ${formatNumber(this.data.divisor)}`;
    const place = this.text(this.place(c, row, column));
    const ending = this.ending(asPrinted(score) / asPrinted(this.data.divisor), valueAt(c, row, column));
    return [[place, " = ", this.number(score), quotient, ...ending]];
  }

  cap(row, column) {
    const { a, c } = this.matrices;
    const [score, cap] = [valueAt(a, row, column), this.data.cap];
    const printed = asPrinted(cap) * Math.tanh(asPrinted(score) / asPrinted(cap));
    const bound = this.number(cap);
    const ending = this.ending(printed, valueAt(c, row, column));
    return [[bound, " · tanh(", this.number(score), ` ÷ ${formatNumber(cap)})`, ...ending]];
  }

  mask(row, column) {
    const { a, b, c } = this.matrices;
    const added = valueAt(b, row, column);
    const isHidden = added === -Infinity;
    const term = this.text(isHidden ? "(−∞)" : formatNumber(added), "masked_text");
    const score = valueAt(a, row, column);
    const ending = this.ending(asPrinted(score) + asPrinted(added), valueAt(c, row, column));
    const sum = [this.number(score), " + ", term, ...ending];
    const says = `: ${this.word("query", row)} may ${isHidden ? "not " : ""}look at ${this.word("key", column)}`;
    return [[...sum, says]];
  }

  bias(row, column) {
    const { a, b, c } = this.matrices;
    const [score, bias] = [valueAt(a, row, column), valueAt(b, row, column)];
    const terms = [this.number(score), " + ", this.number(bias)];
    const ending = this.ending(asPrinted(score) + asPrinted(bias), valueAt(c, row, column));
    const pair = `${this.word("query", row)} to ${this.word("key", column)}`;
    const says = `: the distance from ${pair} is ${this.distance(row, column)}`;
    return [[...terms, ...ending, says]];
  }

  softmax(row, column) {
    const { a, c } = this.matrices;
    const scores = Array.from(a.values.subarray(row * a.columns, (row + 1) * a.columns));
    const whole = this.data.largest && { largest: this.data.largest, total: this.data.total }; // of rows shown in part
    const largest = whole ? float32Values(whole.largest)[row] : Math.max(...scores);
    if (largest === -Infinity) {
      const reason = "there is no softmax of nothing, so its weights are set to 0.";
      return [[`Every key is hidden from ${this.word("query", row)}: ${reason}`]];
    }
    const shift = largest > LARGE_SCORE ? largest : 0;
    const power = (x) => Math.exp(x - shift);
    const own = valueAt(a, row, column);
    const total = whole
      ? float32Values(whole.total)[row] * power(largest)
      : scores.reduce((sum, x) => sum + power(x), 0);
    const exponent = `exp(${formatNumber(own)}${shift ? ` − ${formatNumber(shift)}` : ""})`;
    const name = this.text(`weight of ${this.word("key", column)} for ${this.word("query", row)}`);
    const sign = equalsSign(Math.exp(asPrinted(own) - asPrinted(shift)), formatNumber(power(own)));
    const ending = this.ending(asPrinted(power(own)) / asPrinted(total), valueAt(c, row, column));
    const quotient = [this.number(power(own)), " ÷ ", this.number(total), ...ending];
    const line = [name, " = ", this.text(exponent), ` ÷ the row's sum ${sign} `, ...quotient];
    const note =
      "The row's largest score is subtracted from all of its scores first: " +
      "the quotient stays the same, and the powers stay small.";
    return shift ? [line, [this.note(note)]] : [line];
  }

  norm(row, column) {
    const { a, c } = this.matrices;
    const gain = float32Values(this.data.gain)[column];
    const own = valueAt(a, row, column);
    const result = valueAt(c, row, column);
    const root = rootMeanSquare(a, row);
    const quotient = [this.number(own), " ÷ ", this.number(root), " · ", this.number(gain)];
    const place = this.text(this.place(c, row, column), c.role);
    const ending = this.ending((asPrinted(own) / asPrinted(root)) * asPrinted(gain), result);
    const line = [place, " = ", ...quotient, ...ending];
    return [line, [this.note("The root mean square of the row, and the learned gain of the feature.")]];
  }

  rotate(row, column) {
    const { a, c } = this.matrices;
    const pair = Math.floor(column / 2);
    const place = (row * a.columns) / 2 + pair;
    const [cos, sin] = [float32Values(this.data.cos)[place], float32Values(this.data.sin)[place]];
    const [first, second] = [valueAt(a, row, 2 * pair), valueAt(a, row, 2 * pair + 1)];
    const isEven = column % 2 === 0;
    const factors = isEven ? [cos, -sin] : [sin, cos];
    const printed = asPrinted(first) * asPrinted(factors[0]) + asPrinted(second) * asPrinted(factors[1]);
    const line = [
      this.text(this.place(c, row, column), c.role),
      " = ",
      this.number(first),
      " · ",
      this.number(isEven ? cos : sin),
      isEven ? " − " : " + ",
      this.number(second),
      " · ",
      this.number(isEven ? sin : cos),
      ...this.ending(printed, valueAt(c, row, column)),
    ];
    const position = row + this.first(a.row);
    const angle = `${formatNumber(this.data.speeds[pair] * position)} radians at position ${position}`;
    const gain = Math.hypot(cos, sin); // 1, but for YaRN
    const longer = Math.abs(gain - 1) > 1e-4 ? `, both times ${formatNumber(gain)}` : "";
    const numbers = `cos ${formatNumber(cos / gain)}, sin ${formatNumber(sin / gain)}${longer}`;
    return [line, [this.note(`Pair ${pair} of the features turns by ${angle}: ${numbers}.`)]];
  }

  concat(row, column) {
    const { a, c } = this.matrices;
    const head = Math.floor(column / a.columns);
    const which = head === this.data.head ? ", the head on this page" : "";
    const place = this.text(this.place(c, row, column));
    const feature = `: feature ${column % a.columns} of head ${head}${which}`;
    const value = valueAt(c, row, column);
    return [[place, ...this.ending(asPrinted(value), value), feature]];
  }

  // The place in its sentence of the first token of an axis: only a part of a long text is shown.
  first(axis) {
    return this.data.first?.[axis] ?? 0;
  }

  distance(row, column) {
    return column + this.first("key") - row - this.first("query");
  }

  note(text) {
    return createElement("span", { className: "muted", textContent: text });
  }
}
