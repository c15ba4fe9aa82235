// The matrices of a step on their canvas, with names, signs, labels and frames.
// `picture` is the MatrixSteps that is drawn; a matrix is named a, b, c or d, as in geometry.js.
import { drawText, strokeLines } from "../../shared/canvas.js";
import { textFont } from "../../shared/fonts.js";
import { formatNumber } from "../../shared/numbers.js";
import { drawColumnLabels, drawRowLabels, labelWidth } from "../labels.js";
import { drawMatrix, frameCells, largestSize } from "../matrix.js";
import { productAt } from "./sums.js";

export const LABEL_HEIGHT = 96; // pixels that the column labels may take

// The labels of an axis; null for features, which have none.
export const labelsOf = (data, axis) => (axis === "feature" ? null : data.tokens[axis]);

// `lit` comes from `litBy` of geometry.js. `shown`: the share of the result's rows that are drawn, while it appears.
export function drawStep(pen, picture, lit, shown) {
  const { data, matrices, boxes, colours, root } = picture;
  for (const [name, box] of Object.entries(boxes)) {
    pen.save();
    if ((name === "c" || name === "d") && shown < 1) {
      pen.beginPath();
      pen.rect(box.x - 2, box.y - 2, box.width + 4, box.height * shown + 2);
      pen.clip();
    }
    drawMatrix(pen, matrices[name], box, colours, root);
    pen.restore();
    drawName(pen, picture, name, box);
  }
  if (data.kind !== "product") drawSigns(pen, picture);
  const { rows } = matrices.c;
  const sweptRow = shown < 1 ? Math.min(Math.floor(shown * rows), rows - 1) : null;
  drawLabels(pen, picture, sweptRow ?? lit.cell?.row ?? lit.row, lit.cell?.column ?? lit.column);
  if (sweptRow !== null) frameSweptRow(pen, picture, sweptRow);
  else if (data.kind === "product") frameProduct(pen, picture, lit);
  else frameRowOfMatrices(pen, picture, lit.cell);
}

// The name of a matrix and its shape: above the left one and the upper one, below the results.
function drawName(pen, { data, matrices, colours, root }, name, box) {
  const { symbol, role, rows, columns, column } = matrices[name];
  const isProduct = data.kind === "product";
  const labels = labelsOf(data, column);
  let y = box.y - (labels ? labelWidth(pen, labels, root, LABEL_HEIGHT) + 12 : 9);
  if (isProduct && (name === "c" || name === "d")) y = box.y + box.height + 17;
  else if (isProduct) y = name === "a" ? box.y - 9 : 14;
  const width = drawSymbol(pen, symbol, box.x, y, textFont(root), colours(role));
  const style = { font: `12px ${textFont(root)}`, colour: colours("muted") };
  drawText(pen, `${rows} × ${columns}`, box.x + width + 8, y, style);
}

// A symbol such as W_Q, its index set lower. Returns its width.
function drawSymbol(pen, symbol, x, y, family, colour) {
  const [stem, index = "", rest = ""] = symbol.split(/_(.)/);
  const large = { font: `600 14px ${family}`, colour };
  drawText(pen, stem, x, y, large);
  let width = pen.measureText(stem).width;
  if (!index) return width;
  drawText(pen, index, x + width + 0.5, y + 3, { font: `600 10px ${family}`, colour });
  width += pen.measureText(index).width + 1;
  drawText(pen, rest, x + width, y, large);
  return width + pen.measureText(rest).width;
}

// The signs between matrices in a row, or below each where they are stacked.
function drawSigns(pen, { data, matrices, boxes, colours, root }) {
  const style = { font: `18px ${textFont(root)}`, colour: colours("muted"), align: "center" };
  const names = ["a", "b", "c"].filter((name) => boxes[name]);
  names.slice(1).forEach((name, i) => {
    const from = boxes[names[i]];
    const to = boxes[name];
    const sign = name === "c" && matrices.b ? "=" : data.sign;
    if (from.y !== to.y) {
      drawText(pen, sign, from.x - 24, from.y + from.height + 26, style);
      return;
    }
    const end = from.x + from.width;
    drawText(pen, sign, (end + to.x) / 2, from.y + from.height / 2 + 6, { ...style, widest: to.x - end - 4 });
  });
}

