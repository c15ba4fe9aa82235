// The panel of one number: its value, the sum that makes it as bars, its sources and what it feeds.
import { resizeCanvas, strokeLines } from "../../shared/canvas.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { asPrinted, formatCount, formatNumber, writeResult } from "../../shared/numbers.js";
import { EXPLAINED } from "./comparison.js";
import { pathWords, placeWords } from "./names.js";

const SHOWN_TERMS = 6; // as buttons
const SHOWN_USES = 6;
const BARS = { width: 372, height: 112, widest: 32 }; // pixels

export const partOf = ({ value, factor }) => (factor ? value * factor.value : value);

// A number of an answer: JSON has neither infinities nor NaN, so these come as null with their name.
export function readNumber({ value, not_finite: name }) {
  if (value !== null) return value;
  return { "-inf": Number.NEGATIVE_INFINITY, inf: Number.POSITIVE_INFINITY }[name] ?? Number.NaN;
}

// The terms of an answer with their numbers read.
export const readTerms = ({ terms }) =>
  terms.map((term) => ({
    ...term,
    value: readNumber(term),
    ...(term.factor ? { factor: { ...term.factor, value: readNumber(term.factor) } } : {}),
  }));

// The terms as bars stand in the order of their cells, where all have come; else the largest first.
export function orderTerms(terms, count) {
  if (terms.length < count) return terms;
  const place = ({ index }) => index.reduce((number, axis) => number * 1e6 + axis, 0);
  return [...terms].sort((one, other) => place(one) - place(other));
}

// The cells among the terms, the weightiest first: of a sum by what they add, else by their value. What is hidden by
// minus infinity is left out.
export function rankTerms(terms, isSum) {
  const weight = (term) => (isSum ? Math.abs(partOf(term)) : term.value);
  const cells = terms.filter((term) => [term, term.factor].some((each) => each?.index.length));
  const shown = cells.filter((term) => term.value !== Number.NEGATIVE_INFINITY);
  return shown.sort((one, other) => weight(other) - weight(one));
}

// A term as a formula: “2.54 × −7.90 = −20.03”.
export function termWords({ value, factor }) {
  if (!factor) return formatNumber(value);
  const result = writeResult(asPrinted(value) * asPrinted(factor.value), value * factor.value);
  return `${formatNumber(value)} × ${formatNumber(factor.value)} ${result}`;
}

export class WhyPanel {
  // `act` has follow(name, index), back(), close(), open(): the page that explains the cell, and turn(run): of a
  // difference, its run to explain.
  constructor(act) {
    this.act = act;
    this.root = createElement("aside", { className: "why", hidden: true, "aria-label": "Why this number" });
  }

  get width() {
    return this.root.hidden ? 0 : this.root.offsetWidth;
  }

  hide() {
    this.root.hidden = true;
  }

  // The cell with its value, before the answer with the sum has come. `explained`: the run of a difference.
  show(layout, cell, { value, canGoBack, page, explained }) {
    this.root.hidden = false;
    this.root.setAttribute("aria-busy", "true");
    const { act } = this;
    const tools = [
      canGoBack && button("← Back along the trail", "back", act.back),
      page && button(`Open ${page}`, "open", act.open),
      button("Close", "close", act.close, "×"),
    ].filter(Boolean);
    const title = value === undefined ? "Why this number?" : `Why ${formatNumber(value)}?`;
    this.body = createElement("div", { className: "body" });
    replaceKeepingFocus(
      this.root,
      createElement("div", { className: "why-tools" }, ...tools),
      createElement("h3", { textContent: title }),
      createElement("p", { className: "muted where", textContent: describeCell(layout, cell) }),
      ...(explained === undefined ? [] : [createElement("div", { className: "why-runs" }, ...this.runs(explained))]),
      this.body,
    );
  }

  // Buttons for the difference and for the number in each run.
  runs(explained) {
    return Object.entries(EXPLAINED).map(([run, words]) => {
      const choice = button(words, `run ${run}`, () => this.act.turn(run));
      choice.setAttribute("aria-pressed", String(run === explained));
      return choice;
    });
  }

  fail(words) {
    this.root.removeAttribute("aria-busy");
    this.body.replaceChildren(createElement("p", { textContent: words }));
  }

