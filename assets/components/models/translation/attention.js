// The weights of a translation, read off codes with the shape (layers + 1, heads + 1, queries, keys). Behind the heads
// of a layer stands their mean, and after the layers theirs: a mean of codes would not be exact.
// `view` is the reader's: step, layer, head, order. A layer or head of -1 means the mean of all.
import { formatFixed } from "../../shared/numbers.js";
import { weightOfCode } from "../../shared/payload.js";

const chosen = (index, count) => (index < 0 || index >= count ? count - 1 : index);

// The weight of one cell of an attention, of the chosen layer and head or on average.
export function weightAt(codes, view, query, key) {
  const [layers, heads, queries, keys] = codes.shape;
  const map = chosen(view.layer, layers) * heads + chosen(view.head, heads);
  return weightOfCode(codes[(map * queries + query) * keys + key]);
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

// A weight between two words as text. One that is added up of several codes is not exact.
export function writeWeight(weight, word, source) {
  const isOneCell = word.first === word.last && source.first === source.last;
  return `${isOneCell ? "" : "about "}${formatFixed(weight, 2)}`;
}

// The word that the last step wrote; -1 before the first.
export const wordOfStep = (words, step) => words.findIndex((word) => word.first < step && step - 1 <= word.last);

// The keys that a query looks at most, as pairs [weight, key], the largest first.
export function strongestKeys(weightOf, query, count, most) {
  const pairs = Array.from({ length: count }, (_, key) => [weightOf(query, key), key]);
  return pairs.sort((a, b) => b[0] - a[0]).slice(0, most);
}
