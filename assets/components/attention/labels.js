// Token labels beside the rows and above the columns of a matrix.
import { clipText, drawText, drawUpwards } from "../shared/canvas.js";
import { tokenFont } from "../shared/fonts.js";
import { plainLabel } from "../shared/tokens.js";

// Which labels fit where each has `space` pixels and needs `least`: 1 for all of them, n for every n-th.
export const labelStride = (space, least) => Math.max(1, Math.ceil(least / space));

const typeSize = (space) => Math.min(13, Math.max(space * 0.62, 9));

// The width that labels need, at most `most` pixels.
export function labelWidth(pen, labels, root, most) {
  const widths = labels.map((label) => {
    pen.font = `13px ${tokenFont(root, label)}`;
    return pen.measureText(plainLabel(label)).width;
  });
  return Math.min(most, Math.max(16, ...widths) + 4);
}

// Draws what both kinds have in common. `draw` is called with each label that fits, its place, and its type.
// `style`: the `root` and `colours` of the picture, the `role` whose colour a chosen label has, the index `chosen`.
function drawEach(pen, labels, space, least, style, draw) {
  const stride = labelStride(space, least);
  const size = typeSize(space);
  labels.forEach((label, i) => {
    const isChosen = i === style.chosen;
    if (i % stride && !isChosen) return;
    const font = `${isChosen ? 600 : 400} ${size}px ${tokenFont(style.root, label)}`;
    pen.font = font; // before the label is measured
    draw(plainLabel(label), (i + 0.5) * space, size, { font, colour: style.colours(isChosen ? style.role : "muted") });
  });
}

// Right-aligned at `x`, each at most `room` pixels wide.
export function drawRowLabels(pen, labels, box, x, room, style) {
  drawEach(pen, labels, box.height / labels.length, 11, style, (label, middle, size, type) => {
    drawText(pen, clipText(pen, label, room), x, box.y + middle + size * 0.35, { ...type, align: "right" });
  });
}

// Written upwards from `y`, each at most `room` pixels long.
export function drawColumnLabels(pen, labels, box, y, room, style) {
  drawEach(pen, labels, box.width / labels.length, 12, style, (label, middle, size, type) => {
    drawUpwards(pen, box.x + middle + size * 0.35, y, () => drawText(pen, clipText(pen, label, room), 0, 0, type));
  });
}
