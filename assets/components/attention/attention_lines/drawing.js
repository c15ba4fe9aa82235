// The lines of all heads, the headings of both sides, and the bars and numbers of the far side.
// `picture` is the AttentionLines that is drawn; `isolated` is the word whose lines alone are shown, or null.
import { drawText, drawUpwards } from "../../shared/canvas.js";
import { textFont } from "../../shared/fonts.js";
import { formatFixed } from "../../shared/numbers.js";
import { barReach, curveBetween } from "./geometry.js";

const STRENGTHS = 16; // lines of one strength share a path, so that thousands stay smooth
const PLAIN_HEADS = 8; // as many have colours of their own; later ones are dashed
const LEAST_BAR = 0.004; // a weight that has a bar at least two pixels long
const LEAST_NUMBER = 0.005; // a weight that is not 0.00

export function headColour({ view, colours }, head) {
  return view.heads.length === 1 ? colours("query") : colours(`series-${head % PLAIN_HEADS}`);
}

// All lines, or those of the isolated word.
export function drawLines(pen, picture, isolated) {
  const { view, visible } = picture;
  const queries = isolated?.side === "query" ? [isolated.i] : visible.query;
  const keys = isolated?.side === "key" ? [isolated.i] : visible.key;
  for (const head of view.heads) {
    pen.strokeStyle = headColour(picture, head);
    pen.setLineDash(head >= PLAIN_HEADS && view.heads.length > 1 ? [5, 3] : []);
    linePaths(picture, head, queries, keys).forEach((path, strength) => {
      const weight = strength / STRENGTHS;
      pen.globalAlpha = isolated ? 0.25 + 0.75 * weight : 0.12 + 0.7 * weight;
      pen.lineWidth = 0.8 + 4.2 * weight;
      pen.stroke(path);
    });
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
}

// The lines of a head by their strength, 0..STRENGTHS. A strength that no line has is left out.
function linePaths(picture, head, queries, keys) {
  const paths = new Array(STRENGTHS + 1);
  for (const query of queries) {
    for (const key of keys) {
      const weight = picture.weights.of(head, query, key);
      if (picture.isHidden(key, weight)) continue;
      const curve = curveBetween(picture.layout, picture.middle("query", query), picture.middle("key", key));
      const strength = Math.ceil(weight * STRENGTHS);
      paths[strength] ??= new Path2D();
      paths[strength].moveTo(...curve.slice(0, 2));
      paths[strength].bezierCurveTo(...curve.slice(2));
    }
  }
  return paths;
}

export function drawHeadings(pen, { layout, colours, root, view }, isolated) {
  const font = `12px ${textFont(root)}`;
  const write = (text, x, y, align, role) => drawText(pen, text, x, y, { font, align, colour: colours(role) });
  // A mean is made of the steps in which weights travel, so it is not exact.
  const measure = isolated && view.heads.length === 1 ? "weight" : "mean, about";
  if (!layout.isDown) {
    write("query", 2, 13, "left", "query");
    write(`key (numbers: ${measure})`, 2, layout.height - 6, "left", "key_text");
    return;
  }
  write("query", layout.start.query - 7, 13, "right", "query");
  write("key", layout.start.key + 7, 13, "left", "key_text");
  if (isolated?.side === "key") write(measure, 0, 13, "left", "muted");
  else write(measure, layout.width - 2, 13, "right", "muted");
}

// The weights of the isolated word, or the means over the queries that may look at each key.
export function drawBars(pen, picture, isolated) {
  const { view, visible, weights } = picture;
  const side = isolated?.side === "key" ? "query" : "key";
  if (!view.heads.length) return;
  for (const i of visible[side]) {
    if (isolated && picture.isPairMasked(isolated, i)) continue;
    if (picture.isHiddenSink(side === "key" ? i : isolated.i)) continue;
    const shares = view.heads.map((head) => {
      if (!isolated) return weights.meanOfQueries(head, visible.query, i);
      return side === "key" ? weights.of(head, isolated.i, i) : weights.of(head, i, isolated.i);
    });
    const middle = picture.middle(side, i);
    drawBarsOfWord(pen, picture, side, middle, shares);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    if (mean >= LEAST_NUMBER) drawNumber(pen, picture, side, middle, mean);
  }
}

// A bar for each head, one beside the other.
function drawBarsOfWord(pen, picture, side, middle, shares) {
  const { layout, view, colours } = picture;
  const isAlone = shares.length === 1;
  const reach = barReach(layout, side);
  const thickness = Math.min(layout.row - (layout.row > 18 ? 8 : 4), 24) / shares.length;
  const start = layout.start[side];
  pen.globalAlpha = isAlone ? 0.3 : 0.45;
  shares.forEach((share, order) => {
    const length = Math.max(share * reach, share > LEAST_BAR ? 2 : 0);
    const edge = middle - (thickness * shares.length) / 2 + order * thickness;
    const from = side === "key" ? start : start - length;
    pen.fillStyle = isAlone ? colours(side) : headColour(picture, view.heads[order]);
    if (layout.isDown) pen.fillRect(from, edge, length, thickness);
    else pen.fillRect(edge, from, thickness, length);
  });
  pen.globalAlpha = 1;
}

function drawNumber(pen, { layout, colours, root }, side, middle, weight) {
  const isKey = side === "key";
  const font = `${Math.min(layout.type, 13)}px ${textFont(root)}`;
  const style = { font, colour: colours("muted"), align: isKey ? "right" : "left" };
  const text = formatFixed(weight, 2);
  if (layout.isDown) {
    drawText(pen, text, isKey ? layout.width - 2 : 0, middle + layout.type * 0.35, style);
    return;
  }
  const y = isKey ? layout.start.key + layout.label.key + 4 : layout.heading + layout.numbers - 4;
  drawUpwards(pen, middle + 4, y, () => drawText(pen, text, 0, 0, style));
}
