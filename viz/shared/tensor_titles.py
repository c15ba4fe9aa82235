"""The names of a layer's tensors and sublayers in words: "layer 2, self-attention" for "decoder.2.self_attn".

Code, files and links know a tensor by its path on the tape. What a reader sees says it so.
"""

from __future__ import annotations

import re

HEAD = re.compile(r"(?P<part>self_attn|cross_attn)\.heads\.(?P<number>\d+)")
IN_LAYER = {
    "resid_in": "residual stream before",
    "attn_norm": "norm of the self-attention",
    "self_attn": "self-attention",
    "self_attn.out": "output of the self-attention",
    "attn_scaled": "output of the self-attention, scaled",
    "attn_out_norm": "norm of what self-attention gives",
    "resid_mid": "residual stream between",
    "cross_norm": "norm of the cross-attention",
    "cross_attn": "cross-attention",
    "cross_attn.out": "output of the cross-attention",
    "cross_attn.memory": "encoder output",
    "cross_out_norm": "norm of what cross-attention gives",
    "resid_cross": "residual stream after cross-attention",
    "ffn_norm": "norm of the feed-forward",
    "ffn": "feed-forward",
    "ffn.hidden": "hidden features",
    "ffn.up": "features that the gate multiplies",
    "ffn.activated": "neurons",
    "ffn.router": "router",
    "ffn.gates": "weights of the experts",
    "ffn.routed": "what the taken experts give",
    "ffn.shared.out": "what the shared expert gives",
    "ffn.out": "output of the feed-forward",
    "ffn_scaled": "output of the feed-forward, scaled",
    "ffn_out_norm": "norm of what feed-forward gives",
    "resid_out": "residual stream after",
}


def title_in_layer(name: str, gated: bool = False) -> str:
    """The name of a tensor or a sublayer of any layer: "output of the feed-forward" for "ffn.out", "head 2".

    `gated`: whether the feed-forward has a gate, which is then its hidden tensor. An unknown name stays as it is.
    """
    if head := HEAD.fullmatch(name):
        return f"{'cross ' if head['part'] == 'cross_attn' else ''}head {head['number']}"
    return "gate" if gated and name == "ffn.hidden" else IN_LAYER.get(name, name)


def path_title(path: str, several: bool = False) -> str:
    """The name of a layer, of a part of it or of the embedding: "layer 2, feed-forward" for "decoder.2.ffn".

    `several`: whether the model has two stacks, and the title says which. An unknown path stays as it is.
    """
    stack, _, rest = path.partition(".") if path.startswith(("encoder.", "decoder.")) else ("", "", path)
    which = f"{stack} " if several and stack else ""
    layer, _, name = rest.partition(".")
    if rest == "embed":
        return f"{which}embedding"
    if not layer.isdecimal():
        return path
    return f"{which}layer {layer}" + (f", {title_in_layer(name)}" if name else "")
