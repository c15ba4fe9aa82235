// Brings saved views to life: viz/documents/page_html.py writes the file around them.
import { DrawnComponent, DrawnFigure, textOf } from "./drawing.js";
import { loadPlotly } from "./packed_plotly.js";

const saved = globalThis.saved ?? {};
const theme = {
  drawn: document.documentElement.dataset.drawn,
  swaps: JSON.parse(textOf(document.getElementById("swap"))),
};

function mount(host) {
  const held = host.querySelector("script");
  const style = document.createElement("style");
  style.textContent = textOf(document.querySelector(`script[data-style="${host.dataset.component}"]`));
  new DrawnComponent(host, saved[host.dataset.component], style).take(held);
}

// Draws the components and the figures within a part of the page that is on screen.
export async function bringToLife(part) {
  for (const host of part.querySelectorAll(".component")) mount(host);
  const figures = [...part.querySelectorAll("figure")];
  if (!figures.length) return;
  const plotly = await loadPlotly();
  for (const figure of figures) new DrawnFigure(figure, plotly, theme).take(figure.querySelector("script"));
}

// A figure that was hidden while the window changed takes its new width.
export function fitFigures(part) {
  for (const plot of part.querySelectorAll(".js-plotly-plot")) window.Plotly.Plots.resize(plot);
}
