// The picture of one layer asks the component beside it for the numbers of all layers, by the identity of their run.
const ASKS = "glassformer stack";

// The stack: {titles, weights}; undefined where nobody has it.
export function findStack(id) {
  const question = { id, answer: undefined };
  document.dispatchEvent(new CustomEvent(ASKS, { detail: question }));
  return question.answer;
}

// Answers each question by `find`, which is given the identity. Returns the function that ends this.
export function answerWithStack(find) {
  const answer = ({ detail }) => {
    detail.answer ??= find(detail.id);
  };
  document.addEventListener(ASKS, answer);
  return () => document.removeEventListener(ASKS, answer);
}

// What one layer of a stack has: its title and its weights (heads, queries, keys).
export function layerOf({ titles, weights }, layer) {
  const [, ...shape] = weights.shape;
  const size = shape.reduce((product, length) => product * length, 1);
  const own = weights.subarray(layer * size, (layer + 1) * size);
  return { title: titles[layer], weights: Object.assign(own, { shape }) };
}
