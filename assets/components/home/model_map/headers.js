// The names of layers and of rows, once each, as a table has them: above its layers and to the left of its rows. Where
// these places are out of sight, the names stay at the edge of the window, on a strip.
import { shownPlaces } from "../../shared/labels.js";

export const TYPE = 12; // pixels of most words
export const LINE = 15; // pixels from line to line
const GAP = 4; // pixels beside words
const STRIP_SHARE = 0.16; // of the window's width, that names of rows may cover
const LEAST_SEEN = 0.8; // of the height of a line: less of a row is not named
const ABOUT = 0.5; // pixels by which a thing that is seen whole may seem cut

// The height of the strip with the names of layers, for type of so many pixels.
export const stripHeight = (type) => LINE * (type / TYPE) + 2 * GAP;

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// The headers of all stacks in sight: {labels, strips, left, top}. Each of `labels` is what `placeLabels` makes.
// `strips`: boxes of the window that names cover; `left` and `top`: pixels of the window that they take.
// `isFree(label)`: whether no picture is there.
export function placeHeaders(stacks, context, isFree) {
  const placed = { labels: [], strips: [], left: 0, top: 0 };
  for (const stack of stacks) {
    const area = areaOf(stack, context);
    if (!area) continue;
    const rows = nameRows(stack, area, context, isFree);
    const layers = nameLayers(stack, area, rows, context);
    placed.labels.push(...rows.labels, ...layers.labels);
    placed.strips.push(...rows.strips, ...layers.strips);
    placed.left = Math.max(placed.left, rows.left);
    placed.top = Math.max(placed.top, layers.top);
  }
  return placed;
}

// Where the layers of a stack are in the window: {x, y, right, bottom, top}. `top`: below the strip with their names.
// Null for a stack that is out of sight, or of which only an edge is seen.
function areaOf({ layers }, { toScreen, size, type, line }) {
  const [first, last] = [toScreen(layers[0].box), toScreen(layers.at(-1).box)];
  const [x, y, right, bottom] = [first[0], first[1], last[0] + last[2], first[1] + first[3]];
  const isSticky = y - line - 2 < 0;
  const top = isSticky ? stripHeight(type) : Math.max(y, 0);
  if (right <= GAP || x >= size[0] - GAP || y >= size[1]) return null;
  if (bottom < (isSticky ? 2 * top : 0)) return null;
  return { x, y, right, bottom, top, isSticky, line: isSticky ? GAP : y - line - 2 };
}

// The rows that are in sight, each with the middle of what is seen of it and the name that it has.
function rowsInSight({ rows }, area, { toScreen, size, line }) {
  const seen = rows
    .map((row) => ({ ...row, screen: toScreen(row.box) }))
    .map((row) => ({
      ...row,
      from: Math.max(row.screen[1], area.top),
      to: Math.min(row.screen[1] + row.screen[3], size[1]),
    }))
    .filter(({ from, to }) => to > from);
  const heads = seen.filter(({ isHeads }) => isHeads);
  const pitch = heads.length > 1 ? heads[1].screen[1] - heads[0].screen[1] : size[1];
  const named = new Set(shownPlaces(heads.length, pitch, line).map((place) => heads[place]));
  return seen.filter((row) => {
    const least = line * LEAST_SEEN;
    const isSeen = row.to - row.from >= (row.isHeads ? Math.min(least, row.screen[3] - ABOUT) : least);
    return isSeen && (!row.isHeads || named.has(row));
  });
}

// The names of the rows to the left of the first layer, or on a strip at the left edge of the window. A row that fills
// the window alone has its name in the `corner`, beside the names of layers.
function nameRows(stack, area, context, isFree) {
  const { size, measure, type, line } = context;
  const font = `${type}px text`;
  const rows = rowsInSight(stack, area, context);
  const wide = (name) => measure(name, font);
  const first = firstLayer(stack, context);
  const make = ({ from, to, groupIn }, name, x) => ({
    text: name,
    font,
    colour: "muted",
    width: wide(name),
    height: line,
    x,
    y: clamp((from + to - line) / 2, area.top - line / 4, size[1] - line),
    group: groupIn(first),
  });
  const widestShort = Math.max(0, ...rows.map(({ names }) => wide(names.at(-1))));
  if (!rows.length) return { labels: [], strips: [], left: 0, corner: null };
  if (area.x >= widestShort + 3 * GAP) {
    const beside = (row, name) => make(row, name, area.x - wide(name) - 2 * GAP);
    return { labels: besideLayers(rows, beside, isFree), strips: [], left: 0, corner: null };
  }
  if (rows.length === 1) return { labels: [], strips: [], left: 0, corner: nearest(rows[0], stack, context) };
  const room = STRIP_SHARE * size[0] - 3 * GAP;
  const named = rows.map((row) => [row, row.names.find((name) => wide(name) <= room)]).filter(([, name]) => name);
  const left = Math.max(...named.map(([, name]) => wide(name))) + 3 * GAP;
  const strip = [0, Math.max(area.y, 0), left, Math.min(area.bottom, size[1]) - Math.max(area.y, 0)];
  return { labels: named.map(([row, name]) => make(row, name, GAP)), strips: [strip], left, corner: null };
}

