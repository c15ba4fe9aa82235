// Where the cells of the heatmap stand, and which of its labels have room.

const WIDEST = 2400; // pixels
const NAMED_HEIGHT = 13; // pixels of a row from which its word is written beside it

// `longest`: letters of the longest word. Presented, the map is lower, so that its waves are seen with it.
export function arrangeCells({ rows, columns, room, longest, isPresented }) {
  const width = Math.min(room, WIDEST);
  const tall = Math.max(Math.min(Math.floor((isPresented ? 420 : 560) / rows), 26), 2);
  const isNamed = tall >= NAMED_HEIGHT;
  const left = isNamed ? Math.min(8.2 * longest + 34, 0.34 * width) : 34;
  const top = 22;
  const wide = Math.min(Math.max((width - left - 2) / columns, 1), 46);
  return { left, top, tall, wide, isNamed, width: left + wide * columns + 2, height: top + tall * rows + 2 };
}

// Every n-th row has a number: all where words are written, else as many as stand apart.
export function rowStride({ isNamed, tall }) {
  return isNamed ? 1 : [5, 10, 20, 50, 100].find((stride) => stride * tall >= 14);
}

// Every n-th pair of features has a number. A pair with much room has its name written out.
export function pairStride({ wide }) {
  const room = 2 * wide;
  const least = room >= 44 ? 44 : 24;
  return [1, 2, 4, 8, 16, 32, 64, 128].find((stride) => stride * room >= least) ?? 256;
}

// The pairs whose waves are shown after one was clicked: it goes if it was shown, else it comes, and the oldest goes.
export function togglePair(pairs, pair, most) {
  const others = pairs.filter((other) => other !== pair);
  return others.length < pairs.length ? others : [...others, pair].slice(-most);
}

export const subscript = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
