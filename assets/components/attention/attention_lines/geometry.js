// Where the words and the lines between them stand. A side is "query" or "key".
// Laid down, queries stand left and keys right; laid across, queries above and keys below.

const HEADING = 22; // pixels
const LEAST_SIDE = 24;

// The height of a row that `longest` words have by default, and the size of their type.
export function rowSize(longest) {
  if (longest <= 16) return { row: 31, type: 15 };
  if (longest <= 32) return { row: 26, type: 14 };
  if (longest <= 64) return { row: 20, type: 12.5 };
  return { row: 16, type: 11 };
}

// The layout of a picture at most `width` x `height` pixels large. `longest`: how many words the longer side has.
// `labels`: the pixels that the widest word of each side takes. `isRtl`: laid across, it begins at the right.
export function arrangeWords({ isDown, isRtl, width, height, longest, labels }) {
  const { row, type } = rowSize(longest);
  const fittingRow = Math.max(Math.min(row, (height - 26) / longest), Math.min(row, type + 3));
  const numbers = isDown ? 40 : 30; // the place of the weights, as numbers
  const widest = isDown ? width * 0.33 - numbers : 150;
  const label = {
    query: Math.min(Math.max(LEAST_SIDE, labels.query), widest),
    key: Math.min(Math.max(LEAST_SIDE, labels.key), widest),
  };
  const sizes = { type, label, numbers, row: fittingRow, heading: HEADING, isDown, isFlipped: !isDown && isRtl };
  return isDown ? arrangeDown(sizes, width, longest) : arrangeAcross(sizes, width, longest);
}

function arrangeDown(sizes, width, longest) {
  const { label, numbers, row } = sizes;
  const gap = Math.min(Math.max(width - label.query - Math.max(label.key, 90) - 2 * numbers, 60), 520);
  const start = { query: numbers + label.query, key: numbers + label.query + gap };
  return {
    ...sizes,
    start,
    width: Math.min(width, start.key + Math.max(label.key, 120) + numbers),
    height: HEADING + longest * row + 4,
  };
}

function arrangeAcross(sizes, width, longest) {
  const { label, numbers, row } = sizes;
  const start = { query: HEADING + numbers + label.query, key: HEADING + numbers + label.query + 230 };
  const step = Math.min(Math.max((width - 8) / longest, row, 22), 56);
  const height = start.key + label.key + numbers + HEADING;
  return { ...sizes, row: step, start, height, width: longest * step + 8 };
}

// The middle of the word at a place of its side: from above, or laid across from the left.
export function middleOf(layout, place) {
  const middle = (place + 0.5) * layout.row;
  if (layout.isDown) return layout.heading + middle;
  return layout.isFlipped ? layout.width - middle - 4 : middle + 4;
}

// The curve between the middles of a query and a key: where it starts, then two points that bend it and its end.
export function curveBetween(layout, queryMiddle, keyMiddle) {
  const from = layout.start.query + 4;
  const to = layout.start.key - 4;
  const bend = (from + to) / 2;
  const points = [
    [from, queryMiddle],
    [bend, queryMiddle],
    [bend, keyMiddle],
    [to, keyMiddle],
  ];
  return layout.isDown ? points.flat() : points.flatMap(([along, across]) => [across, along]);
}

// How long a bar of weight 1 is on a side.
export function barReach(layout, side) {
  if (!layout.isDown) return layout.label[side];
  return side === "key" ? layout.width - layout.start.key - layout.numbers : layout.label.query;
}

// The CSS place of the button of a word.
export function wordStyle(layout, side, place) {
  const isQuery = side === "query";
  const start = middleOf(layout, place) - layout.row / 2;
  const common = { fontSize: `${layout.type}px`, lineHeight: `${layout.row}px`, textAlign: isQuery ? "right" : "left" };
  if (layout.isDown) {
    const width = isQuery ? layout.label.query : layout.width - layout.start.key - layout.numbers;
    const left = isQuery ? layout.numbers : layout.start.key;
    return { ...common, top: `${start}px`, height: `${layout.row}px`, left: `${left}px`, width: `${width}px` };
  }
  const top = isQuery ? layout.heading + layout.numbers : layout.start.key;
  return {
    ...common,
    left: `${start}px`,
    width: `${layout.row}px`,
    top: `${top}px`,
    height: `${layout.label[side]}px`,
    writingMode: "vertical-rl",
  };
}

// The word that a key leads to, [side, place]; undefined for other keys. The place may lie outside of its side.
export function wordAfter(layout, key, side, place, count) {
  const alongQueries = layout.isDown ? "ArrowLeft" : "ArrowUp";
  const alongKeys = layout.isDown ? "ArrowRight" : "ArrowDown";
  const [forward, back] = layout.isDown ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"];
  return {
    [layout.isFlipped ? back : forward]: [side, place + 1],
    [layout.isFlipped ? forward : back]: [side, place - 1],
    Home: [side, 0],
    End: [side, count - 1],
    [alongQueries]: ["query", place],
    [alongKeys]: ["key", place],
  }[key];
}
