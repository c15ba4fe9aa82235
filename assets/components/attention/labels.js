// Token labels beside the rows and above the columns of a matrix.
import { clipText, drawText, drawUpwards } from "../shared/canvas.js";
import { tokenFont } from "../shared/fonts.js";
import { shownPlaces } from "../shared/labels.js";
import { plainLabel } from "../shared/tokens.js";

export const LABEL_ROW = 11; // pixels that a label needs from one row to the next
const LABEL_COLUMN = 12;

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
  const size = typeSize(space);
  for (const i of shownPlaces(labels.length, space, least, [style.chosen])) {
    const isChosen = i === style.chosen;
    const font = `${isChosen ? 600 : 400} ${size}px ${tokenFont(style.root, labels[i])}`;
    pen.font = font; // before the label is measured
    const colour = style.colours(isChosen ? style.role : "muted");
    draw(plainLabel(labels[i]), (i + 0.5) * space, size, { font, colour });
  }
}

// Right-aligned at `x`, each at most `room` pixels wide.
export function drawRowLabels(pen, labels, box, x, room, style) {
  drawEach(pen, labels, box.height / labels.length, LABEL_ROW, style, (label, middle, size, type) => {
    drawText(pen, clipText(pen, label, room), x, box.y + middle + size * 0.35, { ...type, align: "right" });
  });
}

// Written upwards from `y`, each at most `room` pixels long.
export function drawColumnLabels(pen, labels, box, y, room, style) {
  drawEach(pen, labels, box.width / labels.length, LABEL_COLUMN, style, (label, middle, size, type) => {
    drawUpwards(pen, box.x + middle + size * 0.35, y, () => drawText(pen, clipText(pen, label, room), 0, 0, type));
  });
}
