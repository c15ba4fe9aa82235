// Titles, tokens and numbers beside what they name, wherever they can be read. The first ones win.
import { columnLabels, rowLabels } from "./axis_labels.js";
import { roleOf, shapeText } from "./names.js";
import { Occupancy } from "./occupancy.js";

export const TYPE = 12; // pixels of most words
export const LINE = 15; // pixels from line to line
const GAP = 4; // pixels between a matrix and its words
const LEAST_TITLED = 26; // pixels of the width of a matrix with a title
const LEADING = 2; // pixels above and below the letters of a line
const SPACING = 2; // pixels free before and behind a label
const WIDTHS = [120, 44, 30]; // pixels of the labels of an axis at most: the first with room for all of them

// All labels of what is seen: {text, x, y, width, height, font, colour, isUpright, pill}. x and y: the upper left edge.
// `measure(text, font)` gives pixels, `toScreen` boxes of the window. `taken`: other boxes of the window with words.
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
  for (const group of seen.groups) putFirst(groupTitles(group, context), put);
  const matrices = [...seen.matrices].sort(
    (one, other) => (other === pointed) - (one === pointed) || other.box[2] - one.box[2],
  );
  for (const matrix of matrices) putFirst(matrixTitles(matrix, context), put);
  const putAll = (forms) => forms.some((labels) => labels.every(fits) && labels.map(put));
  for (const matrix of matrices) {
    putAll(WIDTHS.map((widest) => rowLabels(matrix, context, widest)));
    putAll(WIDTHS.map((widest) => columnLabels(matrix, context, widest)));
  }
  return placed;
}

// The letters of a label leave a little of its line free.
const boxOf = ({ x, y, width, height, isUpright }) =>
  isUpright
    ? [x + LEADING, y - SPACING, height - 2 * LEADING, width + 2 * SPACING]
    : [x - SPACING, y + LEADING, width + 2 * SPACING, height - 2 * LEADING];

// Puts the first of several forms that finds room.
const putFirst = (labels, put) => labels.some(put);

// The number at the end of a title stands for it where the title has no room: “9” for “Layer 9”.
const shortTitle = (title) => title.match(/(\d+)$/)?.[1] ?? "";

// The title of a group: above its box, or to the left of a head. What the first layer has is named at length.
function groupTitles(group, { toScreen, measure, type, line, size }) {
  if (!group.title || group.kind === "model") return [];
  const [x, y, width, height] = toScreen(group.box);
  if (width > size[0] * 0.9) return [];
  const strong = `600 ${type}px text`;
  const plain = `${type}px text`;
  const isFirst = group.go?.layer === 0;
  const wide = measure(group.title, strong);
  const short = shortTitle(group.title);
  const own = { text: group.title, font: strong, colour: "text", width: wide, height: line, group };
  const muted = { ...own, font: plain, colour: "muted", width: measure(group.title, plain) };
  const labels = [];
  if (wide <= width) labels.push({ ...own, x, y: y - line - 2 });
  if (group.kind === "layer" && short) {
    const number = measure(short, strong);
    const above = { ...own, y: y - line - 2 };
    if (isFirst) labels.push({ ...above, x: x + (width + number) / 2 - wide });
    labels.push({ ...above, text: short, x: x + (width - number) / 2, width: number });
  } else if (group.kind === "head") {
    if (height >= line) labels.push({ ...muted, x: x - muted.width - 2 * GAP, y: y + (height - line) / 2 });
    labels.push({ ...own, text: short, x, y: y - line - 2, width: measure(short, strong) });
  } else if (isFirst && group.children.length === 0) labels.push({ ...muted, x, y: y - line });
  return labels;
}

// What a matrix is, above it: as much of its title, shape and meaning as fits.
function matrixTitles(matrix, { toScreen, measure, type, line }) {
  const [x, y, width] = toScreen(matrix.box);
  const isHead = matrix.group.kind === "head" && matrix.until != null; // its picture from afar has its own title
  if (width < LEAST_TITLED || isHead) return [];
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
