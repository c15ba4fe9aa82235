// P[t, j] as a heatmap, and below it the waves of the chosen pairs. The cell under the pointer is marked in both.
import { clipText, drawText, pointOn, resizeCanvas, strokeBox, strokeLines } from "../../shared/canvas.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { createScroller } from "../../shared/edges.js";
import { codeFont, textFont } from "../../shared/fonts.js";
import { pressInGrid } from "../../shared/keyboard.js";
import { scaleOf } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { formatNumber } from "../../shared/numbers.js";
import { Picture } from "../../shared/picture.js";
import { cellPicture, colourRamp, rampColour, signedStep } from "../../shared/scales.js";
import { plainLabel } from "../../shared/tokens.js";
import { arrangeCells, pairStride, rowStride, subscript, togglePair } from "./geometry.js";
import { drawWave, WAVE_HEIGHT } from "./wave.js";

const MOST_WAVES = 4;

const DECIMALS = 4; // of features and speeds

class PositionHeatmap extends Picture {
  constructor(parent) {
    super(parent, { className: "gf heatmap" });
    this.cell = { t: 1, j: 0 }; // the position and the feature that are told
    this.board = createElement("canvas", { tabIndex: 0, role: "application" });
    this.facts = createElement("div", { className: "facts", role: "status" });
    this.waves = createElement("div", { className: "waves" });
    this.scroller = createScroller(this.board);
    this.root.append(this.scroller, this.facts, this.waves);
    this.board.onpointermove = (event) => this.moveTo(this.cellUnder(event));
    this.board.onclick = (event) => {
      const cell = this.cellUnder(event);
      this.moveTo(cell);
      if (this.has(cell)) this.toggle(this.pair());
    };
    this.board.onkeydown = (event) => this.press(event);
  }

  update(data, send) {
    this.receive(data, send);
    this.valueAt = data.frequencies ? sinusoid(data.frequencies) : learned(data);
    if (data.token !== this.token) this.cell.t = data.token; // the run bar has chosen another
    this.token = data.token;
    this.cell.t = Math.min(this.cell.t, data.rows - 1);
    this.cell.j = Math.min(this.cell.j, data.width - 1);
    const ramp = colourRamp(this.colours("signed"));
    this.image = cellPicture(data.rows, data.width, (cell) => {
      const value = this.valueAt(Math.floor(cell / data.width), cell % data.width);
      return rampColour(ramp, signedStep(value / data.largest));
    });
    this.layOut();
  }

  pair() {
    return this.cell.j >> 1;
  }

  labelOf(t) {
    return plainLabel(this.data.labels[t] ?? "");
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  arrange(room) {
    if (!room) return 0;
    const { rows, width: columns, labels, pairs } = this.data;
    const longest = Math.max(...labels.map((label) => label.length), 1);
    this.size = arrangeCells({ rows, columns, room, longest, isPresented: scaleOf(this.root) > 1 });
    this.draw();
    return this.size.height + (pairs.length ? WAVE_HEIGHT + 70 : 30); // with the words between
  }

  chosenPlace() {
    const { left, wide } = this.size;
    return [left + this.cell.j * wide, left + (this.cell.j + 1) * wide];
  }

  draw() {
    const { data, cell, colours } = this;
    const { left, top, tall, wide, width, height } = this.size;
    const pen = resizeCanvas(this.board, width, height);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.image, left, top, wide * data.width, tall * data.rows);
    strokeLines(pen, this.gapLines(), colours("background"));
    this.drawRowLabels(pen);
    this.drawPairLabels(pen);
    data.pairs.forEach((pair, i) => {
      strokeBox(pen, left + 2 * pair * wide, top, 2 * wide, tall * data.rows, colours(`series-${i}`));
    });
    strokeBox(pen, left + cell.j * wide, top + cell.t * tall, wide, tall, colours("text"));
    const said = `${this.place()}, feature ${cell.j}: ${formatNumber(this.valueAt(cell.t, cell.j), DECIMALS)}.`;
    const help = "Arrow keys move, Enter shows the pair's waves.";
    this.board.setAttribute("aria-label", `${data.title}. ${said} ${help}`);
    this.drawFacts();
    this.drawWaves();
  }

  // The lines between cells that are large enough for gaps.
  gapLines() {
    const { rows, width: columns } = this.data;
    const { left, top, tall, wide, width, height, isNamed } = this.size;
    const lines = [];
    for (let t = 1; isNamed && t < rows; t++)
      lines.push([
        [left, top + t * tall],
        [width, top + t * tall],
      ]);
    for (let j = 1; wide >= 8 && j < columns; j++)
      lines.push([
        [left + j * wide, top],
        [left + j * wide, height],
      ]);
    return lines;
  }

  drawRowLabels(pen) {
    const { left, top, tall, isNamed } = this.size;
    const face = codeFont(this.root);
    const stride = rowStride(this.size);
    pen.textBaseline = "middle";
    for (let t = 0; t < this.data.rows; t += stride) {
      const isChosen = t === this.cell.t;
      const y = top + (t + 0.5) * tall;
      const style = (font, role) => ({ font, colour: this.colours(isChosen ? "accent" : role), align: "right" });
      drawText(pen, String(t), left - 6, y, style(`11px ${face}`, "masked_text"));
      if (!isNamed) continue;
      const font = `${isChosen ? "600 " : ""}12px ${face}`;
      pen.font = font;
      drawText(pen, clipText(pen, this.labelOf(t), left - 34), left - 30, y, style(font, "text"));
    }
    pen.textBaseline = "alphabetic";
  }

