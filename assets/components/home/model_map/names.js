// What matrices and their axes are called on the map.
import { formatCount } from "../../shared/numbers.js";
import { plainLabel } from "../../shared/tokens.js";

// The colour of a matrix by what it holds: queries blue, keys orange, values green, the residual stream purple.
export function roleOf({ tensor }) {
  const last = tensor
    .replace(/\.(weight|bias|gain)$/, "")
    .split(".")
    .pop();
  if (/^(q|q_unrotated|query)$/.test(last)) return "query";
  if (/^(k|k_unrotated|key)$/.test(last)) return "key_text";
  if (/^(v|value)$/.test(last)) return "value_text";
  if (/^(resid_|(attn|cross|ffn)_(scaled|out_norm)|out$|contrib)/.test(last) || tensor === "embed.out")
    return "residual_text";
  return "text";
}

export const shapeText = ({ rows, columns }) =>
  `${formatCount(rows[1] - rows[0])} × ${formatCount(columns[1] - columns[0])}`;

export const axisName = (axis) =>
  (axis ?? "")
    .replace(/^queries$/, "query")
    .replace(/^vocabularies$/, "vocabulary")
    .replace(/s$/, "");

// The words of the places of an axis, "row" or "column": its tokens. Null where places have numbers alone.
export const axisLabels = (matrix, axis, tokens) => tokens[matrix[`${axis}_tokens`]] ?? null;

const AXIS_WORDS = { d_model: "feature", d_head: "feature", d_ff: "neuron", vocabulary: "token id" };

// A place of an axis in words: “it (query 8)”, “feature 51”, “neuron 812”.
export function placeWords(matrix, axis, place, tokens) {
  const name = axisName(matrix[`${axis}_axis`]);
  const words = axisLabels(matrix, axis, tokens);
  if (words) return `${plainLabel(words[place] ?? "?")} (${name} ${place})`;
  return `${AXIS_WORDS[name] ?? (name.replace(/_/g, " ") || axis)} ${place}`;
}

// Where a matrix stands: “Layer 9 › Head 2”.
export const pathWords = (layout, group) =>
  layout
    .path(group)
    .filter(({ kind }) => kind !== "model")
    .map(({ title }) => title)
    .filter(Boolean)
    .join(" › ");

const DECIMALS = 3; // of a view in the URL, in world units

// A place as the URL has it (`MapPlace` of viz/home/layout/places.py): a group, “decoder.9/head 2”, or a number,
// “decoder.9.self_attn.weights:2,7,0”. Behind “@” the middle of the window, x and y, and its width, unless the place
// fills the window.
export function writePlace({ target, index = [], view = [] }) {
  const sides = view.map((side) => Number(side.toFixed(DECIMALS)));
  return target + (index.length ? `:${index.join(",")}` : "") + (view.length ? `@${sides.join(",")}` : "");
}

// The other way; null for a text that is no place.
export function readPlace(text) {
  const [, target, index, view] = text.match(/^([^@:]+)(?::(\d+(?:,\d+)*))?(?:@([-\d.]+,[-\d.]+,[\d.]+))?$/) ?? [];
  const numbers = (list) => (list ? list.split(",").map(Number) : []);
  return target ? { target, index: numbers(index), view: numbers(view) } : null;
}
