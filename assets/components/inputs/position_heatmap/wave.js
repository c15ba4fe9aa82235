// The wave of one pair of features over the positions: its even feature solid, its odd one dashed.
import { resizeCanvas, strokeArc, strokeLines } from "../../shared/canvas.js";
import { colourRamp, rampCss, signedStep } from "../../shared/scales.js";

export const WAVE_HEIGHT = 92; // pixels
const PADDING = 8;
const MOST_DOTS = 80; // positions that have a dot each; of more, the chosen one alone has one

// `picture` is the PositionHeatmap. `data.pairs` may have changed since the heatmap was drawn.
export function drawWave(canvas, picture, pair, width) {
  const { data, colours, cell } = picture;
  const pen = resizeCanvas(canvas, width, WAVE_HEIGHT);
  const middle = WAVE_HEIGHT / 2;
  const plot = {
    x: (t) => PADDING + (t / Math.max(data.rows - 1, 1)) * (width - 2 * PADDING),
    y: (value) => middle - (value / data.largest) * (middle - PADDING),
    ramp: colourRamp(colours("signed")),
    steps: data.frequencies ? Math.max(Math.round(width), data.rows) : data.rows - 1, // points of a line
  };
  strokeLines(
    pen,
    [
      [
        [PADDING, middle],
        [width - PADDING, middle],
      ],
    ],
    colours("border"),
  );
  pen.globalAlpha = 0.35;
  strokeLines(
    pen,
    [
      [
        [plot.x(cell.t), 0],
        [plot.x(cell.t), WAVE_HEIGHT],
      ],
    ],
    colours("text"),
  );
  pen.globalAlpha = 1;
  for (const feature of [2 * pair + 1, 2 * pair]) {
    drawCurve(pen, picture, plot, feature);
    drawDots(pen, picture, plot, feature);
  }
}

function drawCurve(pen, { data, colours, valueAt }, { x, y, steps }, feature) {
  const points = Array.from({ length: steps + 1 }, (_, n) => {
    const t = (n / Math.max(steps, 1)) * (data.rows - 1);
    return [x(t), y(valueAt(t, feature))];
  });
  pen.setLineDash(feature % 2 ? [4, 4] : []);
  strokeLines(pen, [points], colours("muted"), 1.25);
  pen.setLineDash([]);
}

function drawDots(pen, { data, colours, cell, valueAt }, { x, y, ramp }, feature) {
  for (let t = 0; t < data.rows; t++) {
    const isChosen = t === cell.t;
    if (data.rows > MOST_DOTS && !isChosen) continue;
    const value = valueAt(t, feature);
    const radius = isChosen ? 5 : 3.2;
    pen.beginPath();
    pen.arc(x(t), y(value), radius, 0, 7);
    pen.fillStyle = rampCss(ramp, signedStep(value / data.largest));
    pen.fill();
    strokeArc(pen, x(t), y(value), radius, colours(isChosen ? "text" : "muted"), { width: isChosen ? 1.5 : 0.75 });
  }
}
