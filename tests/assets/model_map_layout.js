// A small layout for the tests of the map.
import { Layout } from "../../assets/components/home/model_map/layout.js";

// Two layers of two heads over a text of three tokens. A head has its weights from afar, and its queries from near.
// `levels` and `halvings` are those of list_scales and describe_kind (viz/home/layout/).
const head = (number) => [
  {
    kind: "weights",
    tensor: "{tensors}self_attn.weights",
    group: `{id}/head ${number}`,
    matrix: number,
    box: [0, number * 110, 100, 100],
    levels: [0],
    until: 2.2,
  },
  {
    kind: "weights",
    tensor: "{tensors}self_attn.weights",
    group: `{id}/head ${number}`,
    matrix: number,
    box: [60, number * 110, 40, 40],
    levels: [2.2],
  },
  {
    kind: "W_Q",
    tensor: "{weights}query.weight",
    group: `{id}/head ${number}`,
    rows: [number * 32, number * 32 + 32],
    box: [0, number * 110, 40, 20],
    levels: [4.525, 2.263, 2.2],
  },
];
const group = (id, title, kind, parent, box) => ({
  id,
  title,
  kind,
  parent,
  box,
  go: { part: kind, stack: "decoder" },
});
export const JSON_LAYOUT = {
  size: [400, 300],
  kinds: {
    weights: {
      title: "weights",
      meaning: "shares of each query",
      shape: [3, 3],
      halvings: [0, 0],
      axes: ["heads", "queries", "keys"],
      row_axis: "queries",
      column_axis: "keys",
      row_tokens: "source",
      column_tokens: "source",
    },
    W_Q: {
      title: "W_Q",
      meaning: "makes queries",
      shape: [64, 512],
      halvings: [2, 5],
      axes: ["outputs", "inputs"],
      row_axis: "outputs",
      column_axis: "inputs",
      row_tokens: null,
      column_tokens: null,
    },
    activated: {
      title: "neurons",
      meaning: "hidden features",
      shape: [3, 1024],
      halvings: [0, 6],
      axes: ["tokens", "d_ff"],
      row_axis: "tokens",
      column_axis: "d_ff",
      row_tokens: "source",
      column_tokens: null,
    },
    embedding: {
      title: "embedding",
      meaning: "what the first layer reads",
      shape: [3, 64],
      halvings: [0, 2],
      axes: ["tokens", "d_model"],
      row_axis: "tokens",
      column_axis: "d_model",
      row_tokens: "source",
      column_tokens: null,
    },
  },
  groups: [{ id: "model", title: "The whole model", kind: "model", parent: null, box: [0, 0, 400, 300] }],
  matrices: [
    {
      kind: "embedding",
      tensor: "embed.out",
      group: "model",
      box: [0, 240, 90, 30],
      levels: [0.2667, 0.1886, 0],
    },
  ],
  links: [
    {
      kind: "residual",
      points: [
        [90, 250],
        [100, 250],
      ],
    },
  ],
  templates: {
    layer: {
      groups: [
        group("{id}", "{title}", "layer", "{parent}", [0, 0, 100, 300]),
        group("{id}/head 0", "Head 0", "head", "{id}", [0, 0, 100, 100]),
        group("{id}/head 1", "Head 1", "head", "{id}", [0, 110, 100, 100]),
      ],
      matrices: [
        ...head(0),
        ...head(1),
        {
          kind: "activated",
          tensor: "{tensors}ffn.activated",
          group: "{id}",
          box: [0, 240, 100, 30],
          levels: [2.048, 1.024, 0.512, 0.3578, 0.253, 0.1789, 0],
        },
      ],
      rows: [0, 1].map((number) => ({
        names: [`Head ${number}`, String(number)],
        box: [0, 110 * number, 100, 100],
        groups: [`{id}/head ${number}`],
        is_heads: true,
      })),
      links: [
        {
          kind: "residual",
          points: [
            [0, 250],
            [110, 250],
          ],
        },
      ],
    },
  },
  placed: [0, 1].map((layer) => ({
    template: "layer",
    id: `decoder.${layer}`,
    title: `Layer ${layer}`,
    layer,
    tensors: `decoder.${layer}.`,
    weights: `decoder.blocks.${layer}.`,
    parent: "model",
    box: [100 + layer * 110, 0, 100, 300],
  })),
  tokens: { source: ["The", "·cat", "·sat"], target: null },
};
export const layout = new Layout(JSON_LAYOUT);
export const WINDOW = [800, 600];
export const view = (x, y, k) => ({ box: [x, y, WINDOW[0] / k, WINDOW[1] / k], k, size: WINDOW });
