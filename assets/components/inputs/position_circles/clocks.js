// Every pair of features as a clock: all tokens as grey hands, the chosen one before and after the shift. Beside them
// the matrix that turns all hands at once.
import { drawText, fillDot, resizeCanvas, strokeArc, strokeLines } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { scaleOf } from "../../shared/layout.js";
import { formatFixed, formatNumber } from "../../shared/numbers.js";
import { colourRamp, rampCss, signedStep } from "../../shared/scales.js";
import { arcOf, arrangeClocks, shiftCells, shiftError, tipOf } from "./geometry.js";
import { drawHand, labelStyles, legendNodes, writeSpeed, writeTurn } from "./marks.js";

const CROWDED = 40; // tokens from which their hands are thinner
const LARGEST_MATRIX = 260; // pixels

export function drawClocks(picture) {
  const { data, canvas, phi, colours } = picture;
  const { shown, labels, token, frequencies } = data;
  const grid = arrangeClocks(shown.length, picture.roomWidth());
  const pen = resizeCanvas(canvas, grid.width, grid.height);
  shown.forEach((pair, i) => {
    const x = ((i % grid.columns) + 0.5) * grid.step;
    const y = Math.floor(i / grid.columns) * grid.tall + grid.step / 2;
    drawClock(pen, picture, pair, x, y, grid);
  });
  const turns = shown.map((pair) => `pair ${pair} by ${writeTurn(frequencies[pair] * phi)}`);
  const tokens = `${labels.length} tokens as grey hands, shifted by ${formatFixed(phi, 2)} words`;
  const label = `${shown.length} clocks, fast pairs first. ${tokens}. Turned: ${turns.join(", ")}.`;
  canvas.setAttribute("aria-label", label);
  const entries = [
    ["query", `${picture.nameOf(token)} at t = ${token}`],
    ["key", `at t + φ = ${formatFixed(token + phi, 2)}`],
    ["masked", "every token, shifted"],
    ["masked_text", "dots: where each stood"],
  ];
  picture.legend.replaceChildren(...legendNodes(entries, colours));
  picture.words.replaceChildren();
  drawShiftMatrix(picture);
}

function drawClock(pen, picture, pair, x, y, { step, radius }) {
  const { data, phi, colours } = picture;
  const w = data.frequencies[pair];
  const tip = (t) => tipOf(w * t).map((length) => radius * length);
  const isCrowded = data.labels.length > CROWDED;
  strokeArc(pen, x, y, radius, colours("border"));
  for (let t = 0; t < data.labels.length; t++) {
    const [dx, dy] = tip(t + phi);
    strokeLines(
      pen,
      [
        [
          [x, y],
          [x + dx, y + dy],
        ],
      ],
      colours("masked"),
      isCrowded ? 0.5 : 1,
    );
    const [px, py] = tip(t);
    fillDot(pen, x + px, y + py, isCrowded ? 1.4 : 2.4, colours("masked_text"));
  }
  const arc = arcOf(w * data.token, w * phi);
  strokeArc(pen, x, y, radius * 0.36, colours("text"), { width: 1.25, ...arc });
  drawHand(pen, x, y, tip(data.token), colours("query"));
  drawHand(pen, x, y, tip(data.token + phi), colours("key"));
  const style = labelStyles(picture).axis;
  drawText(pen, `pair ${pair} · ${writeSpeed(w)}`, x, y + step / 2 + 6, style);
  drawText(pen, `ωφ = ${writeTurn(w * phi)}`, x, y + step / 2 + 20, style);
}

// T(φ): 2 x 2 blocks on the diagonal, zeros elsewhere.
function drawShiftMatrix({ data, phi, colours, root, side, matrix, proof }) {
  const width = 2 * data.frequencies.length;
  const length = Math.min(side.clientWidth / scaleOf(root) || 240, LARGEST_MATRIX);
  const cell = length / width;
  const pen = resizeCanvas(matrix, length, length);
  const ramp = colourRamp(colours("signed"));
  pen.fillStyle = rampCss(ramp, signedStep(0));
  pen.fillRect(0, 0, length, length);
  const filled = Math.max(cell - (cell > 8 ? 1 : 0), 0.7);
  for (const [row, column, value] of shiftCells(data.frequencies, phi)) {
    pen.fillStyle = rampCss(ramp, signedStep(value));
    pen.fillRect(column * cell, row * cell, filled, filled);
  }
  pen.strokeStyle = colours("border");
  pen.strokeRect(0.5, 0.5, length - 1, length - 1);
  const error = shiftError(data.frequencies, data.labels.length, phi);
  const label = `T of ${formatFixed(phi, 2)}: a ${width} by ${width} matrix of rotations on the diagonal.`;
  matrix.setAttribute("aria-label", label);
  proof.replaceChildren(
    createElement("strong", { textContent: `T(φ), ${width} × ${width}: ` }),
    "one 2 × 2 turn for each clock on the diagonal, 0 elsewhere, and no t in it. ",
    createElement("br"),
    "Now, over all tokens, max |T(φ) p(t) − p(t + φ)| = ",
    createElement("strong", { className: "error", textContent: formatNumber(error) }),
  );
}
