// A mask and its changes: a cell is 1 where a query may look at a key, and 0 where it may not. It may be a window of a
// larger mask, which begins at the query and key `first`. The text `around` stands for the cells around it. So each
// step that can be undone is a whole mask, also one that was made in another window.

const MOST_STEPS = 200; // that can be undone

// The same text for the same mask in the same window.
export const nameOf = ({ first, around, cells }) => `${first} ${around} ${cells.join("")}`;

export class PaintedMask {
  constructor(cells, rows, columns, first = [0, 0], around = "") {
    this.take({ cells, rows, columns, first, around });
    this.past = [];
    this.future = [];
  }

  // The present mask, which later changes leave as it is.
  state() {
    const { cells, rows, columns, first, around } = this;
    return { cells: cells.slice(), rows, columns, first, around };
  }

  // Shows a mask, without a step.
  take(state) {
    Object.assign(this, state, { cells: Uint8Array.from(state.cells) });
  }

  // Whether a mask is of the same window.
  isInWindowOf({ rows, columns, first }) {
    return `${[rows, columns, first]}` === `${[this.rows, this.columns, this.first]}`;
  }

  text() {
    return this.cells.join("");
  }

  isVisible(row, column) {
    return this.cells[row * this.columns + column] === 1;
  }

  hiddenCount() {
    return this.cells.reduce((count, visible) => count + (visible ? 0 : 1), 0);
  }

  // The queries that may look at nothing.
  blindRows() {
    const rowOf = (row) => this.cells.subarray(row * this.columns, (row + 1) * this.columns);
    return Array.from({ length: this.rows }, (_, row) => row).filter((row) => rowOf(row).every((visible) => !visible));
  }

  // Keeps the present mask for Undo. The cells that are painted next belong to one step.
  remember() {
    this.past.push(this.state());
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future.length = 0;
  }

  // Takes over a mask from elsewhere, which can be undone too.
  accept(state) {
    if (nameOf(state) !== nameOf(this)) this.past.push(this.state());
    this.take(state);
  }

  // Goes back to an earlier mask. What was done since cannot be done again.
  goBackTo(state) {
    const step = this.past.findLastIndex((each) => nameOf(each) === nameOf(state));
    if (step >= 0) this.past.length = step;
    this.take(state);
  }

  // Replaces all cells in one step, and those around the window where they are given. Returns whether anything changed.
  replace(cells, around = this.around) {
    if (nameOf({ ...this, cells, around }) === nameOf(this)) return false;
    this.remember();
    this.take({ cells, around });
    return true;
  }

  undo() {
    return this.travel(this.past, this.future);
  }

  redo() {
    return this.travel(this.future, this.past);
  }

  travel(from, to) {
    if (!from.length) return false;
    to.push(this.state());
    this.take(from.pop());
    return true;
  }

  paint({ row, column }, value) {
    this.cells[row * this.columns + column] = value;
  }

  // The cells between two places, so that a fast hand leaves no gaps.
  paintLine(from, to, value) {
    const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column), 1);
    for (let i = 0; i <= steps; i++) {
      const between = (start, end) => Math.round(start + ((end - start) * i) / steps);
      this.paint({ row: between(from.row, to.row), column: between(from.column, to.column) }, value);
    }
  }

  // The cells with one of them changed.
  withCell({ row, column }, value) {
    const cells = this.cells.slice();
    cells[row * this.columns + column] = value;
    return cells;
  }

  // The cells with a whole row ({row}) or column ({column}) hidden, or shown where all of it is hidden.
  withLineToggled({ row, column }) {
    const isOnLine = (cell) =>
      row === undefined ? cell % this.columns === column : Math.floor(cell / this.columns) === row;
    const hides = this.cells.some((visible, cell) => visible && isOnLine(cell));
    return this.cells.map((visible, cell) => (isOnLine(cell) ? Number(!hides) : visible));
  }

  // The cells as bits, eight in a byte, the first one highest.
  toBits() {
    const bytes = new Uint8Array(Math.ceil(this.cells.length / 8));
    this.cells.forEach((visible, i) => {
      if (visible) bytes[i >> 3] |= 128 >> (i & 7);
    });
    return bytes;
  }
}
