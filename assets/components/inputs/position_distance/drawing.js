// The three figures of two positions: the matrix of all scores, the scores by distance, the angle.
// `picture` is the PositionDistance that is drawn.
import { clipText, drawText, fillDot, strokeArc, strokeBox, strokeLines } from "../../shared/canvas.js";
import { codeFont, textFont } from "../../shared/fonts.js";
import { formatDegrees, formatFixed } from "../../shared/numbers.js";
import { plainLabel } from "../../shared/tokens.js";
import { diagonalEdges } from "./geometry.js";

const LEAST_WITH_GAPS = 8; // pixels of a cell
const PADDING = { left: 44, right: 8, top: 10, bottom: 26 };

export function drawMatrix(pen, picture) {
  const { data, colours, places, image } = picture;
  const { left, side, cell } = picture.grid;
  const { t, s } = places;
  if (left) drawLabels(pen, picture);
  pen.translate(left, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(image, 0, 0, side, side);
  if (cell >= LEAST_WITH_GAPS) strokeLines(pen, gapLines(data.length, cell, side), colours("background"));
  const edges = diagonalEdges(t - s, data.length).map((line) => line.map(([x, y]) => [x * cell, y * cell]));
  pen.globalAlpha = 0.75;
  strokeLines(pen, edges, colours("text"), Math.max(Math.min(cell / 8, 2), 1));
  pen.globalAlpha = 1;
  strokeBox(pen, s * cell, t * cell, Math.max(cell, 4), Math.max(cell, 4), colours("key"), 3);
}

function gapLines(length, cell, side) {
  const places = Array.from({ length: length - 1 }, (_, n) => (n + 1) * cell);
  return places.flatMap((at) => [
    [
      [at, 0],
      [at, side],
    ],
    [
      [0, at],
      [side, at],
    ],
  ]);
}

function drawLabels(pen, { data, colours, places, root, grid }) {
  const font = `12px ${codeFont(root)}`;
  pen.font = font;
  pen.textBaseline = "middle";
  data.labels.forEach((label, i) => {
    const role = i === places.t ? "query" : i === places.s ? "key_text" : "muted";
    const text = clipText(pen, plainLabel(label), grid.left - 8) || String(i);
    const style = { font, colour: colours(role), align: "right" };
    drawText(pen, text, grid.left - 7, (i + 0.5) * grid.cell, style);
  });
  pen.textBaseline = "alphabetic";
}

// The scores by distance. `curve` of the picture has the mean, the least and the largest score of each distance.
export function drawCurve(pen, picture, { width, height, distance, score }) {
  const { data, curve, colours } = picture;
  const farthest = data.length - 1;
  const all = curve.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const inner = { width: width - PADDING.left - PADDING.right, height: height - PADDING.top - PADDING.bottom };
  const plot = {
    x: (offset) => PADDING.left + ((offset + farthest) / Math.max(2 * farthest, 1)) * inner.width,
    y: (value) => height - PADDING.bottom - ((value - low) / (high - low || 1)) * inner.height,
  };
  drawAxes(pen, picture, plot, { low, high, farthest, width, height });
  const points = (which) => curve.map((values, i) => [plot.x(i - farthest), plot.y(values[which])]);
  drawBand(pen, points(1), points(2), colours("query"));
  strokeLines(pen, [points(0)], colours("query"), 2);
  pen.globalAlpha = 0.5;
  const x = plot.x(distance);
  strokeLines(
    pen,
    [
      [
        [x, PADDING.top],
        [x, height - PADDING.bottom],
      ],
    ],
    colours("text"),
  );
  pen.globalAlpha = 1;
  fillDot(pen, x, plot.y(score), 5.5, colours("key"));
}

function drawAxes(pen, { colours, root }, { x, y }, { low, high, farthest, width, height }) {
  const style = { font: `11px ${textFont(root)}`, colour: colours("muted") };
  for (const value of y(low) - y(0) > 16 ? [low, 0, high] : [0, high]) {
    strokeLines(
      pen,
      [
        [
          [PADDING.left, y(value)],
          [width - PADDING.right, y(value)],
        ],
      ],
      colours("grid"),
    );
    drawText(pen, formatFixed(value, 1), PADDING.left - 6, y(value) + 4, { ...style, align: "right" });
  }
  for (const offset of [-farthest, 0, farthest]) {
    const place = Math.min(Math.max(x(offset), PADDING.left + 8), width - 16);
    drawText(pen, formatFixed(offset, 0), place, height - 8, { ...style, align: "center" });
  }
}

// The scores of one distance at different places lie in the band. It has no height where only the distance counts.
function drawBand(pen, lower, upper, colour) {
  pen.fillStyle = colour;
  pen.globalAlpha = 0.18;
  pen.beginPath();
  for (const point of [...lower, ...upper.reverse()]) pen.lineTo(...point);
  pen.fill();
  pen.globalAlpha = 1;
}

// Two hands on a circle, as far apart as the vectors.
export function drawAngle(pen, { colours, root }, side, degrees) {
  const middle = side / 2;
  const radius = Math.max(side / 2 - 10, 1);
  const turn = (degrees * Math.PI) / 180;
  const [from, to] = [-Math.PI / 2 - turn / 2, -Math.PI / 2 + turn / 2];
  strokeArc(pen, middle, middle, radius, colours("border"));
  strokeArc(pen, middle, middle, radius * 0.35, colours("text"), { from, to });
  for (const [angle, role] of [
    [from, "query"],
    [to, "key"],
  ]) {
    const [x, y] = [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
    strokeLines(
      pen,
      [
        [
          [middle, middle],
          [x, y],
        ],
      ],
      colours(role),
      2.5,
    );
    fillDot(pen, x, y, 4.5, colours(role));
  }
  const style = { font: `600 14px ${textFont(root)}`, colour: colours("text"), align: "center" };
  drawText(pen, formatDegrees(degrees), middle, middle + radius * 0.4, style);
}
