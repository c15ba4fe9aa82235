// The weights of one query in all heads at once: a row of cells for each key, a column for each head.
import { drawText, strokeBox } from "../../shared/canvas.js";
import { textFont } from "../../shared/fonts.js";
import { formatFixed } from "../../shared/numbers.js";
import { colourRamp, rampCss, unitStep } from "../../shared/scales.js";

const WIDEST = 44; // pixels of a cell along the heads
const EDGE = 14; // pixels between the words and the cells
const ROOMY = { along: 30, across: 18 }; // pixels of a cell that holds its number
const LEAST_LABEL = 15; // pixels of a head that has its number above it
const DARK = 0.55; // a weight whose colour needs a light number

// Where the cells of each head begin, and how long they are: between the queries and the keys, in the middle.
export function arrangeHeadCells({ start }, heads) {
  const [from, to] = [start.query + EDGE, start.key - EDGE];
  const size = Math.min((to - from) / heads, WIDEST);
  const first = (from + to - size * heads) / 2;
  return { size, places: Array.from({ length: heads }, (_, head) => first + head * size) };
}

export function drawHeadCells(pen, picture, query) {
  const { layout, weights, visible, colours, root, view } = picture;
  const { size, places } = arrangeHeadCells(layout, weights.heads);
  const ramp = colourRamp(colours("sequential"));
  const box = (along, across, length, height) =>
    layout.isDown ? [along, across, length, height] : [across, along, height, length];
  const style = { font: `11px ${textFont(root)}`, align: "center" };
  const [across, along] = layout.isDown ? [layout.row, size] : [size, layout.row];
  const hasNumbers = along >= ROOMY.along && across >= ROOMY.across;
  for (const key of visible.key) {
    if (weights.isMasked(query, key)) continue;
    const edge = picture.middle("key", key) - layout.row / 2;
    places.forEach((place, head) => {
      const weight = weights.of(head, query, key);
      const [x, y, width, height] = box(place + 0.5, edge + 0.5, size - 1, layout.row - 1);
      pen.fillStyle = rampCss(ramp, unitStep(weight));
      pen.fillRect(x, y, width, height);
      if (!hasNumbers) return;
      const colour = colours(weight > DARK ? "background" : "text");
      drawText(pen, formatFixed(weight, 2), x + width / 2, y + height / 2 + 4, { ...style, colour });
    });
  }
  drawHeadNumbers(pen, picture, { size, places }, { ...style, colour: colours("muted") });
  const middles = visible.key.map((key) => picture.middle("key", key));
  const [low, high] = [Math.min(...middles) - layout.row / 2, Math.max(...middles) + layout.row / 2];
  strokeBox(pen, ...box(places[view.head], low, size, high - low), colours("query"), 1.5);
}

// Above the columns of a picture that is laid down. One that is laid across has the heads from above in order.
function drawHeadNumbers(pen, { layout }, { size, places }, style) {
  if (!layout.isDown) return;
  const stride = Math.ceil(LEAST_LABEL / size);
  places.forEach((place, head) => {
    const name = head === 0 && size >= ROOMY.along ? "head 0" : String(head);
    if (head % stride === 0) drawText(pen, name, place + size / 2, 13, style);
  });
}
