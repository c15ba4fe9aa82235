// Matrices on one canvas: one of their cells is pinned, and another may be under the hand.
import { pointOn } from "../shared/canvas.js";
import { createElement } from "../shared/dom.js";
import { createScroller } from "../shared/edges.js";
import { pressInGrid } from "../shared/keyboard.js";
import { Picture } from "../shared/picture.js";
import { canvasCells, offerCells } from "../shared/pointed_cell.js";
import { cellAt } from "./matrix.js";

// A subclass has `cellUnder(x, y)`, a cell or null; `pinnedSize()`, the rows and columns that the pinned cell may have;
// `pin(cell)`; and `draw()`.
export class CellPicture extends Picture {
  constructor(parent, props) {
    super(parent, props);
    this.hover = null;
    this.pinned = null;
    this.board = createElement("canvas", { tabIndex: 0, role: "application" });
    this.scroller = createScroller(this.board);
    this.story = createElement("div", { className: "story" });
    this.status = createElement("p", { className: "sr", role: "status" });
    this.trackHover(
      this.board,
      (x, y) => this.cellUnder(x, y),
      () => this.draw(),
    );
    this.board.onclick = (event) => {
      const found = this.cellUnder(...pointOn(this.board, event));
      const cell = found && this.pinnableCell(found);
      if (cell) this.pin(cell);
    };
    this.board.onkeydown = (event) => this.press(event);
    const cells = canvasCells(
      this.board,
      (x, y) => this.addressAt(x, y),
      (address) => this.placeOf(address),
    );
    offerCells(this.root, cells);
  }

  // The address of a cell in a matrix: the name of the matrix, the row and the column. `boxes` and `matrices` of the
  // subclass have the same names.
  addressAt(x, y) {
    for (const [name, box] of Object.entries(this.boxes ?? {})) {
      const matrix = this.matrices[name];
      const cell = matrix && cellAt(box, matrix.rows, matrix.columns, x, y);
      if (cell) return `${name} ${cell.row} ${cell.column}`;
    }
    return null;
  }

  placeOf(address) {
    const [name, row, column] = address.split(" ");
    const [box, matrix] = [this.boxes?.[name], this.matrices?.[name]];
    if (!box || !(row < matrix?.rows && column < matrix?.columns)) return null;
    const [width, height] = [box.width / matrix.columns, box.height / matrix.rows];
    return [box.x + column * width, box.y + row * height, width, height];
  }

  // The pinned cell, in the last of the matrices: the result of a step.
  chosenPlace() {
    const [name, box] = Object.entries(this.boxes ?? {}).at(-1) ?? [];
    if (!box || !this.pinned) return null;
    const start = box.x + (this.pinned.column * box.width) / this.matrices[name].columns;
    return [start, start + box.width / this.matrices[name].columns];
  }

  // The cell that a click on another one pins, if any.
  pinnableCell(cell) {
    return cell;
  }

  press(event) {
    const move = (cell) => {
      this.hover = null;
      this.pinned = cell;
      this.draw();
    };
    pressInGrid(event, this.pinned, this.pinnedSize(), { move, act: () => this.pin(this.pinned) });
  }
}
