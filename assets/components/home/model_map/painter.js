// Draws cells, frames and words on one canvas.
import { strokeBox } from "../../shared/canvas.js";
import { hasArabicScript } from "../../shared/fonts.js";
import { sidesOf } from "./levels.js";
import { colourCells } from "./palette.js";

const LEAST_GRIDDED = 18; // pixels of a cell with a line around it
const LONGEST_SIDE = 8192; // device pixels of the canvas

export class Painter {
  // `fonts`: the families of "text" and "token".
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d", { alpha: false });
    this.widths = new Map();
    this.pictures = new WeakMap(); // tile -> its cells as a canvas
  }

  setTheme(colours, palettes, fonts) {
    Object.assign(this, { colours, palettes, fonts });
    this.pictures = new WeakMap();
    this.widths.clear();
  }

  // Fonts that have come since are as wide as they are now.
  forgetWidths() {
    this.widths.clear();
  }

  resize(width, height) {
    this.ratio = Math.min(window.devicePixelRatio || 1, LONGEST_SIDE / Math.max(width, height));
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.size = [width, height];
  }

  begin() {
    this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.pen.fillStyle = this.colours("background");
    this.pen.fillRect(0, 0, ...this.size);
    this.pen.imageSmoothingEnabled = false;
    this.pen.textBaseline = "middle";
  }

  // A font as labels name it, such as "600 12px text", for the canvas.
  css(font) {
    return font.replace(/(text|token)$/, (family) => this.fonts[family]);
  }

  measure(text, font) {
    const key = `${font}|${text}`;
    if (!this.widths.has(key)) {
      this.pen.font = this.css(font);
      this.widths.set(key, this.pen.measureText(text).width);
    }
    return this.widths.get(key);
  }

  // The cells of a tile as a canvas of one pixel each.
  pictureOf(tile) {
    let picture = this.pictures.get(tile);
    if (!picture) {
      picture = document.createElement("canvas");
      picture.width = tile.columns;
      picture.height = tile.rows;
      const pen = picture.getContext("2d");
      const image = pen.createImageData(tile.columns, tile.rows);
      colourCells(tile, this.palettes[tile.scale.kind], new Uint32Array(image.data.buffer));
      pen.putImageData(image, 0, 0);
      this.pictures.set(tile, picture);
    }
    return picture;
  }

  // The part of a tile that lies in its matrix and is in sight. `place`: the level and the tile's first row and column.
  drawTile(matrix, tile, { level, row, column }, camera) {
    const [rowSide, columnSide] = sidesOf(matrix, level);
    const [k, left, top] = camera.transform;
    const [wide, high] = [matrix.cell[0] * columnSide * k, matrix.cell[1] * rowSide * k]; // of a cell of the level
    const originX = (matrix.box[0] - matrix.columns[0] * matrix.cell[0]) * k + left;
    const originY = (matrix.box[1] - matrix.rows[0] * matrix.cell[1]) * k + top;
    const [x, width] = span(matrix.columns, columnSide, column, tile.columns, originX, wide, this.size[0]);
    const [y, height] = span(matrix.rows, rowSide, row, tile.rows, originY, high, this.size[1]);
    if (width <= 0 || height <= 0) return;
    const edges = [originX + x * wide, originX + (x + width) * wide, originY + y * high, originY + (y + height) * high];
    const [l, r, t, b] = edges.map((edge) => Math.round(edge * this.ratio) / this.ratio);
    const least = 1 / this.ratio;
    const box = [l, t, Math.max(least, r - l), Math.max(least, b - t)];
    this.pen.drawImage(this.pictureOf(tile), x - column, y - row, width, height, ...box);
  }

  drawGrid(matrix, { rows, columns }, toScreen) {
    const [left, top, width, height] = toScreen(matrix.box);
    const cell = [width / (matrix.columns[1] - matrix.columns[0]), height / (matrix.rows[1] - matrix.rows[0])];
    if (Math.min(...cell) < LEAST_GRIDDED) return;
    const { pen } = this;
    pen.strokeStyle = this.colours("background");
    pen.lineWidth = 1;
    pen.beginPath();
    const [x0, x1] = columns.map((column) => left + (column - matrix.columns[0]) * cell[0]);
    const [y0, y1] = rows.map((row) => top + (row - matrix.rows[0]) * cell[1]);
    for (let x = x0; x <= x1 + 0.5; x += cell[0]) {
      pen.moveTo(x, Math.max(y0, 0));
      pen.lineTo(x, Math.min(y1, this.size[1]));
    }
    for (let y = y0; y <= y1 + 0.5; y += cell[1]) {
      pen.moveTo(Math.max(x0, 0), y);
      pen.lineTo(Math.min(x1, this.size[0]), y);
    }
    pen.stroke();
  }

  // A box of the window, cut where it is far out of sight. `outset`: pixels around it.
  frame(box, colour, thickness, outset = 0) {
    const [x, y, right, bottom] = [
      Math.max(box[0] - outset, -9),
      Math.max(box[1] - outset, -9),
      Math.min(box[0] + box[2] + outset, this.size[0] + 9),
      Math.min(box[1] + box[3] + outset, this.size[1] + 9),
    ];
    if (right > x && bottom > y) {
      strokeBox(this.pen, x, y, right - x, bottom - y, this.colours(colour), thickness);
    }
  }

  fill([x, y, width, height], colour, opacity = 1) {
    this.pen.globalAlpha = opacity;
    this.pen.fillStyle = this.colours(colour);
    this.pen.fillRect(x, y, width, height);
    this.pen.globalAlpha = 1;
  }

  line(points, colour, width, opacity = 1) {
    const { pen } = this;
    pen.globalAlpha = opacity;
    pen.strokeStyle = this.colours(colour);
    pen.lineWidth = width;
    pen.beginPath();
    points.forEach(([x, y], i) => {
      if (i) pen.lineTo(x, y);
      else pen.moveTo(x, y);
    });
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // `colour`: the name of a colour, or one of CSS.
  text(text, x, y, font, colour, align = "left", widest = undefined) {
    const { pen } = this;
    pen.font = this.css(hasArabicScript(text) ? font.replace(/token$/, "text") : font);
    pen.fillStyle = colour.startsWith("#") ? colour : this.colours(colour);
    pen.textAlign = align;
    pen.fillText(text, x, y, widest);
  }

  label({ text, tail, x, y, width, height, font, colour, pill, isUpright }) {
    const [wide, high] = isUpright ? [height, width] : [width, height];
    if (pill) this.fill([x - 3, y, wide + 6, high], "background", 0.85);
    const { pen } = this;
    if (isUpright) {
      pen.save();
      pen.translate(x + height / 2, y + width);
      pen.rotate(-Math.PI / 2);
      this.text(text, 0, 0, font, colour, "left", width);
      pen.restore();
      return;
    }
    this.text(text, x, y + height / 2, font, colour, "left", tail ? undefined : width + 1);
    if (tail) this.text(tail.text, x + tail.x, y + height / 2, tail.font, tail.colour);
  }
}

// Along one axis: the first cell of the level that is drawn, and how many. `first` and `count`: those of the tile.
function span([from, end], side, first, count, origin, pixels, length) {
  const low = Math.max(from / side, first, Math.floor(-origin / pixels));
  const high = Math.min(end / side, first + count, Math.ceil((length - origin) / pixels));
  return [low, high - low];
}
