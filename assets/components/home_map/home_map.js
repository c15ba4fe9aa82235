// The transformer's figure, every part a small picture of this run. A part that has a page leads to it.
export default async function ({ data, parentElement, setTriggerValue }) {
  const map = await newest(parentElement, data);
  if (!map) return undefined;
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("div", { className: "gf map", role: "group", "aria-label": "Map of this run" });
    parentElement.append(root);
  }
  const colour = applyTheme(root);
  presented(root);
  root.style.setProperty("--stacks", map.stacks.length);
  const scales = { weights: ramp(colour("sequential")), signed: ramp(colour("signed")) };
  const go = (where) => setTriggerValue("go", where);
  redrawn(root, ...map.stacks.map((stack, number) => row(map, stack, number, scales, go)));
}

function row(map, stack, number, scales, go) {
  const last = number === map.stacks.length - 1;
  const lead = (part, what, picture, where = {}) => linked(map.links[part], what, picture, () => go({ part, stack: stack.stack, ...where }));
  const size = `${stack.count} × ${stack.width}`;
  const rows = stack.tokens.length + (stack.leftOut ? 1 : 0);
  const embedding = picture(map[`embedding${number}`], scales.signed, `Embedding of ${stack.count} tokens, ${stack.width} features each`);
  embedding.style.height = `${rows * 1.75 - 0.25}rem`; // as tall as the tokens

  const parts = [
    part("Tokens", `${stack.count} ids`, lead("tokens", "Tokens", tokenList(stack)), "tokens"),
    arrow(),
    part("Embedding", size, lead("embedding", "Embedding", embedding), "embedding"),
    arrow(),
    layerBox(map, stack, number, scales, lead, go),
    arrow(),
    part("Residual stream", "size by layer", sizes(stack, go), "sizes"),
  ];
  if (last) parts.push(arrow(), part(map.outcome.title, map.outcome.note, lead("outcome", map.outcome.title, outcome(map, scales)), "outcome"));
  else parts.push(part("", "to the decoder's cross-attention, in every layer", make("span", { className: "down", textContent: "↓", "aria-hidden": "true" }), "handover"));
  const section = make("section", { className: "row" }, ...parts);
  return stack.title ? make("div", {}, make("h3", { className: "stack", textContent: stack.title }), section) : section;
}

function layerBox(map, stack, number, scales, lead, go) {
  const sublayers = stack.attentions.map((attention) =>
    sublayer(attention.title, `queries · keys · values, ${stack.headWidth} features each`, heads(map, stack, number, attention, scales, go), "wide"));
  const neurons = picture(map[`neurons${number}`], scales.signed, `Activations of ${stack.shownNeurons} feed-forward neurons for each token`);
  neurons.classList.add("neurons");
  const shown = stack.shownNeurons < stack.neurons ? `, strongest ${stack.shownNeurons} shown` : "";
  const note = `${stack.neurons.toLocaleString("en")} neurons${shown}`;
  sublayers.push(sublayer("Feed-forward", note, lead("ffn", "Feed-forward", neurons, { layer: stack.layer }), "wide"));
  const label = make("p", { className: "stream-label", textContent: `residual stream · ${stack.count} × ${stack.width}` });
  const stream = lead("stream", "Residual stream", make("div", {}, make("div", { className: "stream" }), label), { layer: stack.layer });
  return make("div", { className: "layer" },
    make("p", { className: "muted which", textContent: `one of ${stack.layers} layers (shown: layer ${stack.layer})` }),
    make("div", { className: "box" }, make("div", { className: "sublayers" }, ...sublayers), stream));
}

// A part of the layer with its two arrows: it reads from the residual stream, and adds to it.
function sublayer(title, note, body) {
  const svg = (tag, values) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
    return node;
  };
  const arrows = svg("svg", { viewBox: "0 0 160 44", class: "reads", "aria-hidden": "true" });
  const plus = svg("text", { x: 132, y: 22 });
  plus.textContent = "+";
  arrows.append(svg("path", { d: "M40 44V4M34 12L40 4L46 12" }), svg("path", { d: "M120 0V38M114 30L120 38L126 30" }), plus);
  return make("div", { className: "sublayer" }, make("h4", { textContent: title }), body, make("p", { className: "muted note", textContent: note }), arrows);
}

