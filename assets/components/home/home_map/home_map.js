// The transformer's figure, every part a small picture of this run. A part that has a page leads to it.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { markPresented } from "../../shared/layout.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { colourRamp } from "../../shared/scales.js";
import { applyTheme } from "../../shared/theme.js";
import { createLayer } from "./layer.js";
import { arrow, cells, createPart, linked } from "./parts.js";
import { outcomePicture, sizeColumns, tokenList } from "./pictures.js";

export default async function drawHomeMap({ data, parentElement, setTriggerValue }) {
  const map = await unpackNewest(parentElement, data);
  if (!map) return;
  const root = findOrCreateRoot(parentElement, "div", {
    className: "gf map",
    role: "group",
    "aria-label": "Map of this run",
  });
  const colours = applyTheme(root);
  markPresented(root);
  root.style.setProperty("--stacks", map.stacks.length);
  const ramps = { weights: colourRamp(colours("sequential")), signed: colourRamp(colours("signed")) };
  const go = (place) => setTriggerValue("go", place);
  replaceKeepingFocus(root, ...map.stacks.map((_, number) => createRow(map, number, ramps, go)));
}

// A stack of layers from its tokens to its outcome. `number` counts the stacks: a translator has two.
function createRow(map, number, ramps, go) {
  const stack = map.stacks[number];
  const isLast = number === map.stacks.length - 1;
  const lead = (part, title, picture, place = {}) =>
    linked(map.links[part], title, picture, () => go({ part, stack: stack.stack, ...place }));
  const parts = [
    createPart("Tokens", `${stack.count} ids`, lead("tokens", "Tokens", tokenList(stack)), "tokens"),
    arrow(),
    createPart("Embedding", `${stack.count} × ${stack.width}`, embedding(map, number, ramps, lead), "embedding"),
    arrow(),
    createLayer(map, number, ramps, lead, go),
    arrow(),
    createPart("Residual stream", "size by layer", sizeColumns(stack, go), "sizes"),
  ];
  if (isLast) parts.push(arrow(), outcome(map, ramps, lead));
  else parts.push(handover());
  const section = createElement("section", { className: "row" }, ...parts);
  if (!stack.title) return section;
  return createElement("div", {}, createElement("h3", { className: "stack", textContent: stack.title }), section);
}

function embedding(map, number, ramps, lead) {
  const stack = map.stacks[number];
  const words = `Embedding of ${stack.count} tokens, ${stack.width} features each`;
  const picture = cells(map[`embedding${number}`], ramps.signed, words);
  const rows = stack.tokens.length + (stack.leftOut ? 1 : 0);
  picture.style.height = `${rows * 1.75 - 0.25}rem`; // as tall as the tokens
  return lead("embedding", "Embedding", picture);
}

function outcome(map, ramps, lead) {
  const { title, note } = map.outcome;
  return createPart(title, note, lead("outcome", title, outcomePicture(map, ramps)), "outcome");
}

function handover() {
  const down = createElement("span", { className: "down", textContent: "↓", "aria-hidden": "true" });
  return createPart("", "to the decoder's cross-attention, in every layer", down, "handover");
}
