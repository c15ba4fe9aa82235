// Which parts of a window are taken, on a coarse grid: labels never cover each other, nor what they name.

const SIDE = 3; // pixels of a square of the grid

export class Occupancy {
  constructor(width, height) {
    this.columns = Math.ceil(width / SIDE);
    this.rows = Math.ceil(height / SIDE);
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  // The squares that a box touches, within the window.
  range([x, y, width, height]) {
    const clamp = (value, end) => Math.max(0, Math.min(end, value));
    return [
      clamp(Math.floor(x / SIDE), this.columns),
      clamp(Math.ceil((x + width) / SIDE), this.columns),
      clamp(Math.floor(y / SIDE), this.rows),
      clamp(Math.ceil((y + height) / SIDE), this.rows),
    ];
  }

  take(box) {
    const [left, right, top, bottom] = this.range(box);
    for (let row = top; row < bottom; row++) this.taken.fill(1, row * this.columns + left, row * this.columns + right);
  }

  isFree(box) {
    const [left, right, top, bottom] = this.range(box);
    for (let row = top; row < bottom; row++) {
      for (let square = row * this.columns + left; square < row * this.columns + right; square++) {
        if (this.taken[square]) return false;
      }
    }
    return true;
  }
}
