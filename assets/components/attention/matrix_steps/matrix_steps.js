// One step of attention as matrices: hover a cell and see the numbers it was made from. Play walks through the steps.
import { resizeCanvas, setSize, sizeOf } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { float32Values } from "../../shared/payload.js";
import { CellPicture } from "../cell_picture.js";
import { labelWidth } from "../labels.js";
import { cellAt, describeMatrix, largestSize, matrixImage } from "../matrix.js";
import { drawStep, LABEL_HEIGHT, labelsOf } from "./drawing.js";
import { arrangeProduct, arrangeRow, litBy, strongestColumn } from "./geometry.js";
import { Rail } from "./rail.js";
import { Sums } from "./sums.js";

const WIDEST = 1100; // pixels
const NARROW = 560;
const SWEEP_TIME = 800; // milliseconds in which a new result appears

class MatrixSteps extends CellPicture {
  constructor(parent) {
    super(parent, { className: "gf steps" });
    this.shown = 1; // the share of the result's rows that are drawn
    this.rail = new Rail(this);
    this.root.append(this.rail.root, this.scroller, this.story, this.status);
    this.reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  }

  update(data, send) {
    const hasMoved = this.data && (this.data.step !== data.step || this.data.of !== data.of);
    const isNew = this.data?.id !== data.id || hasMoved;
    this.receive(data, send);
    this.matrices = this.readMatrices();
    if (isNew) {
      this.hover = null;
      this.pinned = this.firstCell();
    }
    this.rail.draw();
    this.layOut();
    if (hasMoved && !this.reducedMotion.matches) this.sweep();
    this.rail.playOn();
  }

  // The matrices by name. Those that are compared (`together`) have one scale, every other one has its own.
  readMatrices() {
    const matrices = {};
    for (const [name, about] of Object.entries(this.data.matrices)) {
      const [rows, bytes] = this.data[name].shape;
      matrices[name] = { ...about, rows, columns: bytes / 4, values: float32Values(this.data[name]) };
    }
    const all = Object.values(matrices);
    const compared = all.filter((matrix) => matrix.scale === "signed" && matrix.together);
    const common = largestSize(...compared.map((matrix) => matrix.values));
    for (const matrix of all) {
      const { values, rows, columns, scale, together } = matrix;
      const largest = scale === "sequential" ? 1 : together ? common : largestSize(values);
      matrix.image = matrixImage(values, rows, columns, scale, largest, this.colours);
    }
    return matrices;
  }

  // The cell that the address asks for, in the result of this step.
  firstCell() {
    const { data } = this;
    const { a, c } = this.matrices;
    const row = Math.min(c.row === "key" ? data.key : data.query, c.rows - 1);
    const first = data.kind === "concat" ? data.head * a.columns : strongestColumn(c, row);
    return { row, column: Math.min(c.column === "key" ? data.key : first, c.columns - 1) };
  }

  // The result appears row by row, with the row that it is made from framed.
  sweep() {
    const start = performance.now();
    const drawFrame = (now) => {
      this.shown = Math.min((now - start) / SWEEP_TIME, 1);
      this.draw();
      if (this.shown < 1) this.frame = requestAnimationFrame(drawFrame);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(drawFrame);
  }

  arrange(room, height) {
    const width = Math.min(room, WIDEST);
    if (!width) return 0;
    const { data, matrices } = this;
    const isNarrow = width < NARROW;
    const pen = this.board.getContext("2d");
    const rowLabels = labelsOf(data, matrices.a.row);
    const columnLabels = labelsOf(data, (data.kind === "product" ? matrices.b : matrices.c).column);
    const side = rowLabels ? labelWidth(pen, rowLabels, this.root, isNarrow ? 76 : 120) + 6 : 0;
    const labels = columnLabels ? labelWidth(pen, columnLabels, this.root, LABEL_HEIGHT) : 0;
    const space = { width, height, side, labels, isNarrow };
    const layout = data.kind === "product" ? arrangeProduct(matrices, space) : arrangeRow(data.kind, matrices, space);
    this.boxes = layout.boxes;
    this.terms = layout.terms;
    setSize(this.board, layout.width, layout.height);
    this.board.dataset.boxes = JSON.stringify(this.boxes);
    this.draw();
    return layout.height;
  }

  litBy(cell) {
    return litBy(this.data.kind, cell, this.data.head * this.matrices.a.columns);
  }

  draw() {
    const cell = this.hover ?? { name: "c", ...this.pinned };
    const lit = this.litBy(cell);
    drawStep(resizeCanvas(this.board, ...sizeOf(this.board)), this, lit, this.shown);
    if (this.shown >= 1) this.tell(cell, lit);
  }

  // The sum behind the cell, in words.
  tell({ name, row, column }, { cell }) {
    const sums = new Sums(this);
    const lines = cell ? sums.linesOf(cell.row, cell.column) : [sums.operandLine(name, row, column)];
    this.story.replaceChildren(...lines.map((line) => createElement("div", {}, ...line)));
    this.story.classList.toggle("pinned", !this.hover);
    if (this.hover) return;
    this.status.textContent = [...this.story.children].map((line) => line.textContent).join(". ");
    const described = Object.values(this.matrices).map((matrix) => {
      const cellName = (r, c) => `${sums.word(matrix.row, r)}, ${sums.word(matrix.column, c)}`;
      return describeMatrix(matrix.symbol, matrix, cellName);
    });
    const title = this.data.steps[this.data.step];
    const help = "Arrow keys move between cells, Enter keeps one.";
    const label = `${title}. ${described.join(" ")} Now ${this.status.textContent}. ${help}`;
    this.board.setAttribute("aria-label", label);
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  cellUnder(x, y) {
    for (const [name, box] of Object.entries(this.boxes)) {
      const cell = cellAt(box, this.matrices[name].rows, this.matrices[name].columns, x, y);
      if (cell) return { name, ...cell };
    }
    return null;
  }

  pinnableCell(cell) {
    return this.litBy(cell).cell;
  }

  pinnedSize() {
    return this.matrices.c;
  }

  pin({ row, column }) {
    this.pinned = { row, column };
    this.draw();
    const { c } = this.matrices;
    if (c.row === "query") this.send("cell", [row, c.column === "key" ? column : this.data.key]);
  }

  stop() {
    this.rail.stop();
    cancelAnimationFrame(this.frame);
    super.stop();
  }
}

export default mountOnce(MatrixSteps);
