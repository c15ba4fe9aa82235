// The model's answer at the end of the map: bars with shares, or while the run is played what each token predicts.
import { shownPlaces } from "../../shared/labels.js";
import { formatNumber, formatPercent } from "../../shared/numbers.js";
import { shorten } from "./axis_labels.js";
import { intersects } from "./layout.js";

const LEAST_BAR = 9; // pixels of a bar of the outcome
const WIDEST_LINE = 34; // pixels
const LEAST_WIDTH = 60; // pixels of the place of the outcome
const LETTERS = { least: 9, most: 13, share: 0.7 }; // pixels of the type, and its share of a line

const typeFor = (line) => Math.max(LETTERS.least, Math.min(LETTERS.most, line * LETTERS.share));

// The place of the outcome in the window; null where it cannot be read.
function placeOf({ layout, painter, toScreen }) {
  if (!layout.outcome) return null;
  const box = toScreen(layout.outcome.box);
  return box[2] >= LEAST_WIDTH && intersects(box, [0, 0, ...painter.size]) ? box : null;
}

// A label with its share at the right, on a line of the outcome.
function write(painter, { label, share, kind }, [x, y, width], type) {
  const written = kind === "none" ? formatNumber(share) : formatPercent(share);
  const font = `${type}px token`;
  const room = width - painter.measure(written, `${type}px text`) - 10;
  const { text } = shorten(label, room, font, (...words) => painter.measure(...words));
  painter.text(text, x + 3, y, font, "text");
  painter.text(written, x + width, y, `${type}px text`, "muted", "right");
}

// The bars of the outcome. Returns the boxes of the window that they take.
export function drawBars(scene, outcome) {
  const box = outcome?.bars?.length ? placeOf(scene) : null;
  if (!box) return [];
  const { painter } = scene;
  const [x, y, width, height] = box;
  const line = Math.min(height / (outcome.bars.length + 1), WIDEST_LINE);
  if (line < LEAST_BAR) return [];
  const type = typeFor(line);
  painter.text(outcome.title, x, y + line / 2, `${type}px text`, "muted");
  const longest = Math.max(...outcome.bars.map(({ share }) => Math.abs(share))) || 1;
  outcome.bars.forEach(({ label, share }, i) => {
    const top = y + (i + 1) * line;
    painter.fill([x, top + 1, Math.max(1, (width * 0.6 * Math.abs(share)) / longest), line - 2], "key", 0.4);
    write(painter, { label, share, kind: outcome.kind }, [x, top + line / 2, width], type);
  });
  return [box];
}

// What each token predicts, beside its row of the residual stream after the last layer. Every n-th row where they are
// low. `predictions`: {title, kind, first, tokens}; the first of `tokens` is the token `first`. Returns the boxes that
// it takes.
export function drawPredictions(scene, predictions) {
  const box = placeOf(scene);
  const stream = scene.drawn.findLast(({ matrix }) => matrix.until != null && /resid_in$/.test(matrix.tensor))?.matrix;
  if (!box || !stream) return [];
  const { painter } = scene;
  const [, top, , height] = scene.toScreen(stream.box);
  const line = height / (stream.rows[1] - stream.rows[0]);
  const type = typeFor(Math.min(line, WIDEST_LINE));
  const count = predictions.tokens.length;
  for (const place of shownPlaces(count, line, LEAST_BAR, [count - 1])) {
    const y = top + (predictions.first + place + 0.5) * line;
    write(painter, { ...predictions.tokens[place], kind: predictions.kind }, [box[0], y, box[2]], type);
  }
  painter.text(predictions.title, box[0], top - type, `${type}px text`, "muted");
  return [[box[0], top - 2 * type, box[2], height + 2 * type]];
}
