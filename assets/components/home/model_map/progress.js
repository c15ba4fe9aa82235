// How far a run has come while it is played: layer after layer, and in each of them all tokens at once.

// The steps of a run: {stack, layer, last}. Behind the `last` layer of a stack comes one more step: at that of the last
// stack the answers are there.
export function listSteps(layout) {
  const layers = {};
  for (const { kind, id } of layout.groups.values()) {
    if (kind === "layer") layers[id.split(".")[0]] = (layers[id.split(".")[0]] ?? 0) + 1;
  }
  return Object.entries(layers).flatMap(([stack, last]) =>
    Array.from({ length: last + 1 }, (_, layer) => ({ stack, layer, last })),
  );
}

// The stack and the layer that make a tensor. Embeddings come before all layers, results after them.
export function whenMade(tensor, lastStack) {
  const [, stack, layer] = tensor.match(/^(encoder|decoder)\.(\d+)\./) ?? [];
  if (stack) return { stack, layer: Number(layer) };
  const isEmbedding = /(^|\.)(embed|patches|pixels)/.test(tensor);
  return { stack: tensor.startsWith("encoder") ? "encoder" : lastStack, layer: isEmbedding ? -1 : Infinity };
}

const ORDER = ["encoder", "decoder"]; // an encoder runs first

// Whether a matrix is there at a step. Weights always are.
export function isMade(matrix, step, lastStack) {
  if (matrix.weight) return true;
  const made = whenMade(matrix.tensor, lastStack);
  const ahead = ORDER.indexOf(made.stack) - ORDER.indexOf(step.stack);
  if (ahead) return ahead < 0;
  return made.layer === Infinity ? step.layer === step.last : made.layer <= step.layer;
}

const countTokens = (count) => (count === 1 ? "its one token" : `all ${count} tokens at once`);

// A step in words, for the screen reader and the line below the map. `answer`: {token, label, share}, what the last
// token predicts; null where the model answers otherwise.
export function stepWords({ stack, layer, last }, steps, { source, target }, answer = null) {
  const hasTwo = steps[0].stack !== steps.at(-1).stack;
  const count = (stack === "decoder" && target ? target : source).length;
  const who = hasTwo ? `${stack[0].toUpperCase()}${stack.slice(1)}, layer` : "Layer";
  if (layer < last) return `${who} ${layer} of 0–${last - 1}: ${countTokens(count)}`;
  if (stack !== steps.at(-1).stack) return "The encoder is done: the decoder reads what it made";
  return answer
    ? `Every token predicts. The last one, “${answer.token}”: “${answer.label}”, ${answer.share}`
    : "The answer";
}
