// Words that people use for parts of a transformer, beside the titles of the map.

// By the name of a tensor or weight, without its layer. The first that fits.
const MATRICES = [
  [/attn\.weights$/, "softmax attention weights probabilities pattern"],
  [/attn\.q(_\w+)?$/, "queries query"],
  [/attn\.k(_\w+)?$/, "keys key"],
  [/attn\.v$/, "values value"],
  [/attn\.(raw_scores|scores)$/, "dot products logits of attention"],
  [/attn\.heads$/, "mixed values output of the head"],
  [/attn\.concat$/, "concat concatenated heads"],
  [/attn\.out$/, "attention output"],
  [/query\.(weight|bias)$/, "query projection wq q_proj"],
  [/key\.(weight|bias)$/, "key projection wk k_proj"],
  [/value\.(weight|bias)$/, "value projection wv v_proj"],
  [/attn\.out\.(weight|bias)$/, "output projection wo o_proj"],
  [/ffn\.activated$/, "activations mlp ffn hidden"],
  [/ffn\./, "mlp ffn feed-forward"],
  [/resid_/, "residual stream skip"],
  [/norm/, "layernorm rmsnorm normalisation normalization"],
  [/^(unembed\.weight|logits)$/, "unembedding lm_head scores next prediction"],
  [/embed\.tokens\.weight$/, "vocabulary embeddings wte"],
  [/embed\.positions/, "position positional encoding wpe"],
];

const GROUPS = [
  [/feed-forward$/, "mlp ffn network"],
  [/residual stream$/, "skip"],
  [/self-attention$/, "multi-head attention mha"],
  [/\.output$/, "unembedding lm_head prediction answer next"],
];

const find = (table, name) => table.find(([pattern]) => pattern.test(name))?.[1] ?? "";

// Other words for a group, or for a matrix. `isTied`: the model has no table of its own for its answers.
export const synonymsOf = ({ group, matrix }, isTied) => {
  if (group) return find(GROUPS, group.id);
  const isAnswers = isTied && /embed\.tokens\.weight$/.test(matrix.tensor);
  return find(MATRICES, matrix.tensor) + (isAnswers ? " unembedding lm_head" : "");
};

// A question as the map says it: “L9H2”, “9.2” and “layer9 head2” are “layer 9 head 2”.
export function plainQuestion(question) {
  const text = question.trim();
  const pair = text.match(/^(?:l|layer)?\s*(\d+)\s*[.:/,h-]\s*(?:h|head)?\s*(\d+)$/i);
  if (pair) return `layer ${pair[1]} head ${pair[2]}`;
  return text
    .replace(/\bl(?:ayer)?\s*(\d+)/gi, "layer $1")
    .replace(/(\d)\s*h(?:ead)?\s*(\d+)/gi, "$1 head $2")
    .replace(/\bh(?:ead)?\s*(\d+)/gi, "head $1");
}
