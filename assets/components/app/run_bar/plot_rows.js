// Pointing at a token leaves only its row bright in every heatmap whose rows are the sentence's queries. Plotly draws
// these heatmaps, so the veils lie on top of them. A figure says in `layout.meta` which queries its rows are:
// `weights_figure` of viz/attention/heads.py does.
import { createElement } from "../../shared/dom.js";
import { watchQueries } from "../../shared/pointed_token.js";
import { placeIn } from "../../shared/token_link.js";

const VEIL = "gf-row-veil";
const LOOK = { position: "absolute", pointerEvents: "none", background: "var(--st-background-color)", opacity: 0.8 };

// The heights above and below a row, as shares of the picture. None where the row is not on it.
export function veilHeights(row, rows) {
  return row >= 0 && row < rows ? [row / rows, (rows - row - 1) / rows] : [];
}

// Pixels of the parts of `box` to cover, inside `outer`.
export function veilBoxes(box, outer, row, rows) {
  const [above, below] = veilHeights(row, rows).map((share) => share * box.height);
  if (above === undefined) return [];
  const [left, top] = [box.left - outer.left, box.top - outer.top];
  return [
    { left, top, width: box.width, height: above },
    { left, top: top + box.height - below, width: box.width, height: below },
  ].filter(({ height }) => height > 0);
}

function lightRow(plot, place) {
  const image = plot.querySelector(".heatmaplayer image");
  const frame = plot.querySelector(".svg-container");
  const { first_query: first, queries } = plot.layout?.meta ?? {};
  if (!image || !frame || first === undefined || place === null) return;
  for (const box of veilBoxes(image.getBoundingClientRect(), frame.getBoundingClientRect(), place - first, queries)) {
    const pixels = Object.entries(box).map(([name, size]) => [name, `${size}px`]);
    frame.append(createElement("div", { className: VEIL, style: { ...LOOK, ...Object.fromEntries(pixels) } }));
  }
}

// Returns the function that ends this.
export function lightPlotRows() {
  return watchQueries((place) => {
    for (const veil of document.querySelectorAll(`.${VEIL}`)) veil.remove();
    if (place === null) return;
    for (const plot of document.querySelectorAll(".js-plotly-plot")) lightRow(plot, placeIn(plot, place));
  });
}
