"""The one table of recorded tensors: name, axes, symbol and meaning. Tooltips and the reference use it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TensorKind:
    """One kind of recorded tensor.

    In `pattern`, `{stack}` is encoder or decoder, `{layer}` a number from 0, `{attn}` self_attn or cross_attn. `axes`
    are in order, without a batch axis. `symbol` is LaTeX in the notation of the paper.
    """

    pattern: str
    axes: tuple[str, ...]
    symbol: str
    meaning: str


TABLE = (
    TensorKind("embed.patches", ("patches", "patch_width"), "x_p", "each patch of a picture as one row of its pixels"),
    TensorKind(
        "embed.tokens",
        ("tokens", "token_width"),
        "e",
        "each token's row of the embedding table, scaled; of a picture, the learnt tokens and the projected patches",
    ),
    TensorKind("embed.positions", ("tokens", "position_width"), "p", "the position vectors"),
    TensorKind("embed.segments", ("tokens", "d_model"), "s", "which of two texts a token belongs to"),
    TensorKind("embed.out", ("tokens", "d_model"), "x", "token and position together, what the first layer reads"),
    TensorKind("{stack}.{layer}.resid_in", ("tokens", "d_model"), "X", "the residual stream as the layer finds it"),
    TensorKind("{stack}.{layer}.attn_norm", ("tokens", "d_model"), "T_3", "the norm of the attention sublayer"),
    TensorKind(
        "{stack}.{layer}.{attn}.q_unnormed",
        ("heads", "queries", "d_head"),
        "Q",
        "queries before their norm, where queries and keys have one",
    ),
    TensorKind("{stack}.{layer}.{attn}.k_unnormed", ("kv_heads", "keys", "d_head"), "K", "keys before their norm"),
    TensorKind(
        "{stack}.{layer}.{attn}.q_unrotated", ("heads", "queries", "d_head"), "Q", "queries before rotary positions"
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.k_unrotated", ("kv_heads", "keys", "d_head"), "K", "keys before rotary positions"
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.memory", ("keys", "d_model"), "", "the encoder's output, as cross-attention receives it"
    ),
    TensorKind("{stack}.{layer}.{attn}.q", ("heads", "queries", "d_head"), "Q", "queries: what each token looks for"),
    TensorKind(
        "{stack}.{layer}.{attn}.k", ("kv_heads", "keys", "d_head"), "K", "keys: what each token can be found by"
    ),
    TensorKind("{stack}.{layer}.{attn}.v", ("kv_heads", "keys", "d_head"), "V", "values: what each token hands over"),
    TensorKind(
        "{stack}.{layer}.{attn}.raw_scores", ("heads", "queries", "keys"), "QK^T", "dot products of queries and keys"
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.scores_unbiased",
        ("heads", "queries", "keys"),
        r"\frac{QK^T}{\sqrt{d_k}}",
        "scores before relative positions, where the model has them",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.position_bias",
        ("heads", "queries", "keys"),
        "B",
        "relative positions: a learnt number for each distance and head, added to the scores",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.scores",
        ("heads", "queries", "keys"),
        r"\frac{QK^T}{\sqrt{d_k}}",
        "dot products, scaled to variance 1",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.mask", ("queries", "keys"), "M", "0 where a query may look, minus infinity elsewhere"
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.masked",
        ("heads", "queries", "keys"),
        r"\frac{QK^T}{\sqrt{d_k}} + M",
        "scores with the mask added",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.weights",
        ("heads", "queries", "keys"),
        "A",
        "softmax of the masked scores; rows sum to 1",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.heads",
        ("heads", "queries", "d_head"),
        "H_i = AV",
        "each head's weighted mean of values",
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.concat", ("queries", "heads x d_head"), r"[H_0 \dots H_{h-1}]", "all heads side by side"
    ),
    TensorKind(
        "{stack}.{layer}.{attn}.out", ("queries", "d_model"), "T_1", "what attention adds to the residual stream"
    ),
    TensorKind("{stack}.{layer}.attn_scaled", ("tokens", "d_model"), "", "what attention adds, after layer scale"),
    TensorKind(
        "{stack}.{layer}.resid_mid", ("tokens", "d_model"), "T_2", "the residual stream after attention was added"
    ),
    TensorKind("{stack}.{layer}.cross_norm", ("tokens", "d_model"), "", "the norm of the cross-attention sublayer"),
    TensorKind(
        "{stack}.{layer}.resid_cross", ("tokens", "d_model"), "", "the residual stream after cross-attention was added"
    ),
    TensorKind("{stack}.{layer}.ffn_norm", ("tokens", "d_model"), "H", "the norm of the feed-forward sublayer"),
    TensorKind(
        "{stack}.{layer}.ffn.hidden", ("tokens", "d_ff"), "W_1 x + b_1", "hidden features before the nonlinearity"
    ),
    TensorKind(
        "{stack}.{layer}.ffn.up", ("tokens", "d_ff"), r"W_{up} x", "the features that the gate multiplies, where one is"
    ),
    TensorKind(
        "{stack}.{layer}.ffn.activated",
        ("tokens", "d_ff"),
        r"\sigma(W_1 x + b_1)",
        "hidden features after the nonlinearity",
    ),
    TensorKind("{stack}.{layer}.ffn.out", ("tokens", "d_model"), "T_4", "what the feed-forward network adds"),
    TensorKind("{stack}.{layer}.ffn_scaled", ("tokens", "d_model"), "", "what feed-forward adds, after layer scale"),
    TensorKind(
        "{stack}.{layer}.resid_out", ("tokens", "d_model"), "T_5", "the residual stream after feed-forward was added"
    ),
    TensorKind("final_norm", ("tokens", "d_model"), "h", "the norm after the last layer"),
    TensorKind(
        "transform.hidden", ("tokens", "d_model"), "W x + b", "the last layer's vectors, transformed before the answer"
    ),
    TensorKind(
        "transform.activated", ("tokens", "d_model"), r"\sigma(W x + b)", "the same after the transform's nonlinearity"
    ),
    TensorKind("transform.norm", ("tokens", "d_model"), "h", "the norm behind the transform, which the words read"),
    TensorKind(
        "logits",
        ("tokens", "vocabulary"),
        "u = hE^T",
        "the score of every token of the vocabulary as the next one, or as the one at this place of a masked text",
    ),
    TensorKind("text_logits", ("classes",), "", "the score of every class of the text, from its first token"),
    TensorKind("class_logits", ("classes",), "", "the score of every class of the picture, from its class token"),
    TensorKind(
        "distillation_logits", ("classes",), "", "the score of every class of the picture, from its distillation token"
    ),
    TensorKind(
        "image_logits",
        ("classes",),
        "",
        "the score of every class of the picture, from its class token, or the mean of two heads",
    ),
    TensorKind("token_logits", ("tokens", "classes"), "", "the score of every class, for each token"),
)


# The tensors of a recurrent network (`model.recurrent.networks`). `{step}` counts the decoder's tokens, from 0.
RECURRENT = (
    TensorKind("encoder.embed", ("sources", "d_embed"), "e", "each source token's row of the table, scaled"),
    TensorKind("encoder.states", ("sources", "memory"), "h(t')", "the encoder's states, [forward, backward]"),
    TensorKind("bottleneck", ("memory",), r"[\overrightarrow{h}_S, \overleftarrow{h}_1]", "the encoder's last state"),
    TensorKind("decoder.start", ("memory",), "s(0)", "where the decoder starts"),
    TensorKind("decoder.{step}.attention.scores", ("sources",), "e(t, t')", "how well each source token fits"),
    TensorKind("decoder.{step}.attention.weights", ("sources",), r"\alpha(t, t')", "the alignment: they sum to 1"),
    TensorKind("decoder.{step}.attention.context", ("memory",), "c(t)", "the weighted sum of the encoder's states"),
    TensorKind("decoder.{step}.reset", ("memory",), "r(t)", "how much of the state before the candidate sees"),
    TensorKind("decoder.{step}.update", ("memory",), "z(t)", "the share of the state that is new"),
    TensorKind("decoder.{step}.candidate", ("memory",), r"\tilde s(t)", "the new state that is proposed"),
    TensorKind("decoder.{step}.state", ("memory",), "s(t)", "the decoder's state"),
    TensorKind("embed", ("tokens", "d_embed"), "e", "each token's row of the table, scaled"),
    TensorKind("states", ("tokens", "width"), "h(t)", "the states of a language model"),
    TensorKind("logits", ("tokens", "vocabulary"), "u = hE^T", "the score of every token of the vocabulary"),
)


# The tensors that mean something else in a gated feed-forward network (Shazeer 2020, arXiv:2002.05202).
GATED = (
    TensorKind(
        "{stack}.{layer}.ffn.hidden", ("tokens", "d_ff"), r"W_{gate} x", "the gate's features before the nonlinearity"
    ),
    TensorKind(
        "{stack}.{layer}.ffn.activated",
        ("tokens", "d_ff"),
        r"\sigma(W_{gate} x) \odot W_{up} x",
        "hidden features: the gate after the nonlinearity, times ffn.up",
    ),
)

# What one patches or steers, in words: the parts of a layer whose outputs join the residual stream, and the stream.
SITES = {
    "resid_in": "residual stream",
    "self_attn.out": "self-attention",
    "cross_attn.out": "cross-attention",
    "ffn.out": "feed-forward",
    "self_attn.heads": "heads",
    "cross_attn.heads": "heads of cross-attention",
}

OF_PATTERN = {recorded.pattern: recorded for recorded in TABLE}
OF_GATED_PATTERN = OF_PATTERN | {recorded.pattern: recorded for recorded in GATED}
OF_RECURRENT_PATTERN = {recorded.pattern: recorded for recorded in RECURRENT}


def describe(name: str, gated: bool = False) -> TensorKind:
    """The entry for the name of a recorded tensor, `decoder.3.self_attn.weights`. Raises `KeyError`.

    `gated` says whether the feed-forward networks are gated (`config.gated`). In a model with two stacks, the names
    `embed.*` and `final_norm` start with the stack's name.
    """
    entries = OF_GATED_PATTERN if gated else OF_PATTERN
    stack, *rest = name.split(".")
    if stack not in ("encoder", "decoder"):
        return entries[name]
    if not rest or not rest[0].isdigit():
        return entries[".".join(rest)]
    parts = ["{attn}" if part in ("self_attn", "cross_attn") else part for part in rest[1:]]
    return entries[".".join(["{stack}", "{layer}", *parts])]


def describe_recurrent(name: str) -> TensorKind:
    """The entry for a tensor of a recurrent network, `decoder.3.attention.weights`. Raises `KeyError`."""
    pattern = ".".join("{step}" if part.isdigit() else part for part in name.split("."))
    return OF_RECURRENT_PATTERN[pattern]
