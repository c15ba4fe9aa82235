// The names of the rows and columns of a matrix: its tokens, or the numbers of features.
import { shownPlaces } from "../../shared/labels.js";
import { axisLabels } from "./names.js";

const GAP = 4; // pixels between a matrix and its words
const LEAST_TYPE = 9; // pixels of the tokens of low rows
const LEAST_SIDE = 26; // pixels of a matrix whose places are named
const LEAST_COLUMNS = 80; // pixels of the width of a matrix with words below it
const MAX_PLACES = 4000; // in sight, of an axis with names

// The places of an axis that are in sight and are named, with the middle of each in the window. `space`: pixels of one.
function namedPlaces([first, end], start, space, length, least, chosen) {
  const from = Math.max(first, first + Math.floor(-start / space));
  const to = Math.min(end, first + Math.ceil((length - start) / space));
  const count = to - from;
  if (count <= 0 || count > MAX_PLACES) return [];
  const marked = chosen === null ? [] : [chosen - from];
  return shownPlaces(count, space, least, marked).map((place) => ({
    place: from + place,
    middle: start + (from + place - first + 0.5) * space,
  }));
}

// The text, or as much of it as fits before an ellipsis, with its width.
export function shorten(text, widest, font, measure) {
  let kept = text;
  let shown = text;
  while (kept.length > 1 && measure(shown, font) > widest) {
    kept = kept.slice(0, -1);
    shown = `${kept}…`;
  }
  return { text: shown, width: measure(shown, font) };
}

// What the places of an axis are called. Null where there is no room even for numbers.
function nameOf(matrix, axis, { layout }) {
  const words = axisLabels(matrix, axis, layout.tokens);
  return { isWord: Boolean(words), name: (place) => (words ? (words[place] ?? "") : String(place)) };
}

// To the left of a matrix, or on it where its left edge is out of sight. The matrix under the mouse has its names also
// where they cover another one. No name is wider than `widest` pixels.
export function rowLabels(matrix, context, widest) {
  const { toScreen, measure, size, chosen, pointed, type, line, left = 0 } = context;
  const [x, y, width, height] = toScreen(matrix.box);
  const space = height / (matrix.rows[1] - matrix.rows[0]);
  const { isWord, name } = nameOf(matrix, "row", context);
  if (height < LEAST_SIDE || width < LEAST_SIDE || (!isWord && space < line)) return [];
  const own = chosen?.matrix === matrix ? chosen.row : null;
  const high = Math.min(line, Math.max(space, LEAST_TYPE));
  const letters = Math.round(2 * Math.max(LEAST_TYPE, Math.min(type - 1, space))) / 2;
  const plain = `${letters}px ${isWord ? "token" : "text"}`;
  const fontOf = (place) => (place === own ? `600 ${plain}` : plain);
  const named = namedPlaces(matrix.rows, y, space, size[1], high, own);
  const longest = Math.max(0, ...named.map(({ place }) => Math.min(widest, measure(name(place), fontOf(place)))));
  const isHidden = x < left + longest + 2 * GAP && x + width > left + longest + 4 * GAP;
  return named.map(({ place, middle }) => {
    const font = fontOf(place);
    const short = shorten(name(place), widest, font, measure);
    return {
      ...short,
      font,
      colour: place === own ? "query" : isWord ? "text" : "muted",
      pill: isHidden || matrix === pointed,
      x: isHidden ? left + GAP : x - short.width - 1.5 * GAP,
      y: middle - high / 2,
      height: high,
    };
  });
}

// Below a matrix, or at the lower edge of the window where the matrix goes on below it.
export function columnLabels(matrix, context, widest) {
  const { toScreen, measure, size, chosen, pointed, type, line } = context;
  const [x, y, width, height] = toScreen(matrix.box);
  const space = width / (matrix.columns[1] - matrix.columns[0]);
  const { isWord, name } = nameOf(matrix, "column", context);
  if (height < LEAST_SIDE || width < LEAST_COLUMNS || (!isWord && space < line)) return [];
  const own = chosen?.matrix === matrix ? chosen.column : null;
  const plain = `${type - 1}px ${isWord ? "token" : "text"}`;
  const named = namedPlaces(matrix.columns, x, space, size[0], line, own);
  const isUpright = named.some(({ place }) => measure(name(place), plain) > space - GAP);
  const isHidden = y + height + line > size[1] && y < size[1] - 2 * line;
  return named.map(({ place, middle }) => {
    const font = place === own ? `600 ${plain}` : plain;
    const short = shorten(name(place), widest, font, measure);
    const high = isUpright ? short.width : line;
    return {
      ...short,
      font,
      colour: place === own ? "key_text" : isWord ? "text" : "muted",
      pill: isHidden || matrix === pointed,
      isUpright,
      x: middle - (isUpright ? line : short.width) / 2,
      y: isHidden ? size[1] - high - GAP : y + height + GAP,
      height: line,
    };
  });
}
