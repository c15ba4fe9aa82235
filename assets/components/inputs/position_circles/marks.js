// The pictures of the circles share hands, arrows, labels and the entries of a legend.
import { drawText, fillDot, strokeLines } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { codeFont, textFont } from "../../shared/fonts.js";
import { formatDegrees, formatNumber } from "../../shared/numbers.js";

export const writeTurn = (radians) => formatDegrees((radians * 180) / Math.PI);

// A speed ω in radians a word. The slow pairs need the decimals.
export const writeSpeed = (speed) => `ω = ${formatNumber(speed, 4)}`;

// A hand of a clock from (x, y) by (dx, dy), with a dot at its end.
export function drawHand(pen, x, y, [dx, dy], colour) {
  const width = 2.5;
  strokeLines(
    pen,
    [
      [
        [x, y],
        [x + dx, y + dy],
      ],
    ],
    colour,
    width,
  );
  fillDot(pen, x + dx, y + dy, width + 1.8, colour);
}

export function drawArrow(pen, start, end, colour) {
  const turn = Math.atan2(end[1] - start[1], end[0] - start[0]);
  strokeLines(pen, [[start, end]], colour, 1.75);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(...end);
  for (const bend of [2.7, -2.7]) pen.lineTo(end[0] + 9 * Math.cos(turn + bend), end[1] + 9 * Math.sin(turn + bend));
  pen.fill();
}

// The fonts and colours of the labels of a picture.
export function labelStyles({ root, colours }) {
  return {
    axis: { font: `11px ${textFont(root)}`, colour: colours("muted"), align: "center" },
    token: { font: `12px ${codeFont(root)}`, colour: colours("masked_text"), align: "center" },
    chosen: { font: `600 13px ${codeFont(root)}`, colour: colours("text"), align: "center" },
  };
}

export const drawEmbeddingLabel = (pen, picture, x, y) =>
  drawText(pen, `e of ${picture.nameOf(picture.data.token)}`, x, y, labelStyles(picture).chosen);

// Entries [role, text] of a legend.
export function legendNodes(entries, colours) {
  return entries.map(([role, text]) =>
    createElement("span", {}, createElement("i", { style: { background: colours(role) } }), text),
  );
}
