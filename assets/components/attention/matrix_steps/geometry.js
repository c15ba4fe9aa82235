// Where the matrices of a step stand. A matrix is named a, b (the operands), c (the result) or d (c added to others).
// An axis is "query", "key" or "feature"; features have no labels and may be narrow.

const RESULT_WIDTH = 430; // pixels that a matrix may be wide
const FEATURE_HEIGHT = 60; // pixels that a feature axis needs

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

const wantedWidth = (axis, count) =>
  axis === "feature" ? clamp(count * 4, 120, RESULT_WIDTH) : Math.min(count * 38, RESULT_WIDTH);
const wantedHeight = (axis, count) => (axis === "feature" ? clamp(count * 2.4, 60, 170) : clamp(count * 26, 30, 400));
const readableHeight = (axis, count, height) => Math.min(height, axis === "feature" ? FEATURE_HEIGHT : count * 15);

// The boxes of a product, by name: a at the left, b above c, d below c. `terms` is the box between a and b, for the
// products behind a cell. `side`: the width of the row labels, `labels`: the height of the column labels, 0 for none.
export function arrangeProduct({ a, b, c, d }, { width, height, side, labels, isNarrow }) {
  const gap = isNarrow ? 16 : 26;
  const top = labels ? labels + 28 : 24;
  const wanted = wantedWidth(a.column, a.columns) + wantedWidth(c.column, c.columns);
  const share = Math.min(1, (width - side - gap - 4) / wanted);
  const [upper, lower] = productHeights(a, b, d ? 2 : 1, height - top - 34 - 30 - (d ? 40 : 0));
  const left = { x: side, width: wantedWidth(a.column, a.columns) * share };
  const right = { x: side + left.width + gap, width: wantedWidth(c.column, c.columns) * share };
  const boxes = {
    a: { ...left, y: top + upper + 34, height: lower },
    b: { ...right, y: top, height: upper },
    c: { ...right, y: top + upper + 34, height: lower },
  };
  if (d) boxes.d = { ...boxes.c, y: boxes.c.y + lower + 40 };
  const terms = { ...left, y: top, height: upper };
  return withSize(boxes, (boxes.d ?? boxes.c).y + lower + 30, terms);
}

// The heights of b, and of a and each of the `results` below it, in the height that is `left` for all of them.
function productHeights(a, b, results, left) {
  const upper = wantedHeight(b.row, b.rows);
  const lower = wantedHeight(a.row, a.rows);
  const wanted = upper + results * lower;
  if (left >= wanted) return [upper, lower];
  const least = Math.min(upper, FEATURE_HEIGHT);
  const fitting = Math.min((lower * left) / wanted, (left - least) / results);
  const shrunk = Math.max(fitting, readableHeight(a.row, a.rows, lower));
  return [Math.max(left - results * shrunk, least), shrunk];
}

// The boxes of all other steps: a, b and c in a row with signs between them, on a narrow screen one below the other.
export function arrangeRow(kind, matrices, { width, height, side, labels, isNarrow }) {
  const { c } = matrices;
  const names = ["a", "b", "c"].filter((name) => matrices[name]);
  const top = labels ? labels + 30 : 26;
  const signs = isNarrow ? 26 : 54;
  const isStacked = isNarrow && names.length * 130 > width - side;
  const across = isStacked ? 1 : names.length;
  const wanted = wantedHeight(c.row, c.rows);
  const tall = Math.max(Math.min(wanted, height - top - 30), readableHeight(c.row, c.rows, wanted));
  const room = (width - side - signs * (across - 1) - 4) / across;
  const boxes = {};
  names.forEach((name, i) => {
    const { column, columns } = matrices[name];
    const before = boxes[names[i - 1]];
    boxes[name] = {
      x: isStacked || !before ? side : before.x + before.width + signs,
      y: isStacked ? top + i * (tall + 64) : top,
      width: Math.min(wantedWidth(column, columns), kind === "concat" && name === "c" ? 1000 : room),
      height: tall,
    };
  });
  if (kind === "concat") boxes.c.width = Math.min(RESULT_WIDTH, width - boxes.c.x - 4);
  return withSize(boxes, boxes.c.y + tall + 30, null);
}

function withSize(boxes, height, terms) {
  const width = Math.max(...Object.values(boxes).map((box) => box.x + box.width)) + 4;
  return { boxes, terms, width, height };
}

// The parts that a cell lights: a row, a column or the axis between them in a product, and its cell of the result.
// `shift`: the first column of this head in the result of a concatenation.
export function litBy(kind, { name, row, column }, shift = 0) {
  if (kind !== "product") return { cell: { row, column: kind === "concat" && name === "a" ? column + shift : column } };
  if (name === "c" || name === "d") return { row, column, cell: { row, column } };
  return name === "a" ? { row, middle: column } : { column, middle: row };
}

// The column of the largest size in a row.
export function strongestColumn({ values, columns }, row) {
  const sizes = Array.from({ length: columns }, (_, column) => Math.abs(values[row * columns + column]));
  return sizes.reduce((best, size, column) => (size > sizes[best] ? column : best), 0);
}
