// The weights of a translation, read off codes with the shape (layers, heads, queries, keys).
// `view` is the reader's: step, layer, head, order. A layer or head of -1 means the mean of all.
import { weightOfCode } from "../../shared/payload.js";

const chosen = (index, count) => (index < 0 || index >= count ? [...Array(count).keys()] : [index]);

// The weight of one cell of an attention, of the chosen layer and head or on average.
export function weightAt(codes, view, query, key) {
  const [layers, heads, queries, keys] = codes.shape;
  const maps = chosen(view.layer, layers).flatMap((layer) =>
    chosen(view.head, heads).map((head) => layer * heads + head),
  );
  const sum = maps.reduce((total, map) => total + weightOfCode(codes[(map * queries + query) * keys + key]), 0);
  return sum / maps.length;
}

// How much a written word looks at a source word. `weightOf(query, key)` is the cross-attention of two tokens. A word
// has the tokens `first` to `last`. The weights of its keys add up, and its queries are averaged, as far as they are
// written.
export function weightBetween(weightOf, word, source, step) {
  const last = Math.min(word.last, step - 1);
  if (last < word.first) return 0;
  let sum = 0;
  for (let query = word.first; query <= last; query++) {
    for (let key = source.first; key <= source.last; key++) sum += weightOf(query, key);
  }
  return sum / (last - word.first + 1);
}

// The word that the last step wrote; -1 before the first.
export const wordOfStep = (words, step) => words.findIndex((word) => word.first < step && step - 1 <= word.last);

// The keys that a query looks at most, as pairs [weight, key], the largest first.
export function strongestKeys(weightOf, query, count, most) {
  const pairs = Array.from({ length: count }, (_, key) => [weightOf(query, key), key]);
  return pairs.sort((a, b) => b[0] - a[0]).slice(0, most);
}
