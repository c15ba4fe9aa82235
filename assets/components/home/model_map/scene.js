// One frame of the map: what is in sight, from the cells up to the words.

import { inkOn } from "../../shared/theme.js";
import { drawBars, drawPredictions } from "./answers.js";
import { printedValues } from "./cells.js";
import { bothRuns, linesOf } from "./comparison.js";
import { placeLabels } from "./labels.js";
import { cellBox, contains, inSight } from "./layout.js";
import { cellsInSight, layersOf, levelAt } from "./levels.js";
import { channels, codeOf } from "./palette.js";
import { isMade } from "./progress.js";
import { addressOf, TILE_CELLS } from "./tile_file.js";

const TYPE = 12; // pixels of the numbers in cells
const LINE = 14; // pixels from one number of a cell to the next
const LEAST_OUTLINED = 220; // pixels of the width of a group with an outline
const LEAST_STREAM = 90; // the same of the residual stream, which always has one
const LEAST_BORDERED = 60; // pixels of the width of a matrix with an outline
const OUTER = ["model", "stack"]; // groups without an outline
const VEIL = 0.93; // of what is not made yet
const LINK_COLOURS = { residual: "residual", adds: "residual", reads: "border" };

// The number of a cell; undefined while its tile has not come.
export function valueAt(tiles, matrix, row, column) {
  const tile = tiles.get(addressOf(matrix, row, column));
  if (!tile) return undefined;
  return tile.cells[(row % TILE_CELLS) * tile.columns + (column % TILE_CELLS)];
}

export class Scene {
  constructor(painter, camera) {
    this.painter = painter;
    this.camera = camera;
    this.toScreen = (box) => camera.toScreen(box);
  }

  // What is in sight, with the best level of each matrix, and the tiles that it needs: the middle of the window first.
  look(layout) {
    const { view } = this.camera;
    const seen = inSight(layout, view);
    const [x, y] = [view.box[0] + view.box[2] / 2, view.box[1] + view.box[3] / 2];
    this.drawn = seen.matrices.map((matrix) => {
      const best = levelAt(matrix, view.k);
      const distance = Math.hypot(
        Math.max(0, Math.abs(matrix.box[0] + matrix.box[2] / 2 - x) - matrix.box[2] / 2),
        Math.max(0, Math.abs(matrix.box[1] + matrix.box[3] / 2 - y) - matrix.box[3] / 2),
      );
      return { matrix, best, distance };
    });
    this.seen = seen;
    return seen;
  }

  // The addresses of the tiles that are in sight, the most urgent first. Cells that print both runs need theirs too.
  addresses(isCompared) {
    const { box } = this.camera.view;
    const near = [...this.drawn].sort((one, other) => one.distance - other.distance);
    const tiles = (matrix, best) => layersOf(matrix, best, box, () => true)[0].map(({ address }) => address);
    const shown = near.flatMap(({ matrix, best }) => tiles(matrix, best));
    const printed = near.filter(({ matrix, best }) => best === 0 && this.lines(matrix, isCompared).length > 1);
    return [...shown, ...printed.flatMap(({ matrix }) => bothRuns(matrix).flatMap((each) => tiles(each, 0)))];
  }

  // The lines of numbers in each cell of a matrix.
  lines(matrix, isCompared) {
    const { k } = this.camera.view;
    return linesOf(matrix, isCompared, [matrix.cell[0] * k, matrix.cell[1] * k]);
  }

  paint(state) {
    const { painter } = this;
    painter.begin();
    this.drawLinks(state.layout);
    this.drawGroups();
    for (const { matrix, best } of this.drawn) this.drawMatrix(matrix, best, state.tiles);
    if (state.step) this.drawVeil(state);
    this.drawOutcome(state);
    this.drawMarks(state);
    this.drawValues(state);
    this.drawLabels(state);
  }

  drawLinks({ links }) {
    for (const { kind, points } of links) {
      const line = points.map(([x, y]) => this.toScreen([x, y, 0, 0]).slice(0, 2));
      this.painter.line(line, LINK_COLOURS[kind] ?? "border", kind === "residual" ? 2 : 1, 0.7);
    }
  }

  drawGroups() {
    for (const group of this.seen.groups) {
      const box = this.toScreen(group.box);
      const isStream = group.id.endsWith("residual stream");
      if (box[2] < (isStream ? LEAST_STREAM : LEAST_OUTLINED) || OUTER.includes(group.kind)) continue;
      this.painter.frame(box, isStream ? "residual" : "border", 1, 3);
    }
  }

  drawMatrix(matrix, best, tiles) {
    const { painter } = this;
    const box = this.toScreen(matrix.box);
    const { box: sight } = this.camera.view;
    const layers = layersOf(matrix, best, sight, (address) => Boolean(tiles.get(address)));
    const isWhole = layers.length && layers[0][0].level === best;
    if (!isWhole) painter.fill(clip(box, painter.size), "panel");
    for (const layer of layers)
      for (const tile of layer) painter.drawTile(matrix, tiles.get(tile.address), tile, this.camera);
    if (best === 0) painter.drawGrid(matrix, cellsInSight(matrix, 0, sight), this.toScreen);
    if (box[2] >= LEAST_BORDERED) painter.frame(box, "border", 1);
  }

