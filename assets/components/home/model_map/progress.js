// How far a run has come while it is played: token after token, and each of them layer after layer.

// The steps of a run: {stack, token, layer}. A token of null stands for all tokens at once: those of an encoder. Behind
// the `last` layer of a token comes one more step, at which the answer is there. `tokens` names those that are counted.
export function listSteps(layout) {
  const layers = {};
  for (const { kind, id } of layout.groups.values()) {
    if (kind === "layer") layers[id.split(".")[0]] = (layers[id.split(".")[0]] ?? 0) + 1;
  }
  const steps = [];
  for (const stack of Object.keys(layers)) {
    const labels = layout.tokens.target ?? layout.tokens.source;
    const tokens = stack === "encoder" ? [null] : labels.map((_, token) => token);
    for (const token of tokens) {
      for (let layer = 0; layer <= layers[stack]; layer++) {
        steps.push({ stack, token, layer, last: layers[stack], tokens: layout.tokens.target ? "target" : "source" });
      }
    }
  }
  return steps;
}

// The stack and the layer that make a tensor. Embeddings come before all layers, results after them.
export function whenMade(tensor, lastStack) {
  const [, stack, layer] = tensor.match(/^(encoder|decoder)\.(\d+)\./) ?? [];
  if (stack) return { stack, layer: Number(layer) };
  const isEmbedding = /(^|\.)(embed|patches|pixels)/.test(tensor);
  return { stack: tensor.startsWith("encoder") ? "encoder" : lastStack, layer: isEmbedding ? -1 : Infinity };
}

const ORDER = ["encoder", "decoder"]; // an encoder runs first

// The first row of a matrix that is not made yet at a step; null where all of them are. Weights are always there.
export function firstUnmadeRow(matrix, step, lastStack) {
  if (matrix.weight) return null;
  const made = whenMade(matrix.tensor, lastStack);
  const ahead = ORDER.indexOf(made.stack) - ORDER.indexOf(step.stack);
  if (ahead) return ahead < 0 ? null : matrix.rows[0];
  const isAnswer = step.layer === step.last;
  const isThere = made.layer < step.layer || (isAnswer ? made.layer === Infinity : made.layer === step.layer);
  if (step.token === null || matrix.row_tokens !== step.tokens) {
    return isThere || step.token > 0 ? null : matrix.rows[0];
  }
  const row = Math.max(step.token + (isThere ? 1 : 0), matrix.rows[0]);
  return row < matrix.rows[1] ? row : null;
}

// A step in words, for the screen reader and the line below the map.
export function stepWords({ stack, token, layer, last }, lastStack, { source, target }) {
  const labels = target ?? source;
  const who = token === null ? "All tokens" : `“${labels[token]}” (token ${token})`;
  if (layer < last) return `${who}: layer ${layer}`;
  return stack !== lastStack ? "The encoder is done" : `${who}: the answer`;
}
