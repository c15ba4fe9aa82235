// Every head of a stack as a small picture on one canvas. Hover shows it larger; click or Enter chooses it.
import { drawText, fillDot, pointOn, resizeCanvas, setSize, strokeArc, strokeBox } from "../../shared/canvas.js";
import { createElement, createTable, debounce } from "../../shared/dom.js";
import { createScroller } from "../../shared/edges.js";
import { textFont } from "../../shared/fonts.js";
import { pressInGrid } from "../../shared/keyboard.js";
import { scaleOf } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { formatFixed } from "../../shared/numbers.js";
import { Picture } from "../../shared/picture.js";
import { canvasCells, offerCells } from "../../shared/pointed_cell.js";
import { watchQueries } from "../../shared/pointed_token.js";
import { cellPicture, colourRamp, rampColour } from "../../shared/scales.js";
import { arrangeTiles, cellOf, headAt, headIn, rowOf, tileBox } from "./geometry.js";

const LEGEND_HEIGHT = 40; // pixels
const PREVIEW = { side: 150, width: 330 }; // pixels of the picture, and with the words beside it
const NARROW = 700; // pixels of a root where the preview stands below

class HeadsAtlas extends Picture {
  constructor(parent) {
    super(parent, { className: "gf atlas" });
    this.hover = null;
    this.focus = null; // the head that the keyboard is at
    this.pointed = null; // the place of the query that is pointed at in the run bar
    this.board = createElement("canvas", { "aria-hidden": "true" });
    this.marks = createElement("canvas", { tabIndex: 0, role: "application" });
    this.stage = createElement("div", { className: "stage" }, this.board, this.marks);
    this.scroller = createScroller(this.stage);
    this.enlarged = createElement("canvas");
    this.words = createElement("div");
    const preview = { className: "preview", hidden: true, "aria-hidden": "true" };
    this.preview = createElement("div", preview, this.enlarged, this.words);
    this.legend = createElement("div", { className: "legend muted" });
    this.status = createElement("p", { className: "sr", role: "status" });
    this.table = createElement("div", { className: "sr" });
    this.root.append(this.legend, this.scroller, this.preview, this.status, this.table);
    this.drawTable = debounce(() => this.table.replaceChildren(this.measureTable()), 150);
    this.listen();
  }

  listen() {
    const { marks } = this;
    this.trackHover(
      marks,
      (x, y) => this.headAt(x, y),
      () => this.drawMarks(),
    );
    marks.onclick = (event) => {
      const number = this.headAt(...pointOn(marks, event));
      if (number !== null) this.choose(number);
    };
    this.trackFocus(marks, () => this.drawMarks());
    this.endWatch = watchQueries((place) => {
      this.pointed = place;
      if (this.grid) this.drawMarks();
    }, this.root);
    marks.onkeydown = (event) => this.press(event);
    const cells = canvasCells(
      marks,
      (x, y) => (this.grid && this.headAt(x, y) !== null ? `head ${this.headAt(x, y)}` : null),
      (address) => this.placeOfHead(Number(address.replace("head ", ""))),
    );
    offerCells(this.root, cells);
  }

  placeOfHead(number) {
    if (!this.grid || !this.order.includes(number)) return null;
    const [x, y, side] = this.boxOf(number);
    return [x, y, side, side];
  }

  update(data, send) {
    this.receive(data, send);
    const [layers, heads, queries, keys] = data.tiles.shape;
    const ramp = colourRamp(this.colours("sequential"));
    const step = (cell) => Math.round((data.tiles[cell] / data.levels) * 255);
    const tile = (_, number) =>
      cellPicture(queries, keys, (cell) => rampColour(ramp, step(number * queries * keys + cell)));
    this.tiles = Array.from({ length: layers * heads }, tile);
    this.sortKind = data.kinds.findIndex((kind) => kind.key === data.sort);
    this.order = [...this.tiles.keys()];
    if (this.sortKind >= 0) {
      this.order.sort((a, b) => this.measure(b, this.sortKind) - this.measure(a, this.sortKind) || a - b);
    }
    this.focus ??= data.layer * heads + data.head;
    this.drawLegend();
    this.layOut();
    this.drawTable();
  }

