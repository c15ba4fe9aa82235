// Titles, tokens and numbers beside what they name, wherever they can be read. The first ones win.
import { columnLabels, rowLabels } from "./axis_labels.js";
import { LINE, placeHeaders, TYPE } from "./headers.js";
import { roleOf, shapeText } from "./names.js";
import { Occupancy } from "./occupancy.js";

const GAP = 4; // pixels between a matrix and its words
const LEAST_TITLED = 26; // pixels of the width of a matrix with a title
const LEADING = 2; // pixels above and below the letters of a line
const SPACING = 2; // pixels free before and after a label
const WIDTHS = [120, 44, 30]; // pixels of the labels of an axis at most: the first with room for all of them

// All labels of what is seen, and the strips of the window on which names of layers and rows stay in sight:
// {labels, strips}. A label is {text, x, y, width, height, font, colour, isUpright, pill}, with its upper left edge.
// `measure(text, font)` gives pixels, `toScreen` boxes of the window. `taken`: other boxes with words.
export function placeLabels(
  seen,
  { toScreen, size, measure, layout, chosen, pointed = null, taken = [], type = TYPE },
) {
  const context = { toScreen, size, measure, layout, chosen, pointed, type, line: LINE * (type / TYPE) };
  const page = new Occupancy(...size);
  const words = new Occupancy(...size);
  for (const { box } of seen.matrices) page.take(toScreen(box));
  for (const box of taken) page.take(box);
  const placed = [];
  const isFree = (label) => {
    const box = boxOf(label);
    return words.isFree(box) && (label.pill || page.isFree(box));
  };
  const isOutside = ([x, y, width, height]) => x < 0 || y < 0 || x + width > size[0] || y + height > size[1];
  const fits = (label) => isOutside(boxOf(label)) || isFree(label);
  const put = (label) => {
    if (isOutside(boxOf(label)) || !isFree(label)) return false;
    words.take(boxOf(label));
    placed.push(label);
    return true;
  };
  const headers = placeHeaders(layout.stacks, context, (label) => !isOutside(boxOf(label)) && isFree(label));
  for (const label of headers.labels) words.take(boxOf(label));
  for (const strip of headers.strips) words.take(strip);
  Object.assign(context, { left: headers.left, top: headers.top });
  for (const group of seen.groups) putFirst(groupTitles(group, context), put);
  for (const part of seen.groups) nameHeads(part, context, fits, put);
  const matrices = [...seen.matrices].sort(
    (one, other) => (other === pointed) - (one === pointed) || other.box[2] - one.box[2],
  );
  for (const matrix of matrices) putFirst(matrixTitles(matrix, context), put);
  const putAll = (forms) => forms.some((labels) => labels.every(fits) && labels.map(put));
  for (const matrix of matrices) {
    putAll(WIDTHS.map((widest) => rowLabels(matrix, context, widest)));
    putAll(WIDTHS.map((widest) => columnLabels(matrix, context, widest)));
  }
  return { labels: [...placed, ...headers.labels], strips: headers.strips };
}

// The letters of a label leave a little of its line free.
const boxOf = ({ x, y, width, height, isUpright }) =>
  isUpright
    ? [x + LEADING, y - SPACING, height - 2 * LEADING, width + 2 * SPACING]
    : [x - SPACING, y + LEADING, width + 2 * SPACING, height - 2 * LEADING];

// Puts the first of several forms that finds room.
const putFirst = (labels, put) => labels.some(put);

// The title of a group above its box. Those of a layer or a row have theirs in the headers.
function groupTitles(group, { toScreen, measure, type, line, size }) {
  if (!group.title || ["model", "head"].includes(group.kind) || group.hasHeader) return [];
  const [x, y, width] = toScreen(group.box);
  const font = `600 ${type}px text`;
  const wide = measure(group.title, font);
  if (width > size[0] * 0.9 || wide > width) return [];
  return [{ text: group.title, font, colour: "text", width: wide, x, y: y - line - 2, height: line, group }];
}

// The names or the numbers of heads that stand beside each other in a layer, above each of them: of all or of none.
function nameHeads(part, { toScreen, measure, type, line, left, top }, fits, put) {
  const heads = part.children.filter(({ kind, hasHeader }) => kind === "head" && !hasHeader);
  if (!heads.length || !hasLineAbove(heads, toScreen, line)) return;
  const seen = heads.filter(({ box }) => {
    const [x, y] = toScreen(box);
    return x >= left && y - line - 2 >= top; // beside the strips
  });
  const font = `600 ${type}px text`;
  const form = (nameOf) =>
    seen.map((group) => {
      const [x, y, room] = toScreen(group.box);
      const text = nameOf(group);
      const width = measure(text, font);
      return { text, font, colour: "text", width, x, y: y - line - 2, height: line, group, room };
    });
  const forms = [form(({ title }) => title), form(({ title }) => title.match(/\d+$/)?.[0] ?? title)];
  const found = forms.find((labels) => labels.every((label) => label.width <= label.room && fits(label)));
  found?.forEach(put);
}

// Whether the rows of heads are so far from each other that a line has room between them.
function hasLineAbove(heads, toScreen, line) {
  const tops = [...new Set(heads.map(({ box }) => box[1]))];
  const gap = tops.length > 1 ? tops[1] - tops[0] - heads[0].box[3] : Infinity;
  return gap === Infinity || toScreen([0, 0, 0, gap])[3] >= line;
}

// What a matrix is, above it: as much of its title, shape and meaning as fits.
function matrixTitles(matrix, { toScreen, measure, type, line }) {
  const [x, y, width] = toScreen(matrix.box);
  if (width < LEAST_TITLED || matrix.until != null) return []; // a picture from afar is named by its row
  const strong = `600 ${type}px text`;
  const plain = `${type}px text`;
  const head = matrix.title;
  const shape = shapeText(matrix);
  const rest = [`${shape} · ${matrix.meaning}`, shape, ""];
  const wideHead = measure(head, strong);
  return rest
    .map((tail) => ({ tail, wide: wideHead + (tail ? GAP + measure(tail, plain) : 0) }))
    .filter(({ wide }) => wide <= width + 2 * GAP)
    .map(({ tail, wide }) => ({
      text: head,
      tail: tail && { text: tail, font: plain, colour: "muted", x: wideHead + GAP },
      font: strong,
      colour: roleOf(matrix),
      x: Math.max(x, 0),
      y: y - line - 1,
      width: wide,
      height: line,
    }));
}
