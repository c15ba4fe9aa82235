// A matrix as a picture of its cells: with gaps, numbers and frames, and as a sentence.
// A matrix is {rows, columns, values, scale, image}; a box is {x, y, width, height} on the canvas.
import { drawText, strokeBox, strokeLines } from "../shared/canvas.js";
import { textFont } from "../shared/fonts.js";
import { formatNumber } from "../shared/numbers.js";
import { cellPicture, colourRamp, rampColour, unitStep } from "../shared/scales.js";
import { inkOn } from "../shared/theme.js";

const LEAST_WITH_GAPS = 7; // pixels of a cell
const LEAST_WITH_NUMBERS = { width: 33, height: 15 };

// The largest size of the finite numbers of the matrices, at which a signed scale ends; 1 where all are zero.
export function largestSize(...matrices) {
  let largest = 0;
  for (const values of matrices) {
    for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  }
  return largest || 1;
}

// The place 0..255 of a number on a scale that ends at `largest`.
export function scaleStep(value, scale, largest) {
  return unitStep(scale === "signed" ? (value / largest + 1) / 2 : value / largest);
}

// One pixel a cell. `scale`: "sequential" for 0..largest, "signed" for -largest..largest. Minus infinity has the grey
// of a masked cell, and a value that is not a number the colour of a warning.
export function matrixImage(values, rows, columns, scale, largest, colours) {
  const ramp = colourRamp(colours(scale));
  const plain = (name) => colourRamp(`0 ${colours(name)}, 1 ${colours(name)}`).slice(0, 3);
  const masked = [...plain("masked"), 255];
  const broken = [...plain("warn"), 255];
  return cellPicture(rows, columns, (cell) => {
    const value = values[cell];
    if (Number.isNaN(value)) return broken;
    return value === -Infinity ? masked : rampColour(ramp, scaleStep(value, scale, largest));
  });
}

// Draws a matrix into a box, with gaps and numbers where its cells have room for them.
export function drawMatrix(pen, matrix, box, colours, root) {
  const width = box.width / matrix.columns;
  const height = box.height / matrix.rows;
  pen.imageSmoothingEnabled = width < 1 || height < 1;
  pen.drawImage(matrix.image, box.x, box.y, box.width, box.height);
  if (width >= LEAST_WITH_GAPS && height >= LEAST_WITH_GAPS) {
    strokeLines(pen, gridLines(box, matrix.rows, matrix.columns), colours("background"));
  } else {
    strokeBox(pen, box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1, colours("border"), 1);
  }
  if (hasNumbers(matrix, box)) drawNumbers(pen, matrix, box, root);
}

// Whether the cells of a matrix have room for their numbers.
export function hasNumbers({ rows, columns }, { width, height }) {
  return width / columns >= LEAST_WITH_NUMBERS.width && height / rows >= LEAST_WITH_NUMBERS.height;
}

// The lines round all cells of a box: those between the columns, then those between the rows.
function gridLines({ x, y, width, height }, rows, columns) {
  const upright = Array.from({ length: columns + 1 }, (_, column) => x + column * (width / columns));
  const level = Array.from({ length: rows + 1 }, (_, row) => y + row * (height / rows));
  return [
    ...upright.map((at) => [
      [at, y],
      [at, y + height],
    ]),
    ...level.map((at) => [
      [x, at],
      [x + width, at],
    ]),
  ];
}

function drawNumbers(pen, { rows, columns, values, image, scale }, box, root) {
  const width = box.width / columns;
  const height = box.height / rows;
  const shades = image.getContext("2d").getImageData(0, 0, columns, rows).data;
  const font = `${Math.min(12, height * 0.62)}px ${textFont(root)}`;
  for (let cell = 0; cell < rows * columns; cell++) {
    if (scale === "sequential" && values[cell] === 0) continue;
    const colour = inkOn(...rampColour(shades, cell));
    const x = box.x + ((cell % columns) + 0.5) * width;
    const y = box.y + (Math.floor(cell / columns) + 0.5) * height + 4;
    drawText(pen, cellText(values[cell]), x, y, { font, colour, align: "center", widest: width - 2 });
  }
}

// A number in a cell has two decimals, and a tiny one is 0.00: a power of ten has no room there.
export function cellText(value) {
  if (Number.isNaN(value)) return "NaN";
  return value && Math.abs(value) < 0.005 ? "0.00" : formatNumber(value, 2);
}

// A frame round the cells of a box from (row, column) on.
export function frameCells(pen, box, { rows, columns }, cells, colour) {
  const { row, column, tall = 1, wide = 1 } = cells;
  const width = box.width / columns;
  const height = box.height / rows;
  const visible = (length) => Math.max(length, 3);
  strokeBox(pen, box.x + column * width, box.y + row * height, visible(wide * width), visible(tall * height), colour);
}

// The row and the column of a box at a point. Beyond the box they lie outside of the matrix.
export function placeAt(box, rows, columns, x, y) {
  return {
    row: Math.floor(((y - box.y) / box.height) * rows),
    column: Math.floor(((x - box.x) / box.width) * columns),
  };
}

// The cell of a box under a point, or null.
export function cellAt(box, rows, columns, x, y) {
  const { row, column } = placeAt(box, rows, columns, x, y);
  return row < 0 || column < 0 || row >= rows || column >= columns ? null : { row, column };
}

// A matrix in a sentence, for those who do not see it. `cellName` names the cell of a row and a column.
export function describeMatrix(name, { rows, columns, values }, cellName) {
  const size = `${name}, ${rows} by ${columns}`;
  const numbers = values.filter((value) => !Number.isNaN(value) && value !== -Infinity);
  if (!numbers.length) return `${size}: no cell has a number.`;
  const [least, largest] = numbers.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  const cell = values.indexOf(largest);
  const hidden = values.filter((value) => value === -Infinity).length;
  const place = cellName(Math.floor(cell / columns), cell % columns);
  const range = `from ${formatNumber(least)} to ${formatNumber(largest)}, the largest at ${place}`;
  return `${size}: ${range}${hidden ? `, ${hidden} cells hidden` : ""}.`;
}