function drawLabels(pen, { data, matrices, boxes, colours, root }, row, column) {
  const { a } = matrices;
  const rows = labelsOf(data, a.row);
  const drawRows = (name, role) => {
    const box = boxes[name];
    drawRowLabels(pen, rows, box, box.x - 8, box.x - 10, { root, colours, role, chosen: row });
  };
  if (rows) drawRows("a", a.row === "key" ? "key_text" : "query");
  const isStacked = boxes.c.x === boxes.a.x && boxes.c.y !== boxes.a.y;
  if (rows && isStacked) for (const name of ["b", "c"]) if (boxes[name]) drawRows(name, "query");
  for (const name of data.kind === "product" ? ["b"] : ["a", "b", "c"]) {
    const columns = matrices[name] && labelsOf(data, matrices[name].column);
    const style = { root, colours, role: "key_text", chosen: column };
    if (columns) drawColumnLabels(pen, columns, boxes[name], boxes[name].y - 6, 92, style);
  }
}

// While the result appears, the row that it is made from.
function frameSweptRow(pen, { matrices: { a }, boxes, colours }, row) {
  frameCells(pen, boxes.a, a, { row, column: 0, wide: a.columns }, colours(a.role));
}

// The row and the column that a cell of a product is made from, the two lines of an operand's cell, and the result.
function frameProduct(pen, picture, { row, column, middle, cell }) {
  const { matrices, boxes, colours } = picture;
  const { a, b, c } = matrices;
  const frame = (name, cells, colour) => frameCells(pen, boxes[name], matrices[name], cells, colour);
  const rowOf = (matrix, at) => ({ row: at, column: 0, wide: matrix.columns });
  const columnOf = (matrix, at) => ({ row: 0, column: at, tall: matrix.rows });
  if (row !== undefined) frame("a", rowOf(a, row), colours(a.role));
  if (column !== undefined) frame("b", columnOf(b, column), colours(b.role));
  if (middle !== undefined && row !== undefined) frame("b", rowOf(b, middle), colours(b.role));
  if (middle !== undefined && column !== undefined) frame("a", columnOf(a, middle), colours(a.role));
  if (!cell) return;
  for (const name of ["c", "d"]) if (boxes[name]) frameCells(pen, boxes[name], c, cell, colours("text"));
  drawTerms(pen, picture, cell);
}

// The cell in each matrix, and the cells that it depends on.
function frameRowOfMatrices(pen, { data, matrices, boxes, colours }, cell) {
  const { a, c } = matrices;
  const shift = data.head * a.columns;
  if (cell && ["softmax", "norm"].includes(data.kind)) {
    frameCells(pen, boxes.a, a, { row: cell.row, column: 0, wide: a.columns }, colours("query"));
  }
  if (data.kind === "concat") {
    frameCells(pen, boxes.c, c, { row: 0, column: shift, tall: c.rows, wide: a.columns }, colours("value"));
  }
  if (!cell) return;
  for (const name of Object.keys(boxes)) {
    const column = data.kind === "concat" && name === "a" ? cell.column - shift : cell.column;
    if (column < 0 || column >= matrices[name].columns) continue;
    const isPair = data.kind === "rotate" && name === "a"; // two features turn together
    const first = isPair ? column - (column % 2) : column;
    frameCells(
      pen,
      boxes[name],
      matrices[name],
      { row: cell.row, column: first, wide: isPair ? 2 : 1 },
      colours("text"),
    );
  }
}

// The products behind one cell, in the corner between the two factors: each above its column.
function drawTerms(pen, { matrices, terms, colours, root }, { row, column }) {
  const count = matrices.a.columns;
  const products = Array.from({ length: count }, (_, i) => productAt(matrices, row, column, i));
  const largest = products.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  const middle = terms.y + terms.height / 2;
  const step = terms.width / count;
  const reach = terms.height / 2 - 14;
  const size = largestSize(products);
  strokeLines(
    pen,
    [
      [
        [terms.x, middle],
        [terms.x + terms.width, middle],
      ],
    ],
    colours("border"),
  );
  products.forEach((value, i) => {
    const length = (value / size) * reach;
    pen.fillStyle = colours(value >= 0 ? "query" : "key");
    const y = length >= 0 ? middle - length : middle;
    const width = Math.max(step - (step > 3 ? 1 : 0), 0.7);
    pen.fillRect(terms.x + i * step, y, width, Math.max(Math.abs(length), 0.5));
  });
  const style = { font: `12px ${textFont(root)}`, colour: colours("muted") };
  const long = `the ${count} products, largest ${formatNumber(largest)}`;
  pen.font = style.font;
  const fits = pen.measureText(long).width <= terms.width;
  drawText(pen, fits ? long : `${count} products`, terms.x, terms.y - 10, style);
}
