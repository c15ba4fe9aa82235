// x = e + p(t) in the plane of one pair: a unit circle round each token's embedding.
import { drawText, fillDot, resizeCanvas, strokeArc, strokeLines } from "../../shared/canvas.js";
import { formatFixed } from "../../shared/numbers.js";
import { plainLabel } from "../../shared/tokens.js";
import { arcOf, fitPoints, tipOf } from "./geometry.js";
import { drawArrow, drawEmbeddingLabel, drawHand, labelStyles, legendNodes, writeSpeed, writeTurn } from "./marks.js";

const MARGIN = 24; // pixels, both sides together
const PADDING = 1.15; // units round the outermost embeddings

export function drawPlane(picture) {
  const { data, canvas, phi, colours } = picture;
  const { token, points, pair, frequencies } = data;
  const width = picture.roomWidth();
  const height = Math.min(Math.max(width * 0.62, 320), 500);
  const pen = resizeCanvas(canvas, width, height);
  const plot = plotOf(points, width, height);
  drawAxes(pen, picture, plot, width, height);
  points.forEach((_, t) => {
    if (t !== token) drawToken(pen, picture, plot, t);
  });
  drawChosen(pen, picture, plot);
  const entries = [
    ["residual", "e, the embedding"],
    ["query", `x = e + p(${token})`],
    ["key", `e + p(${formatFixed(token + phi, 2)})`],
    ["masked_text", "dots: the same word at every other place"],
  ];
  picture.legend.replaceChildren(...legendNodes(entries, colours));
  const turn = writeTurn(frequencies[pair] * phi);
  const speed = writeSpeed(frequencies[pair]);
  picture.words.replaceChildren(`${speed}, so the hand turns by ωφ = ${turn}; |p| = 1 and e does not move.`);
  const features = `features ${2 * pair} and ${2 * pair + 1}`;
  const what = `Circles of radius 1 round the embeddings of ${data.labels.length} tokens, in ${features}`;
  canvas.setAttribute("aria-label", `${what}. ${picture.nameOf(token)}: ${picture.words.textContent}`);
}

// Where points of the plane stand on the canvas, and how many pixels a unit has.
function plotOf(points, width, height) {
  const around = [[0, 0], ...points].flatMap(([x, y]) => [
    [x - PADDING, y - PADDING],
    [x + PADDING, y + PADDING],
  ]);
  const { unit, middle } = fitPoints(around, width, height, MARGIN);
  return {
    unit,
    x: (x) => width / 2 + (x - middle[0]) * unit,
    y: (y) => height / 2 - (y - middle[1]) * unit,
  };
}

function drawAxes(pen, picture, { x, y }, width, height) {
  const { pair } = picture.data;
  const [left, top] = [x(0), y(0)];
  strokeLines(
    pen,
    [
      [
        [0, top],
        [width, top],
      ],
      [
        [left, 0],
        [left, height],
      ],
    ],
    picture.colours("border"),
  );
  const style = labelStyles(picture).axis;
  drawText(pen, `feature ${2 * pair}`, width - 4, top - 6, { ...style, align: "right" });
  drawText(pen, `feature ${2 * pair + 1}`, left + 6, 12, { ...style, align: "left" });
}

// Where a hand of the pair points at a position, in pixels from the embedding.
function handOf({ data }, { unit }, t) {
  return tipOf(data.frequencies[data.pair] * t).map((length) => unit * length);
}

function drawToken(pen, picture, plot, t) {
  const { data, phi, colours } = picture;
  const [x, y] = [plot.x(data.points[t][0]), plot.y(data.points[t][1])];
  const [dx, dy] = handOf(picture, plot, t + phi);
  strokeArc(pen, x, y, plot.unit, colours("border"));
  fillDot(pen, x + dx, y + dy, 3, colours("masked_text"));
  fillDot(pen, x, y, 2, colours("masked_text"));
  drawText(pen, plainLabel(data.labels[t]), x, y + 16, labelStyles(picture).token);
}

function drawChosen(pen, picture, plot) {
  const { data, phi, colours } = picture;
  const { token, points, labels, frequencies, pair } = data;
  const [x, y] = [plot.x(points[token][0]), plot.y(points[token][1])];
  strokeArc(pen, x, y, plot.unit, colours("query"), { width: 1.5 });
  labels.forEach((_, t) => {
    const [dx, dy] = handOf(picture, plot, t);
    fillDot(pen, x + dx, y + dy, 2.5, colours("masked_text"));
  });
  drawArrow(pen, [plot.x(0), plot.y(0)], [x, y], colours("residual"));
  const arc = arcOf(frequencies[pair] * token, frequencies[pair] * phi);
  strokeArc(pen, x, y, plot.unit * 0.3, colours("text"), { width: 1.75, ...arc });
  drawHand(pen, x, y, handOf(picture, plot, token), colours("query"));
  drawHand(pen, x, y, handOf(picture, plot, token + phi), colours("key"));
  drawEmbeddingLabel(pen, picture, x, y + plot.unit + 18);
}
