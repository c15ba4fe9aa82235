// Finding a place by words: “layer 9 head 2”, “L9H2”, “W_O 3”, “softmax”, “neuron 812”, “token 3”, a word of the text
// or the answer, or a cell as the URL names it.
import { formatPercent } from "../../shared/numbers.js";
import { plainLabel } from "../../shared/tokens.js";
import { placeOf } from "./layout.js";
import { pathWords, placeWords, readPlace } from "./names.js";
import { plainQuestion, synonymsOf } from "./synonyms.js";

const MAX_RESULTS = 12;
const COUNTED = { neuron: "d_ff", feature: "d_model" }; // axes of which a place can be asked for

const wordsOf = (text) =>
  text
    .toLowerCase()
    .replace(/[›·,.:]/g, " ")
    .split(/\s+/)
    .filter(Boolean);

// All groups and matrices with the words that find them.
export function createIndex(layout) {
  const groups = [...layout.groups.values()]
    .filter(({ kind }) => kind !== "model")
    .map((group) => ({ label: pathWords(layout, group), group }));
  const seen = new Set();
  const isTied = !layout.byTensor.has("unembed.weight");
  const matrices = layout.matrices.map((matrix) => {
    const path = pathWords(layout, matrix.group);
    return { label: [path, matrix.title].filter(Boolean).join(" › "), matrix };
  });
  return [...groups, ...matrices]
    .filter(({ label }) => label && !seen.has(label) && seen.add(label))
    .map((entry) => {
      const words = wordsOf(entry.label);
      return { ...entry, size: words.length, words: [...words, ...wordsOf(synonymsOf(entry, isTied))] };
    });
}

const fits = (asked, word) => (/^\d+$/.test(asked) ? asked === word : word.startsWith(asked));

// How far a target is from what was asked; null where a word of the question is not in it. Layers come before heads.
function distance(asked, { words, size }) {
  let far = size;
  for (const [i, word] of asked.entries()) {
    const at = words.findIndex((each, place) => fits(word, each) && isNamed(asked, i, words, place));
    if (at < 0) return null;
    far += at / 100;
  }
  return far;
}

// A number after “layer” or “head” must be that of a layer or head.
function isNamed(asked, i, words, place) {
  const before = asked[i - 1];
  if (!/^\d+$/.test(asked[i]) || !/^(layer|head)$/.test(before ?? "")) return true;
  return words[place - 1] === before;
}

// The places that a question finds, the nearest first: {label} with a group, a matrix, or a cell {matrix, row, column}.
// `outcome`: the bars of the model's answer, where it has some.
export function search(index, layout, question, outcome = null) {
  const exact = readPlace(question.trim());
  if (exact?.index.length) {
    const [matrix, row, column] = placeOf(exact.index);
    const found = layout.find(exact.target, matrix, row, column);
    return found ? [{ label: question.trim(), cell: { matrix: found, row, column } }] : [];
  }
  const asked = wordsOf(plainQuestion(question));
  if (!asked.length) return [];
  const found = [
    ...findCounted(layout, asked),
    ...findPlaces(layout, asked),
    ...findTokens(layout, asked),
    ...findAnswers(layout, asked, outcome),
  ];
  const named = index
    .map((entry) => ({ entry, far: distance(asked, entry) }))
    .filter(({ far }) => far !== null)
    .sort((one, other) => one.far - other.far)
    .map(({ entry }) => entry);
  return [...named.filter(({ group }) => group), ...found, ...named.filter(({ group }) => !group)].slice(
    0,
    MAX_RESULTS,
  );
}

// “neuron 812”, “layer 3 neuron 812”: a column of each layer's neurons, at the last token.
function findCounted(layout, asked) {
  const at = asked.findIndex((word, i) => COUNTED[word] && /^\d+$/.test(asked[i + 1] ?? ""));
  if (at < 0) return [];
  const column = Number(asked[at + 1]);
  const layer = asked[asked.indexOf("layer") + 1];
  const wanted = asked[at] === "neuron" ? /ffn\.activated$/ : /(resid_out|embed\.out)$/;
  return distinct(layout.matrices.filter(({ tensor }) => wanted.test(tensor)))
    .filter((matrix) => matrix.column_axis === COUNTED[asked[at]] && column < matrix.columns[1])
    .filter(({ tensor }) => !asked.includes("layer") || tensor.split(".").includes(layer))
    .map((matrix) => cellEntry(layout, { matrix, row: matrix.rows[1] - 1, column }));
}

// Where tokens have their rows: the embedding, and what is left of it after the last layer.
const rowsOfTokens = (layout) =>
  distinct(layout.matrices.filter(({ tensor }) => /(^|\.)(embed\.out|final_norm)$/.test(tensor)));

// “token 3”, “position 3”: the row of that token.
function findPlaces(layout, [noun, number, ...more]) {
  if (!/^(token|position)$/.test(noun) || !/^\d+$/.test(number ?? "") || more.length) return [];
  const row = Number(number);
  return rowsOfTokens(layout)
    .filter(({ rows: [first, end] }) => row >= first && row < end)
    .map((matrix) => cellEntry(layout, { matrix, row, column: matrix.columns[0] }));
}

// A word that the model answers: the place of its answers.
function findAnswers(layout, asked, outcome) {
  const word = asked.join(" ");
  const group = [...layout.groups.values()].findLast(({ id }) => id.endsWith(".output"));
  if (!group || !outcome?.bars || outcome.kind === "none") return [];
  return outcome.bars
    .filter(({ label }) => isAlike(plainLabel(label).toLowerCase(), word))
    .map(({ label, share }) => ({ label: `${outcome.title}: ${plainLabel(label)}, ${formatPercent(share)}`, group }));
}

const isAlike = (label, word) => label === word || (word.length > 2 && label.startsWith(word));

// A word of the text: its row in the embedding and in the last layer.
function findTokens(layout, asked) {
  const word = asked.join(" ");
  return rowsOfTokens(layout).flatMap((matrix) => {
    const labels = layout.tokens[matrix.row_tokens] ?? [];
    const rows = labels.map((label, row) => [plainLabel(label).toLowerCase(), row]);
    const same = rows.filter(([label]) => isAlike(label, word));
    return same.map(([, row]) => cellEntry(layout, { matrix, row, column: matrix.columns[0] }));
  });
}

// One matrix of each tensor: the last, which is the one that is near.
const distinct = (matrices) => [...new Map(matrices.map((matrix) => [matrix.tensor, matrix])).values()];

function cellEntry(layout, cell) {
  const { matrix, row, column } = cell;
  const path = [pathWords(layout, matrix.group), matrix.title].filter(Boolean).join(" › ");
  const places = ["row", "column"].map((axis) =>
    placeWords(matrix, axis, axis === "row" ? row : column, layout.tokens),
  );
  return { label: `${path}: ${places.join(", ")}`, cell };
}