  placeOf(number) {
    const heads = this.data.tiles.shape[1];
    return { layer: Math.floor(number / heads), head: number % heads };
  }

  measure(number, kind) {
    return this.data.metrics[number * this.data.kinds.length + kind];
  }

  reaches(number, kind) {
    const { threshold } = this.data.kinds[kind];
    return threshold !== null && this.measure(number, kind) >= threshold;
  }

  titleOf(number) {
    const { layer, head } = this.placeOf(number);
    return `Layer ${layer}, head ${head}`;
  }

  factsOf(number) {
    return this.data.kinds.map((kind, i) => `${kind.label} ${formatFixed(this.measure(number, i), 2)}`);
  }

  boxOf(number) {
    return tileBox(this.grid, number, this.order.indexOf(number));
  }

  chosenPlace() {
    const [x, , side] = this.boxOf(this.focus);
    return [x, x + side];
  }

  headAt(x, y) {
    return headAt(this.grid, this.order, x, y);
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  drawLegend() {
    const entries = this.data.kinds.flatMap((kind, i) => {
      if (kind.threshold === null) return [];
      const count = this.tiles.filter((_, number) => this.reaches(number, i)).length;
      const dot = createElement("i", { className: "dot", style: { background: this.colours(`series-${i}`) } });
      const text = `${kind.label} ≥ ${formatFixed(kind.threshold, 1)}: ${count}`;
      return [createElement("span", { title: kind.meaning }, dot, text)];
    });
    this.legend.replaceChildren(...entries);
  }

  arrange(room, height) {
    if (!room) return 0;
    const [layers, heads] = this.data.tiles.shape;
    this.grid = arrangeTiles({ layers, heads, isSorted: this.data.sort !== "layer", room, height });
    setSize(this.stage, this.grid.width, this.grid.height);
    this.drawBoard();
    this.drawMarks();
    return this.grid.height + LEGEND_HEIGHT;
  }

  drawBoard() {
    const { step, gap, isSorted } = this.grid;
    const pen = resizeCanvas(this.board, this.grid.width, this.grid.height);
    pen.imageSmoothingEnabled = this.data.tiles.shape[3] > (step - gap) * (window.devicePixelRatio || 1);
    if (!isSorted) this.drawAxes(pen);
    for (const number of this.order) {
      const [x, y, side] = this.boxOf(number);
      pen.drawImage(this.tiles[number], x, y, side, side);
      this.drawBadges(pen, number, x, y, side);
      if (isSorted) this.drawCaption(pen, number, x, y + side + 12, side);
    }
  }

  textStyle(align) {
    return { font: `11px ${textFont(this.root)}`, colour: this.colours("muted"), align };
  }

  drawAxes(pen) {
    const { isTurned, margin, step, gap, columns, rows } = this.grid;
    const stride = columns > 12 ? 5 : 1;
    const name = isTurned ? "head " : "layer ";
    for (let i = 0; i < columns; i += stride) {
      drawText(pen, `${i === 0 ? name : ""}${i}`, margin.left + i * step, 11, this.textStyle("left"));
    }
    for (let i = 0; i < rows; i++) {
      const y = margin.top + i * step + (step - gap) / 2 + 4;
      drawText(pen, String(i), margin.left - 6, y, this.textStyle("right"));
    }
  }

  // A dot for each measure whose threshold the head reaches, from the right.
  drawBadges(pen, number, x, y, side) {
    const radius = side > 30 ? 3.5 : 2.5;
    const reached = [...this.data.kinds.keys()].filter((kind) => this.reaches(number, kind));
    reached.forEach((kind, i) => {
      const middle = x + side - radius - 2 - i * (2 * radius + 2);
      fillDot(pen, middle, y + radius + 2, radius, this.colours(`series-${kind}`));
      strokeArc(pen, middle, y + radius + 2, radius, this.colours("background"));
    });
  }

  drawCaption(pen, number, x, y, side) {
    const { layer, head } = this.placeOf(number);
    drawText(pen, `${layer}.${head}`, x, y, this.textStyle("left"));
    if (side <= 44) return;
    drawText(pen, formatFixed(this.measure(number, this.sortKind), 2), x + side, y, this.textStyle("right"));
  }

  drawMarks() {
    const { layer, head, title } = this.data;
    const pen = resizeCanvas(this.marks, this.grid.width, this.grid.height);
    if (this.pointed !== null && this.pointed < this.data.queries) this.veilOtherRows(pen);
    const frame = (number, role, thickness) => {
      const [x, y, side] = this.boxOf(number);
      strokeBox(pen, x - 1, y - 1, side + 2, side + 2, this.colours(role), thickness);
    };
    frame(layer * this.data.tiles.shape[1] + head, "key", 2.5);
    const current = this.hover ?? (this.isFocused ? this.focus : null);
    if (current !== null) frame(current, "query", 2);
    const help = "Arrow keys move between heads, Enter opens one.";
    this.marks.setAttribute("aria-label", `${title}. ${help} Now: ${this.titleOf(this.focus)}.`);
    this.drawPreview(current);
  }

  // Leaves in every tile only the row of the query that is pointed at.
  veilOtherRows(pen) {
    const rows = this.data.tiles.shape[2];
    const row = rowOf(this.pointed, this.data.queries, rows);
    pen.fillStyle = this.colours("background");
    pen.globalAlpha = 0.85;
    for (const number of this.order) {
      const [x, y, side] = this.boxOf(number);
      pen.fillRect(x, y, side, (row / rows) * side);
      pen.fillRect(x, y + ((row + 1) / rows) * side, side, ((rows - row - 1) / rows) * side);
    }
    pen.globalAlpha = 1;
  }

  drawPreview(number) {
    this.preview.hidden = number === null;
    if (number === null) return;
    const pen = resizeCanvas(this.enlarged, PREVIEW.side, PREVIEW.side);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.tiles[number], 0, 0, PREVIEW.side, PREVIEW.side);
    const facts = this.factsOf(number).map((fact) => createElement("div", { className: "muted", textContent: fact }));
    this.words.replaceChildren(createElement("strong", { textContent: this.titleOf(number) }), ...facts);
    Object.assign(this.preview.style, this.previewPlace(number));
  }

