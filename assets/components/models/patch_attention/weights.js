// The attention of one token in every head, from the queries and keys that travel (viz/models/patch_heads.py).

// The place among all tokens of a patch, after the `special` learnt ones: of the class token, -1, it is 0, and of the
// distillation token, -2, it is 1.
export const tokenOf = (patch, special) => (patch < 0 ? -1 - patch : patch + special);

// Weights (layers * heads, S + N) of the token that asks, to the S learnt tokens and all N patches: the softmax of its
// queries' products with all keys. `steps` holds, for each head, the step that its whole numbers count. Which patch
// gets most (`best`), and how much (`top`), travels apart, because it must be exact.
export function attentionOf({ queries, keys, steps, best, top, special }, patch) {
  const [layers, heads, width, tokens] = queries.shape;
  const asking = tokenOf(patch, special);
  const weights = new Float32Array(layers * heads * tokens);
  for (let head = 0; head < layers * heads; head++) {
    const row = weights.subarray(head * tokens, (head + 1) * tokens);
    addScores(row, queries, keys, head * width, width, asking);
    softmax(row, steps[head] ** 2);
    const largest = (top[head * tokens + asking] / 255) ** 4;
    for (let token = special; token < tokens; token++) row[token] = Math.min(row[token], largest);
    row[best[head * tokens + asking] + special] = largest;
  }
  return weights;
}

// Adds to `row` the products of the asking token's query with all keys, over `width` features from the first one on.
function addScores(row, queries, keys, first, width, asking) {
  for (let feature = first; feature < first + width; feature++) {
    const start = feature * row.length;
    const query = queries[start + asking];
    if (query) for (let token = 0; token < row.length; token++) row[token] += query * keys[start + token];
  }
}

// Replaces scores by exp(score * scale) over their sum.
export function softmax(row, scale) {
  const largest = row.reduce((most, score) => Math.max(most, score), -Infinity);
  let sum = 0;
  for (let i = 0; i < row.length; i++) {
    const power = Math.exp((row[i] - largest) * scale);
    row[i] = power;
    sum += power;
  }
  for (let i = 0; i < row.length; i++) row[i] /= sum;
}