  fill(layout, answer, colours) {
    this.root.removeAttribute("aria-busy");
    const { count } = answer;
    const terms = readTerms(answer);
    const parts = [];
    if (answer.is_sum && terms.length > 1) parts.push(createBars(orderTerms(terms, count), colours));
    parts.push(createElement("p", { className: "words", textContent: answer.words }));
    if (terms.length) parts.push(...this.createSources(layout, { ...answer, terms }));
    if (answer.uses.length) parts.push(...this.createUses(layout, answer));
    this.body.replaceChildren(...parts);
  }

  createSources(layout, { terms, cells: count, rest, is_sum: isSum }) {
    const largest = rankTerms(terms, isSum);
    const rows = largest.slice(0, SHOWN_TERMS).map((term) => {
      const links = [term, term.factor]
        .filter((each) => each?.index?.length)
        .map((each) => this.link(layout, each.name, each.index));
      return createElement(
        "li",
        {},
        createElement("span", { className: "sum", textContent: termWords(term) }),
        ...links,
      );
    });
    if (!rows.length) return [];
    const title = count > rows.length ? `Made of: the largest ${rows.length} of ${formatCount(count)}` : "Made of";
    const parts = [createElement("h4", { textContent: title }), createElement("ul", {}, ...rows)];
    if (rest)
      parts.push(createElement("p", { className: "muted", textContent: `All others together: ${formatNumber(rest)}` }));
    return parts;
  }

  // The cells that are made with this one. Where a use is a whole row or column, its first cell stands for it.
  createUses(layout, { uses, use_count: count }) {
    const links = uses.slice(0, SHOWN_USES).map(({ name, index }) => {
      const first = index.map((place) => place ?? 0);
      const isMany = index.includes(null);
      const link = this.link(layout, name, first);
      const note = createElement("span", { className: "muted", textContent: "and all beside it" });
      return createElement("li", {}, link, ...(isMany ? [note] : []));
    });
    const hidden = count - links.length;
    const title = hidden > 0 ? `Goes into: ${links.length} of ${formatCount(count)}` : "Goes into";
    return [createElement("h4", { textContent: title }), createElement("ul", {}, ...links)];
  }

  link(layout, name, index) {
    const [matrix, row, column] = [0, 0, 0, ...index].slice(-3);
    const drawn = layout.find(name, matrix, row, column);
    const words = drawn ? `${drawn.title}: ${cellWords(layout, { matrix: drawn, row, column })}` : `${name}[${index}]`;
    return button(words, `${name}:${index}`, () => this.act.follow(name, index));
  }
}

function button(label, id, onclick, text = label) {
  const props = { className: "link", textContent: text, "data-id": id, onclick };
  return createElement("button", text === label ? props : { ...props, "aria-label": label, title: label });
}

// “it (query 8), animal (key 1)”
export function cellWords(layout, { matrix, row, column }) {
  const parts = [];
  if (matrix.row_axis) parts.push(placeWords(matrix, "row", row, layout.tokens));
  if (matrix.column_axis) parts.push(placeWords(matrix, "column", column, layout.tokens));
  return parts.join(", ");
}

// “Layer 9 › Head 2 › weights: it (query 8), animal (key 1)”
export function describeCell(layout, cell) {
  const path = [pathWords(layout, cell.matrix.group), cell.matrix.title].filter(Boolean).join(" › ");
  return `${path}: ${cellWords(layout, cell)}`;
}

// Each term as a bar: upwards in blue above zero, downwards in orange below it.
function createBars(terms, colours) {
  const parts = terms.map(partOf);
  const finite = parts.filter(Number.isFinite);
  const high = Math.max(0, ...finite);
  const low = Math.min(0, ...finite);
  const canvas = createElement("canvas", { className: "bars", role: "img" });
  canvas.setAttribute("aria-label", `${terms.length} terms from ${formatNumber(low)} to ${formatNumber(high)}`);
  const pen = resizeCanvas(canvas, BARS.width, BARS.height);
  const unit = (BARS.height - 4) / (high - low || 1);
  const zero = 2 + high * unit;
  const step = Math.min(BARS.width / parts.length, BARS.widest);
  const gap = step > 3 ? 1 : 0;
  parts.forEach((part, i) => {
    if (!Number.isFinite(part)) return;
    pen.fillStyle = colours(part < 0 ? "key" : "query");
    pen.fillRect(i * step, Math.min(zero, zero - part * unit), Math.max(step - gap, 0.5), Math.abs(part * unit));
  });
  strokeLines(
    pen,
    [
      [
        [0, zero],
        [BARS.width, zero],
      ],
    ],
    colours("muted"),
  );
  return canvas;
}
