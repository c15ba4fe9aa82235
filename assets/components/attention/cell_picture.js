// Matrices on one canvas: one of their cells is pinned, and another may be under the hand.
import { pointOn } from "../shared/canvas.js";
import { createElement } from "../shared/dom.js";
import { arrowStep, clampIndex } from "../shared/keyboard.js";
import { Picture } from "../shared/picture.js";

// A subclass has `cellUnder(x, y)`, a cell or null; `pinnedSize()`, the rows and columns that the pinned cell may have;
// `pin(cell)`; and `draw()`.
export class CellPicture extends Picture {
  constructor(parent, props) {
    super(parent, props);
    this.hover = null;
    this.pinned = null;
    this.board = createElement("canvas", { tabIndex: 0, role: "application" });
    this.scroller = createElement("div", { className: "scroller" }, this.board);
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
  }

  // The cell that a click on another one pins, if any.
  pinnableCell(cell) {
    return cell;
  }

  press(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pin(this.pinned);
      return;
    }
    const move = arrowStep(event.key);
    if (!move) return;
    event.preventDefault();
    const { rows, columns } = this.pinnedSize();
    this.hover = null;
    this.pinned = {
      row: clampIndex(this.pinned.row + move[1], rows),
      column: clampIndex(this.pinned.column + move[0], columns),
    };
    this.draw();
  }
}
