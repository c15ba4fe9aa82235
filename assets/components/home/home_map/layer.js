// One layer of a stack: its attentions, its feed-forward, and the residual stream beside them.
import { createElement } from "../../shared/dom.js";
import { formatCount, formatFixed } from "../../shared/numbers.js";
import { plainLabel } from "../../shared/tokens.js";
import { cells, linked } from "./parts.js";

export function createLayer(map, number, ramps, lead, go) {
  const stack = map.stacks[number];
  const attentionNote = `queries · keys · values, ${stack.headWidth} features each`;
  const attentions = stack.attentions.map((attention) =>
    createSublayer(attention.title, attentionNote, headTiles(map, number, attention, ramps, go)),
  );
  const text = `residual stream · ${stack.count} × ${stack.width}`;
  const label = createElement("p", { className: "stream-label", textContent: text });
  const line = createElement("div", {}, createElement("div", { className: "stream" }), label);
  const stream = lead("stream", "Residual stream", line, { layer: stack.layer });
  const sublayers = [...attentions, feedForward(map, number, ramps, lead)];
  const which = `one of ${stack.layers} layers (shown: layer ${stack.layer})`;
  return createElement(
    "div",
    { className: "layer" },
    createElement("p", { className: "muted which", textContent: which }),
    createElement("div", { className: "box" }, createElement("div", { className: "sublayers" }, ...sublayers), stream),
  );
}

function feedForward(map, number, ramps, lead) {
  const stack = map.stacks[number];
  const words = `Activations of ${stack.shownNeurons} feed-forward neurons for each token`;
  const picture = cells(map[`neurons${number}`], ramps.signed, words);
  picture.classList.add("neurons");
  const shown = stack.shownNeurons < stack.neurons ? `, strongest ${stack.shownNeurons} shown` : "";
  const body = lead("ffn", "Feed-forward", picture, { layer: stack.layer });
  return createSublayer("Feed-forward", `${formatCount(stack.neurons)} neurons${shown}`, body);
}

// A part of the layer with its two arrows: it reads from the residual stream, and adds to it.
function createSublayer(title, note, body) {
  const heading = createElement("h4", { textContent: title });
  const caption = createElement("p", { className: "muted note", textContent: note });
  return createElement("div", { className: "sublayer" }, heading, body, caption, createArrows());
}

function createArrows() {
  const createSvg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const arrows = createSvg("svg", { viewBox: "0 0 160 44", class: "reads", "aria-hidden": "true" });
  const plus = createSvg("text", { x: 132, y: 22 });
  plus.textContent = "+";
  const up = createSvg("path", { d: "M40 44V4M34 12L40 4L46 12" });
  const down = createSvg("path", { d: "M120 0V38M114 30L120 38L126 30" });
  arrows.append(up, down, plus);
  return arrows;
}

function headTiles(map, number, attention, ramps, go) {
  const stack = map.stacks[number];
  const keyStack = attention.part === "cross_attn" ? map.stacks[0] : stack;
  const all = map[`${attention.part}${number}`];
  const [count, queries, keys] = all.shape;
  const tiles = Array.from({ length: count }, (_, head) => {
    const codes = all.subarray(head * queries * keys, (head + 1) * queries * keys);
    codes.shape = [queries, keys];
    const size = `Head ${head}: weights of ${queries} queries on ${keys} keys.`;
    const tile = cells(
      codes,
      ramps.weights,
      `${size} ${describeFavourite(map[`${attention.part}${number}_means`], head, keyStack.tokens)}`,
    );
    const place = { part: "head", attention: attention.part, stack: stack.stack, layer: stack.layer, head };
    const button = linked(map.links.head, `Head ${head}`, tile, () => go(place));
    button.classList.toggle("framed", head === attention.framed);
    return button;
  });
  const style = { gridTemplateColumns: `repeat(${Math.ceil(Math.sqrt(count))}, 1fr)` };
  return createElement("div", { className: "heads", style }, ...tiles);
}

// The key that the queries of a head look at most. `means` are each key's mean weight, with the shape (heads, keys).
// There are none where a cell of the picture holds several pairs of tokens.
export function describeFavourite(means, head, tokens) {
  if (!means) return "";
  const ofHead = means.subarray(head * tokens.length, (head + 1) * tokens.length);
  const largest = Math.max(...ofHead);
  const token = plainLabel(tokens[ofHead.indexOf(largest)]);
  return `${token} is looked at most, ${formatFixed(largest, 2)} on average.`;
}
