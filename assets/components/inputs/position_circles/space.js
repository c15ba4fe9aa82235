// The circle round e, parallel to the first two features, with the hands of three pairs in it (Palaskos, fig. 3.3).
import { drawText, fillDot, resizeCanvas, strokeLines } from "../../shared/canvas.js";
import { keyHint } from "../../shared/dom.js";
import { circleInSpace, fitPoints, project, tipInSpace } from "./geometry.js";
import { drawArrow, drawEmbeddingLabel, drawHand, labelStyles, legendNodes, writeSpeed, writeTurn } from "./marks.js";

const MARGIN = 30; // pixels, both sides together
const PADDING = 1.15; // units round the chosen embedding
const MOST_CIRCLES = 64; // tokens whose circles the picture makes room for

export function drawSpace(picture) {
  const { data, canvas, phi, colours } = picture;
  const { token, hands, frequencies } = data;
  const width = picture.roomWidth();
  const height = Math.min(Math.max(width * 0.62, 340), 500);
  const pen = resizeCanvas(canvas, width, height);
  const reach = Math.max(1.4, ...data.points[token].map(Math.abs)) + PADDING;
  const at = placeOn(picture, width, height, reach);
  drawGround(pen, picture, at, reach);
  data.points.forEach((point, t) => {
    if (t !== token) drawToken(pen, picture, at, point, t);
  });
  drawChosen(pen, picture, at);
  const turnOf = (pair) => writeTurn(frequencies[pair] * phi);
  const entries = hands.map((pair, i) => {
    const speed = writeSpeed(frequencies[pair]);
    return [`series-${i}`, `pair ${pair}: ${speed}, turned ${turnOf(pair)}`];
  });
  picture.legend.replaceChildren(...legendNodes([["residual", "e, the embedding"], ...entries], colours));
  picture.words.replaceChildren("Drag the picture to turn it.", keyHint(" Or focus it and use the arrow keys."));
  const turned = hands.map((pair) => `pair ${pair}, turned ${turnOf(pair)}`).join("; ");
  const what = `The circle round the embedding of ${picture.nameOf(token)} in three features`;
  canvas.setAttribute("aria-label", `${what}, with the hands of ${turned}. Arrow keys turn the view.`);
}

// A function from a point of space to a point of the canvas. All that is drawn has room on it, as the eye turns it.
function placeOn({ data, eye }, width, height, reach) {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => [x * reach, y * reach, 0]);
  const circles = [...data.points.slice(0, MOST_CIRCLES), data.points[data.token]].flatMap(circleInSpace);
  const box = [...corners, [0, 0, reach], ...circles].map((point) => project(point, eye));
  const { unit, middle } = fitPoints(box, width, height, MARGIN);
  return (point) => {
    const [x, y] = project(point, eye);
    return [width / 2 + (x - middle[0]) * unit, height / 2 - (y - middle[1]) * unit];
  };
}

// The plane of the first two features as a grid, and the three axes.
function drawGround(pen, picture, at, reach) {
  const { colours } = picture;
  const far = Math.ceil(reach);
  for (let i = -far; i <= far; i++) {
    const colour = colours(i ? "grid" : "border");
    strokeLines(pen, [[at([i, -far, 0]), at([i, far, 0])]], colour);
    strokeLines(pen, [[at([-far, i, 0]), at([far, i, 0])]], colour);
  }
  [
    [far, 0, 0],
    [0, far, 0],
    [0, 0, reach],
  ].forEach((end, feature) => {
    const [x, y] = at(end);
    drawArrow(pen, at([0, 0, 0]), [x, y], colours("masked_text"));
    drawText(pen, `feature ${feature}`, x, y - 7, labelStyles(picture).axis);
  });
}

function strokeCircle(pen, at, point, colour, width) {
  strokeLines(pen, [circleInSpace(point).map(at)], colour, width);
}

function drawToken(pen, picture, at, point, t) {
  const { colours } = picture;
  const [x, y] = at(point);
  strokeCircle(pen, at, point, colours("border"), 1);
  fillDot(pen, x, y, 2, colours("masked_text"));
  drawText(pen, picture.nameOf(t), x, y + 14, { ...labelStyles(picture).axis, colour: colours("masked_text") });
}

function drawChosen(pen, picture, at) {
  const { data, phi, colours } = picture;
  const { token, frequencies } = data;
  const embedding = data.points[token];
  const [x, y] = at(embedding);
  pen.setLineDash([3, 4]);
  strokeLines(pen, [[at([embedding[0], embedding[1], 0]), [x, y]]], colours("masked_text"), 1.75);
  pen.setLineDash([]);
  drawArrow(pen, at([0, 0, 0]), [x, y], colours("residual"));
  strokeCircle(pen, at, embedding, colours("text"), 1.25);
  data.hands.forEach((pair, i) => {
    const tipAt = (position) => at(tipInSpace(embedding, frequencies[pair] * position));
    const [end, start] = [tipAt(token + phi), tipAt(token)];
    fillDot(pen, ...start, 3, colours(`series-${i}`));
    drawHand(pen, x, y, [end[0] - x, end[1] - y], colours(`series-${i}`));
  });
  const lowest = Math.max(...circleInSpace(embedding).map((point) => at(point)[1]));
  drawEmbeddingLabel(pen, picture, x, lowest + 18);
}
