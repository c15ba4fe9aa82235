// The three attentions as matrices that grow by rows: row t is the step that wrote token t + 1.
import { clipText, drawText, drawUpwards, resizeCanvas, sizeOf, strokeBox } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { createScroller } from "../../shared/edges.js";
import { textFont } from "../../shared/fonts.js";
import { shownPlaces } from "../../shared/labels.js";
import { layOutPicture, scaleOf } from "../../shared/layout.js";
import { formatFixed } from "../../shared/numbers.js";
import { rampCss } from "../../shared/scales.js";
import { plainLabel } from "../../shared/tokens.js";
import { strongestKeys } from "./attention.js";

const BELOW = 12; // pixels that stay free below the matrices
const LARGEST_CELL = { page: 30, stage: 54 }; // pixels
const LONGEST_LABEL = 96;
const LABEL_SPACE = 15; // from one label to the next
const READABLE_CELL = 10; // pixels; matrices stand below each other where their cells would be smaller
const LEAST_CELL = 3; // pixels; a matrix that is still too wide can be moved sideways

export class AttentionMaps {
  // `translation` has the data, view and colours.
  constructor(translation) {
    this.translation = translation;
    this.root = createElement("div", { className: "panels" });
  }

  draw() {
    layOutPicture(this.root, (_, height) => {
      this.translation.drawLines(); // the words move when their font has come
      return this.arrange(height);
    });
  }

  // The matrices with their titles and labels. `shown`: the rows that are done at the present step.
  maps() {
    const { data, view } = this.translation;
    const source = data.sourceLabels;
    const read = [data.start, ...data.writtenLabels.slice(0, -1)];
    const shown = Math.max(view.step, 0);
    return [
      { kind: "encoder", title: "Encoder self-attention", queries: source, keys: source, shown: source.length },
      { kind: "decoder", title: "Decoder self-attention, masked", queries: read, keys: read, shown },
      { kind: "cross", title: "Cross-attention", queries: read, keys: source, shown },
    ];
  }

  // `height`: what the matrices may take, Infinity for as much as they like.
  arrange(height) {
    this.height = height;
    const maps = this.maps();
    while (this.root.children.length < maps.length) {
      const scroller = createScroller(createElement("canvas", { role: "img" }));
      this.root.append(createElement("figure", {}, createElement("figcaption"), scroller));
    }
    const most = Math.max(...maps.map(({ keys }) => keys.length));
    this.root.style.setProperty("--least", `${LONGEST_LABEL + most * READABLE_CELL}px`);
    maps.forEach((map, i) => {
      this.drawMap(this.root.children[i], map);
    });
    const heights = [...this.root.querySelectorAll("canvas")].map((canvas) => sizeOf(canvas)[1]);
    return BELOW + Math.max(...heights);
  }

  drawMap(figure, map) {
    const [caption, scroller] = figure.children;
    const canvas = scroller.firstChild;
    const rows = map.kind === "encoder" ? "row: the word that asks" : "row: the token read last";
    caption.replaceChildren(map.title, createElement("small", { className: "muted", textContent: rows }));
    const font = `13px ${textFont(this.translation.root)}`;
    const box = this.boxOf(canvas, figure, map, font);
    const pen = resizeCanvas(canvas, box.left + box.width + 2, box.top + box.height + 2);
    const now = map.kind === "encoder" ? -1 : this.translation.view.step - 1;
    pen.font = font;
    pen.textBaseline = "middle";
    this.drawCells(pen, map, box);
    this.drawLabels(pen, map, box, font, now);
    if (now >= 0 && now < map.queries.length) {
      const y = box.top + now * box.cell - 1;
      strokeBox(pen, box.left - 1, y, box.width + 1, box.cell + 1, this.translation.colours("query"));
    }
    canvas.setAttribute("aria-label", this.describe(map));
  }

  // Where the cells stand, beside and below their labels.
  boxOf(canvas, figure, { queries, keys }, font) {
    const pen = canvas.getContext("2d");
    pen.font = font;
    const widest = (labels) => Math.max(...labels.map((label) => pen.measureText(plainLabel(label)).width));
    const left = Math.min(widest(queries) + 8, LONGEST_LABEL);
    const top = Math.min(widest(keys) + 8, LONGEST_LABEL);
    const room = Math.max(figure.clientWidth / scaleOf(figure) - left - 4, 100);
    const high = (this.height - top - BELOW) / Math.max(queries.length, 1);
    const largest = Number.isFinite(high) ? Math.min(Math.max(high, 16), LARGEST_CELL.stage) : LARGEST_CELL.page;
    const cell = Math.max(Math.min(room / keys.length, largest), LEAST_CELL);
    return { left, top, cell, width: cell * keys.length, height: cell * queries.length };
  }

  drawCells(pen, { kind, queries, keys, shown }, { left, top, cell }) {
    const { colours, ramp } = this.translation;
    const side = cell < 6 ? cell : cell - 1; // with a gap where there is room
    for (let query = 0; query < queries.length; query++) {
      for (let key = 0; key < keys.length; key++) {
        const [x, y] = [left + key * cell, top + query * cell];
        if (query >= shown) {
          strokeBox(pen, x + 0.5, y + 0.5, Math.max(cell - 2, 1), Math.max(cell - 2, 1), colours("grid"), 1);
          continue;
        }
        const isHidden = kind === "decoder" && key > query;
        const step = Math.round(this.translation.weightOf(kind, query, key) * 255);
        pen.fillStyle = isHidden ? colours("masked") : rampCss(ramp, step);
        pen.globalAlpha = isHidden ? 0.35 : 1;
        pen.fillRect(x, y, side, side);
        pen.globalAlpha = 1;
      }
    }
  }

  drawLabels(pen, { queries, keys, shown }, { left, top, cell }, font, now) {
    const { colours } = this.translation;
    for (const query of shownPlaces(queries.length, cell, LABEL_SPACE, [now])) {
      const role = query === now ? "query" : query < shown ? "text" : "masked_text";
      const text = clipText(pen, plainLabel(queries[query]), left - 6);
      drawText(pen, text, left - 6, top + (query + 0.5) * cell, { font, colour: colours(role), align: "right" });
    }
    for (const key of shownPlaces(keys.length, cell, LABEL_SPACE)) {
      const text = clipText(pen, plainLabel(keys[key]), top - 8);
      const style = { font, colour: colours("muted") };
      drawUpwards(pen, left + (key + 0.5) * cell, top - 5, () => drawText(pen, text, 0, 0, style));
    }
  }

  describe({ kind, title, queries, keys, shown }) {
    const weightOf = (query, key) => this.translation.weightOf(kind, query, key);
    const sentences = queries.slice(0, shown).map((label, query) => {
      const strongest = strongestKeys(weightOf, query, keys.length, 3);
      const listed = strongest.map(([weight, key]) => `${plainLabel(keys[key])} ${formatFixed(weight, 2)}`);
      return `${plainLabel(label)} looks most at ${listed.join(", ")}.`;
    });
    return `${title}: ${shown} of ${queries.length} rows. ${sentences.join(" ")}`;
  }
}
