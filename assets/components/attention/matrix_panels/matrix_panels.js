// Matrices of the same queries and keys side by side: a cell that is hovered in one is framed in all.
import { clipText, drawText, resizeCanvas, setSize, sizeOf } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { hasArabicScript, textFont } from "../../shared/fonts.js";
import { shownPlaces } from "../../shared/labels.js";
import { mountOnce } from "../../shared/mount.js";
import { formatFixed, formatNumber } from "../../shared/numbers.js";
import { float32Values } from "../../shared/payload.js";
import { plainLabel } from "../../shared/tokens.js";
import { CellPicture } from "../cell_picture.js";
import { drawColumnLabels, drawRowLabels, LABEL_ROW, labelWidth } from "../labels.js";
import { cellAt, describeMatrix, drawMatrix, frameCells, hasNumbers, largestSize, matrixImage } from "../matrix.js";
import { arrangePanels } from "./geometry.js";

const WIDEST = 1280; // pixels
const NARROW = 560;
const SUMS_WIDTH = 46;
const LABEL_HEIGHT = 84;

class MatrixPanels extends CellPicture {
  constructor(parent) {
    super(parent, { className: "gf panels" });
    this.root.append(this.scroller, this.story, this.status);
  }

  update(data, send) {
    const isNew = this.data?.id !== data.id;
    this.receive(data, send);
    const [rows, columns] = [data.queries.length, data.keys.length];
    const matrices = data.panels.map((panel, i) => {
      const sums = data.sums ? float32Values(data[`s${i}`]) : undefined;
      return { ...panel, rows, columns, sums, values: float32Values(data[`p${i}`]) };
    });
    const signed = matrices.filter((matrix) => matrix.scale === "signed");
    const common = largestSize(...signed.map((matrix) => matrix.values));
    for (const matrix of matrices) {
      const largest = matrix.scale === "signed" ? common : 1;
      matrix.image = matrixImage(matrix.values, rows, columns, matrix.scale, largest, this.colours);
    }
    this.matrices = matrices;
    if (isNew) {
      this.hover = null;
      this.pinned = { row: Math.min(data.selected[0], rows - 1), column: Math.min(data.selected[1], columns - 1) };
    }
    this.layOut();
  }

  arrange(room) {
    const width = Math.min(room, WIDEST);
    if (!width) return 0;
    const { queries, keys } = this.data;
    const isNarrow = width < NARROW;
    const pen = this.board.getContext("2d");
    this.labels = labelWidth(pen, keys, this.root, LABEL_HEIGHT);
    this.sums = this.data.sums ? SUMS_WIDTH : 0;
    const layout = arrangePanels({
      count: this.matrices.length,
      rows: queries.length,
      columns: keys.length,
      side: labelWidth(pen, queries, this.root, isNarrow ? 70 : 110) + 8,
      top: this.labels + 46,
      sums: this.sums,
      width,
      isNarrow,
    });
    this.boxes = layout.boxes;
    setSize(this.board, layout.width, layout.height);
    this.board.dataset.boxes = JSON.stringify(this.boxes);
    this.draw();
    return sizeOf(this.board)[1];
  }

  draw() {
    const pen = resizeCanvas(this.board, ...sizeOf(this.board));
    const cell = this.hover ?? this.pinned;
    this.boxes.forEach((box, i) => {
      this.drawPanel(pen, this.matrices[i], box, cell);
    });
    this.tell(cell);
  }

  drawPanel(pen, matrix, box, cell) {
    const { root, colours, labels } = this;
    const { queries, keys } = this.data;
    drawMatrix(pen, matrix, box, colours, root);
    const write = (text, y, font, role, room) => {
      pen.font = `${font} ${textFont(root)}`;
      drawText(pen, clipText(pen, text, room), box.x, y, { font: pen.font, colour: colours(role) });
    };
    write(matrix.title, box.y - labels - 28, "600 14px", "text", box.width + this.sums);
    write(matrix.note, box.y - labels - 12, "12px", "muted", box.width + (this.sums || 16));
    drawColumnLabels(pen, keys, box, box.y - 5, 82, { root, colours, role: "key_text", chosen: cell.column });
    if (box.x === this.boxes[0].x) {
      drawRowLabels(pen, queries, box, box.x - 7, box.x - 9, { root, colours, role: "query", chosen: cell.row });
    }
    if (this.sums) this.drawSums(pen, matrix, box);
    frameCells(pen, box, matrix, cell, colours("text"));
  }

  // The sum of each row, over all keys. One that is not 1 has the colour of a warning.
  drawSums(pen, { rows, sums }, box) {
    const { root, colours } = this;
    const height = box.height / rows;
    const size = Math.min(12, Math.max(height * 0.6, 9));
    const x = box.x + box.width + 7;
    for (const row of shownPlaces(rows, height, LABEL_ROW, [(this.hover ?? this.pinned).row])) {
      const sum = sums[row];
      const isOne = Math.abs(sum - 1) < 5e-3;
      const font = `${isOne ? 400 : 600} ${size}px ${textFont(root)}`;
      const text = Number.isNaN(sum) ? "NaN" : formatFixed(sum, 2);
      const y = box.y + (row + 0.5) * height + size * 0.35;
      drawText(pen, text, x, y, { font, colour: colours(isOne ? "muted" : "warn") });
    }
    drawText(pen, "sum", x, box.y - 5, { font: `11px ${textFont(root)}`, colour: colours("muted") });
  }

  // -- words -------------------------------------------------------------------------------------------------------

  wordNode(label, role) {
    const className = hasArabicScript(label) ? "rtl" : "mono";
    return createElement("strong", { className, textContent: plainLabel(label), style: { color: this.colours(role) } });
  }

  tell({ row, column }) {
    const { queries, keys, title } = this.data;
    const pair = (r, c) => `${plainLabel(queries[r])} to ${plainLabel(keys[c])}`;
    const decimals = hasNumbers(this.matrices[0], this.boxes[0]) ? 2 : 3; // as in the cells, where they have numbers
    const numberIn = ({ values, columns }) => formatNumber(values[row * columns + column], decimals);
    const fact = (...parts) => createElement("span", { className: "fact" }, ...parts);
    const facts = this.matrices.map((matrix) => {
      const name = createElement("span", { className: "muted", textContent: `${matrix.short} ` });
      return fact(name, createElement("span", { className: "mono", textContent: numberIn(matrix) }));
    });
    const words = fact(this.wordNode(queries[row], "query"), " → ", this.wordNode(keys[column], "key_text"));
    this.story.replaceChildren(words, ...facts);
    if (this.hover) return;
    const numbers = this.matrices.map((matrix) => `${matrix.short} ${numberIn(matrix)}`).join(", ");
    this.status.textContent = `${pair(row, column)}: ${numbers}.`;
    const described = this.matrices.map((matrix) => describeMatrix(matrix.title, matrix, pair)).join(" ");
    const help = "Arrow keys move between cells, Enter keeps one.";
    this.board.setAttribute("aria-label", `${title}. ${described} Now ${this.status.textContent} ${help}`);
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  cellUnder(x, y) {
    const { queries, keys } = this.data;
    for (const box of this.boxes) {
      const cell = cellAt(box, queries.length, keys.length, x, y);
      if (cell) return cell;
    }
    return null;
  }

  pinnedSize() {
    return { rows: this.data.queries.length, columns: this.data.keys.length };
  }

  pin(cell) {
    this.pinned = cell;
    this.draw();
    this.send("cell", [cell.row, cell.column]);
  }
}

export default mountOnce(MatrixPanels);
