// A view in a frame of a notebook. It is alive by itself. Where a kernel is there, kernel.js passes on what a hand
// does, and brings the pictures that follow.
import { graft } from "../follow/graft.js";
import { DrawnComponent, DrawnFigure, textOf } from "../saved_page/drawing.js";
import { loadPlotly } from "../saved_page/packed_plotly.js";
import { FrontEndTheme } from "./front_end_theme.js";
import { Picks } from "./picks.js";
import { Questions } from "./questions.js";

const main = document.querySelector("main");
const told = document.querySelector("[role=alert]");
const fonts = document.getElementById("fonts");
const saved = globalThis.saved ?? {};
const dark = new FrontEndTheme();
const theme = {
  drawn: document.documentElement.dataset.drawn,
  swaps: JSON.parse(textOf(document.getElementById("swap"))),
};
const { frame, version } = document.documentElement.dataset; // by which a kernel knows the view, and this page of it
const tellKernel = (message) => frame && window.parent.postMessage({ glassformer: frame, ...message }, "*");
const picks = new Picks(tellKernel);
const questions = new Questions(tellKernel);
if (frame) window.fetch = (address, how) => questions.ask(address, how);
const drawn = new Map(); // element of the page -> what draws in it

function make(host, plotly) {
  const { key } = host.dataset;
  if (host.matches("figure")) {
    const send = ([point]) => picks.add({ key, event: "point", value: point });
    return new DrawnFigure(host, plotly, theme, { send, dark });
  }
  const name = host.dataset.component;
  const style = document.createElement("style");
  style.textContent = textOf(document.querySelector(`script[data-style="${name}"]`));
  return new DrawnComponent(host, saved[name], style, {
    send: (event, value) => picks.add({ key, event, value }),
    dark,
  });
}

async function draw(element) {
  const host = element.querySelector(":scope > .component, :scope > figure");
  if (!host) return;
  const plotly = host.matches("figure") ? await loadPlotly() : null;
  if (!drawn.has(element)) drawn.set(element, make(host, plotly));
  drawn.get(element).take(host.querySelector("script"));
}

async function show(html, isNew) {
  const changed = graft(main, html, isNew);
  for (const gone of changed.gone) {
    drawn.get(gone)?.stop();
    drawn.delete(gone);
  }
  for (const element of changed.drawn) await draw(element);
}

// The newest picture of the kernel, or why it has none. A hand that has gone on since gets the next one.
function take({ body, faces, said, number }) {
  if (picks.answer(number)) return;
  told.hidden = !said;
  told.textContent = said;
  if (body === undefined) return;
  fonts.textContent = faces;
  show(body, false);
}

const tellOpened = () => tellKernel({ does: "opened", version: Number(version) });

// The frame is as high as its page. Until it is drawn, a still picture stands in its place (views/notebook/frame.py).
function fit() {
  const around = window.frameElement;
  if (!around) return;
  const fitHeight = () => {
    around.style.height = `${document.body.offsetHeight + 8}px`;
  };
  new ResizeObserver(fitHeight).observe(document.body);
  for (const still of around.parentElement.querySelectorAll("[data-still]")) still.remove();
}

addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || data?.glassformer !== frame) return;
  if (data.does === "begin") {
    tellOpened();
    picks.begin();
  } else if (data.does === "hears") questions.begin();
  else if (data.question) questions.answer(data);
  else take(data);
});
await show(main.innerHTML, true);
fit();
tellOpened();
document.documentElement.dataset.ready = "yes";
