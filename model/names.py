"""The one table of recorded tensors: name, axes, symbol and meaning. Tooltips and the reference use it.

It has a group for each class of `model.network`. It loads no torch, since pages name tensors before they load it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


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


# The axes that several tensors have.
STREAM = ("tokens", "d_model")
NEURONS = ("tokens", "d_ff")
QUERIES = ("heads", "queries", "d_head")
KEYS = ("kv_heads", "keys", "d_head")
PAIRS = ("heads", "queries", "keys")
TRANSFORMED = ("tokens", "transform_width")


def _below(path: str, *kinds: TensorKind) -> tuple[TensorKind, ...]:
    """The entries of the tensors that a module records, under the path that it has on the tape."""
    return tuple(replace(kind, pattern=f"{path}.{kind.pattern}") for kind in kinds)


EMBEDDING = _below(
    "embed",
    TensorKind("patches", ("patches", "patch_width"), "x_p", "each patch of a picture as one row of its pixels"),
    TensorKind(
        "tokens",
        ("tokens", "token_width"),
        "e",
        "each token's row of the embedding table, scaled; of a picture, the learnt tokens and the projected patches",
    ),
    TensorKind("positions", ("tokens", "position_width"), "p", "the position vectors"),
    TensorKind("segments", ("tokens", "embedding_width"), "s", "which of two texts a token belongs to"),
    TensorKind(
        "narrow", ("tokens", "embedding_width"), "", "their sum after its norm, before it is widened to d_model"
    ),
    TensorKind("out", STREAM, "x", "token and position together, what the first layer reads"),
)

BLOCK = _below(
    "{stack}.{layer}",
    TensorKind("resid_in", STREAM, "X", "the residual stream as the layer finds it"),
    TensorKind("attn_norm", STREAM, "T_3", "the norm of the attention sublayer"),
    TensorKind("attn_scaled", STREAM, "", "what attention adds, after layer scale or the scale of all layers"),
    TensorKind("attn_out_norm", STREAM, "", "what attention adds, after the norm of its output"),
    TensorKind("resid_mid", STREAM, "T_2", "the residual stream after attention was added"),
    TensorKind("cross_norm", STREAM, "", "the norm of the cross-attention sublayer"),
    TensorKind("cross_out_norm", STREAM, "", "what cross-attention adds, after the norm of its output"),
    TensorKind("resid_cross", STREAM, "", "the residual stream after cross-attention was added"),
    TensorKind("ffn_norm", STREAM, "H", "the norm of the feed-forward sublayer"),
    TensorKind("ffn_scaled", STREAM, "", "what feed-forward adds, after layer scale or the scale of all layers"),
    TensorKind("ffn_out_norm", STREAM, "", "what feed-forward adds, after the norm of its output"),
    TensorKind("resid_out", STREAM, "T_5", "the residual stream after feed-forward was added"),
)

ATTENTION = _below(
    "{stack}.{layer}.{attn}",
    TensorKind("q_unnormed", QUERIES, "Q", "queries before their norm, where queries and keys have one"),
    TensorKind("k_unnormed", KEYS, "K", "keys before their norm"),
    TensorKind("q_unrotated", QUERIES, "Q", "queries before rotary positions"),
    TensorKind("k_unrotated", KEYS, "K", "keys before rotary positions"),
    TensorKind("memory", ("keys", "d_model"), "", "the encoder's output, as cross-attention receives it"),
    TensorKind("q", QUERIES, "Q", "queries: what each token looks for"),
    TensorKind("k", KEYS, "K", "keys: what each token can be found by"),
    TensorKind("v", KEYS, "V", "values: what each token hands over"),
    TensorKind("raw_scores", PAIRS, "QK^T", "dot products of queries and keys"),
    TensorKind(
        "scores_unbiased",
        PAIRS,
        r"\frac{QK^T}{\sqrt{d_k}}",
        "scores before relative positions, where the model has them",
    ),
    TensorKind(
        "position_bias",
        PAIRS,
        "B",
        "relative positions: a number for each distance and head, added to the scores",
    ),
    TensorKind("scores_uncapped", PAIRS, "S", "scores before their cap, where the model has one"),
    TensorKind("scores", PAIRS, r"\frac{QK^T}{\sqrt{d_k}}", "dot products, scaled to variance 1"),
    TensorKind("mask", ("queries", "keys"), "M", "0 where a query may look, minus infinity elsewhere"),
    TensorKind("masked", PAIRS, r"\frac{QK^T}{\sqrt{d_k}} + M", "scores with the mask added"),
    TensorKind("weights", PAIRS, "A", "softmax of the masked scores; rows sum to 1"),
    TensorKind("heads", QUERIES, "H_i = AV", "each head's weighted mean of values"),
    TensorKind("concat", ("queries", "heads x d_head"), r"[H_0 \dots H_{h-1}]", "all heads side by side"),
    TensorKind("out", ("queries", "d_model"), "T_1", "what attention adds to the residual stream"),
)

FEED_FORWARD = _below(
    "{stack}.{layer}.ffn",
    TensorKind("hidden", NEURONS, "W_1 x + b_1", "hidden features before the nonlinearity"),
    TensorKind("up", NEURONS, r"W_{up} x", "the features that the gate multiplies, where one is"),
    TensorKind("activated", NEURONS, r"\sigma(W_1 x + b_1)", "hidden features after the nonlinearity"),
    TensorKind("out", STREAM, "T_4", "what the feed-forward network adds"),
)

TAKEN = ("taken", "tokens", "d_ff")
SHARED = ("tokens", "d_shared")
EXPERTS = _below(
    "{stack}.{layer}.ffn",
    TensorKind("router", ("tokens", "experts"), "W_r x", "how well each expert suits the token, before the softmax"),
    TensorKind("chosen", ("tokens", "taken"), "e_1 .. e_k", "the experts that the token takes, the best first"),
    TensorKind(
        "gates", ("tokens", "experts"), "g", "the weight of each expert, 0 of those that the token does not take"
    ),
    TensorKind("expert_hidden", TAKEN, "W_1 x + b_1", "hidden features of the taken experts before the nonlinearity"),
    TensorKind("expert_up", TAKEN, r"W_{up} x", "the features that their gates multiply, where they have one"),
    TensorKind("expert_activated", TAKEN, r"\sigma(W_1 x + b_1)", "their hidden features after the nonlinearity"),
    TensorKind("expert_out", ("taken", "tokens", "d_model"), r"\mathrm{FFN}_e(x)", "what each taken expert gives"),
    TensorKind(
        "routed", STREAM, r"\sum_e g_e \mathrm{FFN}_e(x)", "what the taken experts give together, by their weights"
    ),
    TensorKind("shared.hidden", SHARED, "W_1 x + b_1", "hidden features of the shared expert before the nonlinearity"),
    TensorKind("shared.up", SHARED, r"W_{up} x", "the features that its gate multiplies, where it has one"),
    TensorKind("shared.activated", SHARED, r"\sigma(W_1 x + b_1)", "its hidden features after the nonlinearity"),
    TensorKind("shared.out", STREAM, r"\mathrm{FFN}_s(x)", "what the shared expert gives"),
    TensorKind("shared_gate", ("tokens",), r"\sigma(w x)", "the share of the shared expert that the token takes"),
)

# The tensors that mean something else in a gated feed-forward network (Shazeer 2020, arXiv:2002.05202).
GATED = _below(
    "{stack}.{layer}.ffn",
    TensorKind("hidden", NEURONS, r"W_{gate} x", "the gate's features before the nonlinearity"),
    TensorKind(
        "activated",
        NEURONS,
        r"\sigma(W_{gate} x) \odot W_{up} x",
        "hidden features: the gate after the nonlinearity, times ffn.up",
    ),
)

TRANSFORM = _below(
    "transform",
    TensorKind("hidden", TRANSFORMED, "W x + b", "the last layer's vectors, transformed before the answer"),
    TensorKind("activated", TRANSFORMED, r"\sigma(W x + b)", "the same after the transform's nonlinearity"),
    TensorKind("norm", TRANSFORMED, "h", "the norm after the transform, which the words read"),
)

TRANSFORMER = (
    TensorKind("final_norm", STREAM, "h", "the norm after the last layer"),
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
        "the score of every class of the picture, from its class token, or the mean of two heads; or of every sentence",
    ),
    TensorKind("token_logits", ("tokens", "classes"), "", "the score of every class, for each token"),
)

# What a tower of pictures or texts makes after its last layer (`model.network.shared_space`).
SHARED_SPACE = (
    TensorKind(
        "pooled", ("one", "d_model"), "h", "the state off which a picture or text is read, or what the probe gathered"
    ),
    TensorKind("projected", ("one", "shared_width"), "P h", "its projection to the space of pictures and texts"),
    TensorKind(
        "shared", ("one", "shared_width"), r"\frac{P h}{|P h|}", "the vector of the picture or text, of length 1"
    ),
)

TABLE = (*EMBEDDING, *BLOCK, *ATTENTION, *FEED_FORWARD, *EXPERTS, *TRANSFORM, *TRANSFORMER, *SHARED_SPACE)


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


# What one patches, in words: the residual stream, the parts of a layer whose outputs join it, and what makes a head.
SITES = {
    "resid_in": "residual stream",
    "self_attn.out": "self-attention",
    "cross_attn.out": "cross-attention",
    "ffn.out": "feed-forward",
    "self_attn.heads": "heads",
    "self_attn.q": "queries",
    "self_attn.k": "keys",
    "self_attn.v": "values",
    "self_attn.weights": "attention patterns",
    "self_attn.q.all": "queries of all heads",
    "self_attn.k.all": "keys of all heads",
    "self_attn.v.all": "values of all heads",
    "self_attn.weights.all": "patterns of all heads",
    "cross_attn.heads": "heads of cross-attention",
    "cross_attn.q": "queries of cross-attention",
    "cross_attn.k": "keys of cross-attention",
    "cross_attn.v": "values of cross-attention",
    "cross_attn.weights": "patterns of cross-attention",
    "cross_attn.q.all": "queries of cross-attention, all heads",
    "cross_attn.k.all": "keys of cross-attention, all heads",
    "cross_attn.v.all": "values of cross-attention, all heads",
    "cross_attn.weights.all": "patterns of cross-attention, all heads",
}

OF_PATTERN = {recorded.pattern: recorded for recorded in TABLE}
OF_GATED_PATTERN = OF_PATTERN | {recorded.pattern: recorded for recorded in GATED}
OF_RECURRENT_PATTERN = {recorded.pattern: recorded for recorded in RECURRENT}


def describe(name: str, gated: bool = False) -> TensorKind:
    """The entry for the name of a recorded tensor, `decoder.3.self_attn.weights`. Raises `KeyError`.

    `gated` says whether the feed-forward networks are gated (`config.gated`). In a model with two stacks, the names
    `embed.*` and `final_norm` start with the stack's name. A probe has the parts of a layer, below `probe`.
    """
    entries = OF_GATED_PATTERN if gated else OF_PATTERN
    stack, *rest = name.split(".")
    if stack == "probe":
        return describe(f"encoder.0.{'.'.join(rest)}", gated)
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