  // While the run is played: what is not made yet is hidden, and the layer that runs now is framed.
  drawVeil({ layout, step, steps }) {
    const { painter } = this;
    const lastStack = steps.at(-1).stack;
    for (const { matrix } of this.drawn) {
      if (isMade(matrix, step, lastStack)) continue;
      const [x, y, width, height] = this.toScreen(matrix.box);
      painter.fill(clip([x - 1, y - 1, width + 2, height + 2], painter.size), "background", VEIL);
    }
    const layer = layout.groups.get(`${step.stack}.${step.layer}`);
    if (layer) painter.frame(this.toScreen(layer.box), "key", 1.5);
  }

  // The values in the cells, dark on pale cells and pale on dark ones.
  drawValues({ tiles, isCompared }) {
    for (const { matrix, best } of this.drawn) {
      if (best > 0) continue;
      for (const line of this.lines(matrix, isCompared)) this.drawLine(matrix, line, tiles);
    }
  }

  // One number in each cell of a matrix. It is that of the cell, or of one of two runs whose difference the cell has.
  drawLine(matrix, { mark, matrix: shown, shift }, tiles) {
    const { painter } = this;
    const font = `${TYPE}px text`;
    const { rows, columns } = cellsInSight(matrix, 0, this.camera.view.box);
    const values = printedValues(matrix, rows, columns, {
      toScreen: this.toScreen,
      measure: (text) => painter.measure(text, font),
      valueAt: (row, column) => valueAt(tiles, shown, row, column),
      mark,
    });
    for (const { text, x, y, row, column } of values) {
      const tile = tiles.get(addressOf(matrix, row, column));
      if (!tile) continue;
      const code = codeOf(valueAt(tiles, matrix, row, column), tile.scale);
      const ink = inkOn(...channels(painter.palettes[tile.scale.kind][code]));
      painter.text(text, x, y + shift * LINE, font, ink, "center");
    }
  }

  // The chosen cell, the cells that it comes from and goes to, what the keyboard is at, and the head of the run bar.
  drawMarks({ chosen, lit, focus, framed }) {
    const { painter } = this;
    if (framed) painter.frame(this.toScreen(framed.box), "key", 2, 2);
    if (focus) painter.frame(this.toScreen(focus.box), "accent", 2, 3);
    const start = chosen && this.markedBox(chosen);
    for (const each of lit ?? []) {
      const box = this.markedBox(each);
      if (!box) continue;
      if (start) painter.line([centre(start), centre(box)], each.isUse ? "value" : "accent", 1, 0.5);
      painter.frame(box, each.isUse ? "value" : "accent", 1.5, 1);
    }
    if (start) painter.frame(start, "text", 2.5, 1);
  }

  // The box of a cell in the window, large enough to be seen; null where its matrix is not drawn.
  markedBox({ matrix, row, column }) {
    if (!this.drawn.some((each) => each.matrix === matrix)) return null;
    const [x, y, width, height] = this.toScreen(cellBox(matrix, row, column));
    const [wide, high] = [Math.max(width, 3), Math.max(height, 3)];
    return [x + (width - wide) / 2, y + (height - high) / 2, wide, high];
  }

  // The model's answer. While the run is played, what every token predicts at its end.
  drawOutcome({ layout, outcome, predictions, step, steps }) {
    this.layout = layout;
    const isEnd = step && step === steps.at(-1);
    if (step && !isEnd) this.taken = [];
    else this.taken = isEnd && predictions ? drawPredictions(this, predictions) : drawBars(this, outcome);
  }

  drawLabels({ layout, chosen, pointed, type }) {
    const { painter, toScreen } = this;
    const tools = {
      toScreen,
      size: painter.size,
      layout,
      chosen,
      type,
      taken: this.taken,
      pointed,
      measure: (...text) => painter.measure(...text),
    };
    const { labels, strips } = placeLabels(this.seen, tools);
    Object.assign(this, { labels, strips });
    for (const strip of strips) {
      painter.fill(strip, "background");
      painter.frame(strip, "border", 1, 0.5);
    }
    for (const label of labels) painter.label(label);
  }

  // Whether names of layers or rows cover a point of the window.
  isCovered(x, y) {
    return Boolean(this.strips?.some((strip) => contains(strip, x, y)));
  }

  // The group whose title is at a point of the window; undefined where there is none.
  titledAt(x, y) {
    return this.labels?.find((label) => label.group && contains([label.x, label.y, label.width, label.height], x, y))
      ?.group;
  }
}

const centre = ([x, y, width, height]) => [x + width / 2, y + height / 2];

function clip([x, y, width, height], [wide, high]) {
  const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
  return [left, top, Math.min(x + width, wide) - left, Math.min(y + height, high) - top];
}
