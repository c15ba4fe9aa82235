// The values of cells, printed in them where they fit.
import { formatFixed, formatNumber } from "../../shared/numbers.js";

export const LEAST_CELL = [30, 14]; // pixels of a cell with its value
const PADDING = 3; // pixels beside a value
const MAX_VALUES = 2500; // printed at once
const FORMS = [3, 2, 1, 0]; // decimals, the most that fit

// The value as text, with as many decimals as fit into `room` pixels; "" where not even the shortest does.
export function fitValue(value, room, measure) {
  if (value === Number.NEGATIVE_INFINITY) return measure("−∞") <= room ? "−∞" : "";
  for (const decimals of FORMS) {
    if (decimals === 0 && Math.abs(value) < 10) break; // it would say too little
    const text = formatNumber(value, decimals);
    if (!text.includes("×") && measure(text) <= room) return text;
  }
  const tiny = formatNumber(value, 3);
  if (measure(tiny) <= room) return tiny;
  const rounded = Math.abs(value) < 1 ? formatFixed(value, 2) : "";
  return measure(rounded) <= room ? rounded : "";
}

// The values of a matrix to print: {text, x, y, row, column, value}; x and y are the middle of each cell. `valueAt` is
// undefined where the number has not come. `mark` stands before each value.
export function printedValues(matrix, rows, columns, { toScreen, measure, valueAt, mark = "" }) {
  const [width, height] = [toScreen(matrix.box)[2], toScreen(matrix.box)[3]];
  const cell = [width / (matrix.columns[1] - matrix.columns[0]), height / (matrix.rows[1] - matrix.rows[0])];
  if (cell[0] < LEAST_CELL[0] || cell[1] < LEAST_CELL[1]) return [];
  if ((rows[1] - rows[0]) * (columns[1] - columns[0]) > MAX_VALUES) return [];
  const [left, top] = toScreen(matrix.box);
  const values = [];
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) {
      const value = valueAt(row, column);
      if (value === undefined) continue;
      const fitting = fitValue(value, cell[0] - 2 * PADDING - (mark && measure(mark)), measure);
      if (!fitting) continue;
      const text = mark + fitting;
      const x = left + (column - matrix.columns[0] + 0.5) * cell[0];
      const y = top + (row - matrix.rows[0] + 0.5) * cell[1];
      values.push({ text, x, y, row, column, value });
    }
  }
  return values;
}