// A row; where one of its heads is in sight alone, without the title above it, under the name of that head.
function nearest(row, { layers }, { toScreen, size }) {
  const seen = layers
    .flatMap(({ box: [left, top] }) =>
      row.heads.map(({ title, box: [x, y, ...extent] }) => ({
        title,
        screen: toScreen([left + x, top + y, ...extent]),
      })),
    )
    .filter(({ screen: [x, , width] }) => x < size[0] && x + width > 0);
  return seen.length === 1 && seen[0].screen[1] < 0 ? { ...row, names: [seen[0].title] } : row;
}

// The longest names for which there is room: of heads all in one form where that is possible, of other rows each in its
// own.
function besideLayers(rows, make, isFree) {
  const heads = rows.filter(({ isHeads }) => isHeads);
  const forms = [0, -1].map((form) => heads.map((row) => make(row, row.names.at(form))));
  const others = rows
    .filter(({ isHeads }) => !isHeads)
    .map((row) => row.names.map((name) => make(row, name)).find(isFree))
    .filter(Boolean);
  const named = forms.find((labels) => labels.every(isFree)) ?? forms[1].filter(isFree);
  return [...named, ...others].map((label) => ({ ...label, pill: true })); // lines of the flow pass below them
}

const firstLayer = ({ layers }, { toScreen }) =>
  layers.find((layer) => {
    const [x, , width] = toScreen(layer.box);
    return x + width > 0;
  }) ?? layers[0];

// The names of the layers in one line: all “Layer 9”, or numbers after one “Layer”. Every n-th where they are narrow.
function nameLayers({ title, layers }, area, { left, corner }, { toScreen, size, measure, type, line }) {
  const font = `600 ${type}px text`;
  const label = (text, x, group) => ({
    text,
    font,
    colour: "text",
    x,
    y: area.line,
    width: measure(text, font),
    height: line,
    group,
  });
  const labels = [];
  const isHeld = area.isSticky || Boolean(corner);
  let start = left;
  const words = [isHeld ? title : "", corner?.names[0]].filter(Boolean).join(" · ");
  if (words) {
    labels.push(label(words, GAP, corner?.groupIn(layers[0])));
    start = Math.max(left, labels[0].width + 3 * GAP);
  }
  const seen = layers
    .map((group) => ({ group, screen: toScreen(group.box) }))
    .map(({ group, screen: [x, , width] }) => ({
      group,
      wide: width,
      from: Math.max(x, start),
      to: Math.min(x + width, size[0]),
    }))
    .filter(({ from, to }) => to > from);
  const pitch = layers.length > 1 ? toScreen(layers[1].box)[0] - toScreen(layers[0].box)[0] : size[0];
  const isLong = Math.max(...layers.map((layer) => measure(layer.title, font))) + 2 * GAP <= pitch;
  const name = ({ title: whole }) => (isLong ? whole : (whole.match(/\d+$/)?.[0] ?? whole));
  const least = Math.max(0, ...layers.map((layer) => measure(name(layer), font))) + 2 * GAP;
  const kept = shownPlaces(seen.length, pitch, least).map((place) => seen[place]);
  for (const { group, from, to, wide } of kept) {
    const text = name(group);
    const width = measure(text, font);
    if (to - from >= Math.min(width, wide - ABOUT))
      labels.push(label(text, clamp((from + to - width) / 2, start, size[0] - width), group));
  }
  if (labels.length === Number(Boolean(words)) && seen.length)
    labels.push(label(name(seen[0].group), start, seen[0].group));
  if (!isLong && !words && kept.length) addNoun(labels, label, layers[0].title, start);
  const strips = area.isSticky ? stripsBelow(labels, area, words ? labels[0] : null, size[0]) : [];
  return { labels, strips, top: strips.length ? area.top : 0 };
}

// The strips below the names of layers, and below the words before them: what stands beside the layers stays in sight.
function stripsBelow(labels, area, words, wide) {
  const strips = words ? [[0, 0, words.width + 2 * GAP, area.top]] : [];
  const layers = labels.filter((label) => label !== words);
  if (!layers.length) return strips;
  const left = Math.max(0, Math.min(area.x, layers[0].x - GAP));
  return [...strips, [left, 0, Math.min(area.right, wide) - left, area.top]];
}

// “Layer” before the first number, where there is room.
function addNoun(labels, label, title, start) {
  const noun = label(title.replace(/\s*\d+$/, ""), 0, undefined);
  const x = labels[0].x - noun.width - GAP;
  if (x >= Math.min(start, GAP) && noun.text) labels.unshift({ ...noun, x });
}
