// The pictures of the map that are made of elements: tokens, the sizes of the stream, the outcome.
import { createElement } from "../../shared/dom.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { formatFixed, formatNumber } from "../../shared/numbers.js";
import { tokenNodes } from "../../shared/tokens.js";
import { cells } from "./parts.js";

export function tokenList(stack) {
  const chips = stack.tokens.map((label) => createElement("span", { className: "chip token" }, ...tokenNodes(label)));
  if (stack.leftOut) {
    const more = createElement("span", { className: "muted more", textContent: `… ${stack.leftOut} more …` });
    chips.splice(stack.tokens.length / 2 + 1, 0, more);
  }
  return createElement("div", { className: "chips" }, ...chips);
}

// The probabilities of the next token or class, or the last vectors of a model that has none.
export function outcomePicture(map, ramps) {
  if (map.vectors) return cells(map.vectors, ramps.signed, "The last vectors of all tokens");
  const { bars } = map.outcome;
  const largest = Math.max(...bars.map((bar) => bar.share));
  const rows = bars.map(({ label, share }, rank) =>
    createElement(
      "div",
      { className: rank === 0 ? "bar first" : "bar" },
      createElement("i", { style: { width: `${Math.max(1, (72 * share) / largest)}%` } }),
      createElement("span", { className: "token" }, ...tokenNodes(label)),
      createElement("span", { className: "share muted", textContent: formatFixed(share, 3) }),
    ),
  );
  return createElement("div", { className: "bars" }, ...rows);
}

// The size of the residual stream after each layer. A column shows its layer.
export function sizeColumns(stack, go) {
  const largest = Math.max(...stack.sizes);
  const columns = stack.sizes.map((size, layer) => {
    const words = `Layer ${layer}: ${formatNumber(size)}`;
    const isShown = layer === stack.layer;
    const props = {
      className: isShown ? "column shown" : "column",
      title: `${words}. Click to show this layer.`,
      "aria-label": words,
      "data-id": `${stack.stack} ${layer}`,
      "aria-pressed": String(isShown),
      tabIndex: isShown ? 0 : -1,
      onclick: () => go({ part: "layer", layer, stack: stack.stack }),
    };
    return createElement("button", props, createElement("i", { style: { height: `${(100 * size) / largest}%` } }));
  });
  const props = { className: "columns", role: "group", "aria-label": "Size of the residual stream by layer" };
  const row = createElement("div", props, ...columns);
  moveFocusByKeys(row, columns, { forward: ["ArrowRight"], back: ["ArrowLeft"] });
  return row;
}