  // Beside the tile where the root is wide, below it where it is narrow.
  previewPlace(number) {
    const scale = scaleOf(this.root);
    const [x, y, side] = this.boxOf(number).map((length) => length * scale);
    const { clientWidth } = this.root;
    const { offsetTop, scrollLeft } = this.scroller;
    if (clientWidth < NARROW) return { left: "0px", top: `${y + side + 12 + offsetTop}px` };
    const width = PREVIEW.width * scale;
    const start = x - scrollLeft;
    const fitsRight = start + side + 10 + width < clientWidth;
    const left = fitsRight ? start + side + 10 : Math.max(start - width - 10, 0);
    return { left: `${left}px`, top: `${Math.max(y + offsetTop - 50, 0)}px` };
  }

  measureTable() {
    const row = (number) => [
      this.titleOf(number),
      ...this.data.kinds.map((_, kind) => formatFixed(this.measure(number, kind), 2)),
    ];
    return createTable(this.data.title, ["Head", ...this.data.kinds.map((kind) => kind.label)], this.order.map(row));
  }

  stop() {
    this.endWatch();
    super.stop();
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  choose(number) {
    Object.assign(this.data, this.placeOf(number));
    this.focus = number;
    this.drawMarks();
    this.send("pick", [this.data.layer, this.data.head]);
  }

  press(event) {
    const cell = cellOf(this.grid, this.focus, this.order.indexOf(this.focus));
    const move = (next) => this.focusOn(headIn(this.grid, this.order, next));
    pressInGrid(event, cell, this.grid, { move, act: () => this.choose(this.focus) });
  }

  // The keyboard is at another head. The last row of a sorted atlas may have none.
  focusOn(number) {
    if (number === null || number === this.focus) return;
    this.focus = number;
    this.isFocused = true;
    this.drawMarks();
    this.status.textContent = `${this.titleOf(number)}: ${this.factsOf(number).join(", ")}.`;
  }
}

export default mountOnce(HeadsAtlas);