function heads(map, stack, number, attention, scales, go) {
  const all = map[`${attention.part}${number}`];
  const [count, queries, keys] = all.shape;
  const columns = Math.ceil(Math.sqrt(count));
  const tiles = Array.from({ length: count }, (_, head) => {
    const one = all.subarray(head * queries * keys, (head + 1) * queries * keys);
    one.shape = [queries, keys];
    const tile = picture(one, scales.weights, `Head ${head}: weights of ${queries} queries on ${keys} keys. ${favourite(one, attention.part === "cross_attn" ? map.stacks[0] : stack)}`);
    const button = linked(map.links.head, `Head ${head}`, tile, () => go({ part: "head", attention: attention.part, stack: stack.stack, layer: stack.layer, head }));
    button.classList.toggle("framed", head === attention.framed);
    return button;
  });
  return make("div", { className: "heads", style: { gridTemplateColumns: `repeat(${columns}, 1fr)` } }, ...tiles);
}

// The key that the queries look at most, where the picture has a cell for each pair of tokens and not for several.
function favourite(cells, { tokens, count }) {
  const [queries, keys] = cells.shape;
  if (keys !== count || tokens.length !== count) return "";
  const means = tokens.map((_, k) => Array.from({ length: queries }, (_, q) => cells[q * keys + k]).reduce((a, b) => a + b) / queries / 255);
  const most = means.indexOf(Math.max(...means));
  return `${bare(tokens[most])} is looked at most, ${means[most].toFixed(2)} on average.`;
}

function tokenList(stack) {
  const chips = stack.tokens.map((label) => make("span", { className: "chip token" }, ...tokenText(label)));
  if (stack.leftOut) chips.splice(stack.tokens.length / 2 + 1, 0, make("span", { className: "muted more", textContent: `… ${stack.leftOut} more …` }));
  return make("div", { className: "chips" }, ...chips);
}

function outcome(map, scales) {
  if (map.vectors) return picture(map.vectors, scales.signed, "The last vectors of all tokens");
  const most = Math.max(...map.outcome.bars.map((bar) => bar.share));
  return make("div", { className: "bars" }, ...map.outcome.bars.map((bar, rank) =>
    make("div", { className: rank === 0 ? "bar first" : "bar" },
      make("i", { style: { width: `${Math.max(1, (72 * bar.share) / most)}%` } }),
      make("span", { className: "token" }, ...tokenText(bar.label)),
      make("span", { className: "share muted", textContent: bar.share.toFixed(3) }))));
}

function sizes(stack, go) {
  const most = Math.max(...stack.sizes);
  const columns = stack.sizes.map((size, layer) => {
    const words = `Layer ${layer}: ${size.toPrecision(3)}`;
    const column = make("button", { className: layer === stack.layer ? "column shown" : "column", title: `${words}. Click to show this layer.`, "aria-label": words, "data-id": `${stack.stack} ${layer}`,
      "aria-pressed": String(layer === stack.layer), tabIndex: layer === stack.layer ? 0 : -1,
      onclick: () => go({ part: "layer", layer, stack: stack.stack }) });
    column.append(make("i", { style: { height: `${(100 * size) / most}%` } }));
    return column;
  });
  const row = make("div", { className: "columns", role: "group", "aria-label": "Size of the residual stream by layer" }, ...columns);
  row.onkeydown = (event) => {
    const at = columns.indexOf(event.target), last = columns.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || !columns[to]) return;
    event.preventDefault();
    columns.forEach((column, i) => (column.tabIndex = i === to ? 0 : -1));
    columns[to].focus();
  };
  return row;
}

function part(title, note, body, kind) {
  return make("div", { className: `part ${kind}` }, make("h4", { textContent: title }), make("p", { className: "muted note", textContent: note }), body);
}

const arrow = () => make("span", { className: "arrow", textContent: "→", "aria-hidden": "true" });

// A button to a page, or, where there is no page, only the picture.
function linked(page, what, body, act) {
  if (!page) return make("div", { className: "still" }, body);
  return make("button", { className: "lead", title: `Open ${page}`, "aria-description": `${what}: open ${page}`, onclick: act }, body);
}

// Codes (rows, columns) as a canvas of as many pixels, to be stretched by the style sheet.
function picture(cells, scale, words) {
  return pixels(...cells.shape, scale, (at) => cells[at], { role: "img", "aria-label": words, className: "cells" });
}