  drawPairLabels(pen) {
    const { left, top, wide } = this.size;
    const stride = pairStride(this.size);
    const font = `11px ${textFont(this.root)}`;
    for (let pair = 0; pair < this.data.width / 2; pair += stride) {
      const chosen = this.data.pairs.indexOf(pair);
      const colour = this.colours(chosen < 0 ? "muted" : `series-${chosen}`);
      const text = 2 * wide >= 44 ? `pair ${pair}` : String(pair);
      drawText(pen, text, left + (2 * pair + 1) * wide, top - 7, { font, colour, align: "center" });
    }
  }

  // -- the chosen cell and its waves -------------------------------------------------------------------------------

  place() {
    const { t } = this.cell;
    return `t = ${t}${this.data.labels[t] ? ` (${this.labelOf(t)})` : ""}`;
  }

  drawFacts() {
    const { t, j } = this.cell;
    const { frequencies, width, base } = this.data;
    const strong = (text) => createElement("strong", { textContent: text });
    const value = strong(formatNumber(this.valueAt(t, j), DECIMALS));
    const parts = [[strong(this.place())]];
    if (frequencies) {
      const pair = this.pair();
      const [wave, speed] = [j % 2 ? "cos" : "sin", `ω${subscript(pair)}`];
      const formula = `${speed} = ${base}^(−${2 * pair}/${width}) = ${formatNumber(frequencies[pair], DECIMALS)}`;
      parts.push([
        `feature ${j} = ${wave}(${speed} t) = ${wave}(${formatNumber(frequencies[pair] * t, DECIMALS)}) = `,
        value,
      ]);
      parts.push([createElement("span", { className: "muted" }, formula)]);
    } else parts.push([`feature ${j} of ${width}, learned: `, value]);
    this.facts.replaceChildren(...parts.map((part) => createElement("span", {}, ...part)));
  }

  drawWaves() {
    const shown = this.data.pairs.slice(0, MOST_WAVES);
    if (this.waves.children.length !== shown.length) {
      const box = () => createElement("div", { className: "wave" }, createElement("header"), createElement("canvas"));
      this.waves.replaceChildren(...shown.map(box));
    }
    shown.forEach((pair, i) => {
      this.drawWaveBox(this.waves.children[i], pair, i);
    });
  }

  drawWaveBox(box, pair, i) {
    const [head, canvas] = box.children;
    const rate = this.rateOf(pair);
    replaceKeepingFocus(head, ...this.waveHeading(pair, i, rate));
    const { t } = this.cell;
    const feature = (j) => `feature ${j} is ${formatNumber(this.valueAt(t, j), DECIMALS)}`;
    const values = `${feature(2 * pair)}, ${feature(2 * pair + 1)}`;
    drawWave(canvas, this, pair, box.clientWidth / scaleOf(this.root));
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Pair ${pair} over the positions, ${rate}. At ${this.place()}: ${values}.`);
  }

  rateOf(pair) {
    if (!this.data.frequencies) return "learned";
    const turn = (2 * Math.PI) / this.data.frequencies[pair];
    return `one turn in ${formatNumber(turn, 1)} words`;
  }

  waveHeading(pair, i, rate) {
    const line = { borderBottom: `3px solid ${this.colours(`series-${i}`)}` };
    const name = createElement("strong", { textContent: `Pair ${pair}`, style: line });
    const hide = createElement("button", {
      textContent: "×",
      title: "Hide",
      "aria-label": `Hide the waves of pair ${pair}`,
      "data-id": `hide-${pair}`,
      onclick: () => this.toggle(pair),
    });
    return [
      createElement("span", {}, name, createElement("span", { className: "muted", textContent: ` · ${rate}` })),
      createElement("span", { className: "muted" }, "solid: even feature, dashed: odd ", hide),
    ];
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  toggle(pair) {
    this.data.pairs = togglePair(this.data.pairs, pair, MOST_WAVES);
    this.draw();
    this.send("pairs", this.data.pairs);
  }

  cellUnder(event) {
    const [x, y] = pointOn(this.board, event);
    const { left, top, tall, wide } = this.size;
    return { t: Math.floor((y - top) / tall), j: Math.floor((x - left) / wide) };
  }

  has({ t, j }) {
    return t >= 0 && j >= 0 && t < this.data.rows && j < this.data.width;
  }

  moveTo(cell) {
    if (!this.has(cell) || (cell.t === this.cell.t && cell.j === this.cell.j)) return;
    this.cell = cell;
    this.draw();
  }

  press(event) {
    const { rows, width: columns } = this.data;
    const move = ({ row, column }) => this.moveTo({ t: row, j: column });
    const cell = { row: this.cell.t, column: this.cell.j };
    pressInGrid(event, cell, { rows, columns }, { move, act: () => this.toggle(this.pair()) });
  }
}

// The value of a feature at a position, which need not be whole: the sine and cosine of the encoding itself, or the
// nearest row of a learned table.
const sinusoid = (frequencies) => (t, j) => (j % 2 ? Math.cos : Math.sin)(frequencies[j >> 1] * t);
const learned =
  ({ values, width }) =>
  (t, j) =>
    values[Math.round(t) * width + j];

export default mountOnce(PositionHeatmap);
