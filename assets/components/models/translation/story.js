// The present step of a translation in words.
import { createElement } from "../../shared/dom.js";
import { formatPercent } from "../../shared/numbers.js";
import { writeWeight } from "./attention.js";

const bold = (text) => createElement("strong", {}, createElement("bdi", { textContent: text }));

// A word as a chip with the place of its first token.
function chip(word, role) {
  const place = createElement("small", { textContent: ` ${word.first}` });
  return createElement("span", { className: `named ${role}` }, createElement("bdi", { textContent: word.text }), place);
}

// Texts and elements. `current` is the written word of the step, and `between` the weight that it gives a source word.
export function tellStep(data, step, current, between) {
  if (step === 0) {
    const read = `The encoder reads all ${data.source.length} words together.`;
    return [bold("Encode once. "), `${read} Its output stays the same for every step that follows.`];
  }
  const word = data.written[current];
  const probability = data.probabilities[step - 1];
  const looks = data.source.map((source) => [between(word, source), source]);
  const [weight, most] = looks.sort((a, b) => b[0] - a[0])[0];
  const tokens =
    step === 1
      ? `only ${data.start}`
      : `${data.start} and the ${step - 1} token${step === 2 ? "" : "s"} written so far,`;
  const share = ` (${formatPercent(probability)}). Most cross-attention: `;
  return [
    bold(stepName(data, word, step)),
    `The decoder reads ${tokens} and `,
    verbOf(data, word, step),
    chip(word, "query"),
    share,
    chip(most, "key"),
    ` (${writeWeight(weight, word, most)}).`,
  ];
}

function stepName(data, word, step) {
  if (step === 1) return `${data.start}. `;
  return word.special ? `${word.text}. ` : "Append, and again. ";
}

function verbOf(data, word, step) {
  if (data.given) return "the given next token is ";
  if (word.special) return "ends the sentence with ";
  return step === 1 ? "writes the first word, " : "writes ";
}
