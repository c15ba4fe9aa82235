"""The names that the map prints above matrices, and the meanings of weights."""

from __future__ import annotations

import re

TENSORS = {
    "embed.patches": "patches",
    "embed.tokens": "tokens",
    "embed.positions": "positions",
    "embed.segments": "segments",
    "embed.narrow": "embedding, narrow",
    "embed.out": "embedding",
    "pixels": "picture",
    "resid_in": "residual stream before",
    "attn_norm": "norm",
    "attn.q_unnormed": "Q before its norm",
    "attn.k_unnormed": "K before its norm",
    "attn.q_unrotated": "Q before rotation",
    "attn.k_unrotated": "K before rotation",
    "attn.memory": "encoder output",
    "attn.q": "Q",
    "attn.k": "K",
    "attn.v": "V",
    "attn.raw_scores": "QKᵀ",
    "attn.scores_unbiased": "scores before the bias",
    "attn.position_bias": "bias by distance",
    "attn.scores_uncapped": "scores before the cap",
    "attn.scores": "scores",
    "attn.mask": "mask",
    "attn.masked": "masked scores",
    "attn.weights": "weights",
    "attn.heads": "weights · V",
    "attn.concat": "heads side by side",
    "attn.out": "attention adds",
    "attn_scaled": "attention adds, scaled",
    "attn_out_norm": "attention adds, normalised",
    "resid_mid": "residual stream between",
    "cross_norm": "norm",
    "cross_out_norm": "cross-attention adds, normalised",
    "resid_cross": "residual stream after cross-attention",
    "ffn_norm": "norm",
    "ffn.hidden": "hidden",
    "ffn.up": "up",
    "ffn.activated": "neurons",
    "ffn.router": "router",
    "ffn.chosen": "experts taken",
    "ffn.gates": "their weights",
    "ffn.expert_hidden": "hidden of an expert",
    "ffn.expert_up": "up of an expert",
    "ffn.expert_activated": "neurons of an expert",
    "ffn.expert_out": "an expert gives",
    "ffn.routed": "the taken experts give",
    "ffn.shared.hidden": "hidden of the shared expert",
    "ffn.shared.up": "up of the shared expert",
    "ffn.shared.activated": "neurons of the shared expert",
    "ffn.shared.out": "the shared expert gives",
    "ffn.shared_gate": "weight of the shared expert",
    "ffn.out": "feed-forward adds",
    "ffn_scaled": "feed-forward adds, scaled",
    "ffn_out_norm": "feed-forward adds, normalised",
    "resid_out": "residual stream after",
    "final_norm": "final norm",
    "transform.hidden": "step before the answer",
    "transform.activated": "after its nonlinearity",
    "transform.norm": "norm before the answer",
    "logits": "logits",
    "text_logits": "classes of the text",
    "token_logits": "classes of the tokens",
    "class_logits": "classes by the class token",
    "distillation_logits": "classes by the distillation token",
    "image_logits": "classes of the picture",
    "pooled": "vector of the whole",
    "projected": "vector in the shared space",
    "shared": "the same, of length 1",
}

WEIGHTS = {  # title and meaning, by the end of the name
    "shared_vector.project.weight": ("P", "makes the vector that is compared"),
    "shared_vector.project.bias": ("b", "is added to the vector that is compared"),
    "probe.token": ("probe", "the learnt token that asks all patches"),
    "similarity.sentences": ("sentences", "has the vector of each sentence"),
    "similarity.log_scale": ("log s", "is the logarithm of what the likeness is multiplied by"),
    "similarity.bias": ("b", "is added to the likeness"),
    "query.weight": ("W_Q", "makes queries of the residual stream"),
    "query.bias": ("b_Q", "is added to every query"),
    "key.weight": ("W_K", "makes keys of the residual stream"),
    "key.bias": ("b_K", "is added to every key"),
    "query_norm.gain": ("g_Q", "multiplies every feature of a query after its norm"),
    "key_norm.gain": ("g_K", "multiplies every feature of a key after its norm"),
    "value.weight": ("W_V", "makes values of the residual stream"),
    "value.bias": ("b_V", "is added to every value"),
    "attn.out.weight": ("W_O", "turns the means of values into what attention adds"),
    "attn.out.bias": ("b_O", "is added to what attention adds"),
    "expand.weight": ("W_1", "makes the hidden features"),
    "expand.bias": ("b_1", "is added to the hidden features"),
    "router.weight": ("W_router", "makes a logit for each expert"),
    "router.bias": ("b_router", "is added to the logits of the experts"),
    "shared_gate.weight": ("w_shared", "makes the weight of the shared expert"),
    "up.weight": ("W_up", "makes the features that the gate multiplies"),
    "up.bias": ("b_up", "is added to the features that the gate multiplies"),
    "contract.weight": ("W_2", "turns the neurons into what feed-forward adds"),
    "contract.bias": ("b_2", "is added to what feed-forward adds"),
    "attn_gain": ("layer scale", "multiplies what attention adds"),
    "ffn_gain": ("layer scale", "multiplies what feed-forward adds"),
    "dense.weight": ("W", "transforms the last layer's vectors before the answer"),
    "dense.bias": ("b", "is added in the step before the answer"),
    "norm.gain": ("gain", "multiplies every feature after the norm"),
    "norm.bias": ("bias", "is added to every feature after the norm"),
    "widen.weight": ("W_embed", "widens the embedding to the width of the layers"),
    "widen.bias": ("b_embed", "is added to the widened embedding"),
    "tokens.weight": ("embedding table", "has a row for each token of the vocabulary"),
    "positions.weight": ("position table", "has a row for each position"),
    "relative_bias.weight": (
        "table of distances",
        "has a row for each bucket of distances, a column for each head",
    ),
    "segments.weight": ("segment table", "has a row for each segment"),
    "class_token": ("class token", "the vector of the place that stands before the patches"),
    "distillation_token": ("distillation token", "the vector of the second place before the patches"),
    "registers": ("registers", "has a row for each register, a learnt token before the patches"),
    "project.weight": ("W_patch", "makes a vector of the pixels of a patch"),
    "project.bias": ("b_patch", "is added to every projected patch"),
    "unembed.weight": ("unembedding", "makes the score of each token of the vocabulary"),
    "output_bias": ("b", "is added to the score of each token of the vocabulary"),
    "head.weight": ("W_classes", "makes the score of each class"),
    "head.bias": ("b_classes", "is added to the score of each class"),
}


def title_of(name: str, gated: bool) -> str:
    """The title of a tensor of a layer, "self_attn.q", or of the whole model, "decoder.embed.out"."""
    found = TENSORS[_plain(name)]
    return "gate" if gated and found == "hidden" else found


def any_title(name: str, gated: bool) -> str:
    """The title of any tensor or weight of a model, by its whole name."""
    if name.endswith(tuple(WEIGHTS)):
        return weight_title(name, gated)[0]
    return title_of(re.sub(r"^(encoder|decoder)\.\d+\.", "", name), gated)


def weight_title(name: str, gated: bool) -> tuple[str, str]:
    """The title and the meaning of a weight."""
    title, meaning = next(entry for end, entry in WEIGHTS.items() if _plain(name).endswith(end))
    if gated and title in ("W_1", "b_1"):
        return title.replace("1", "gate"), meaning.replace("hidden features", "features of the gate")
    return title, meaning


def _plain(name: str) -> str:
    for whose in ("self_", "cross_"):
        name = name.replace(f"{whose}attn.", "attn.")
    return name.removeprefix("encoder.").removeprefix("decoder.").removeprefix("probe.")
