"""What others call the parts of a model: "L23H3" in papers, "blocks.23.attn.hook_z" in TransformerLens.

Names of parts are those of `model.analysis.attribution.Account.parts`, "decoder.23.self_attn.heads.3".
"""

from __future__ import annotations

KINDS = {"self_attn": "H", "cross_attn": " cross H"}
EMBEDDINGS = {"tokens": "token", "positions": "position", "segments": "segment"}
LENS_EMBEDDINGS = {"tokens": "hook_embed", "positions": "hook_pos_embed"}
LENS_ATTENTIONS = {"self_attn": "attn", "cross_attn": "cross_attn"}


def short_name(part: str) -> str:
    """A part as papers write it: "L23H3", "L0 FFN", "token"; "L2 bias" for what has no name there."""
    match part.removeprefix("decoder.").removeprefix("encoder.").split("."):
        case [layer, attention, "heads", head]:
            return f"L{layer}{KINDS[attention]}{head}"
        case [layer, "ffn"]:
            return f"L{layer} FFN"
        case [layer, "ffn", "experts", expert]:
            return f"L{layer}E{expert}"
        case ["embed", kind] if kind in EMBEDDINGS:
            return EMBEDDINGS[kind]
        case [layer, *_, last] if layer.isdecimal():
            return f"L{layer} {last}"
        case [*_, last]:
            return last
    return part


def lens_name(part: str, two_stacks: bool = False) -> str:
    """The hook of TransformerLens whose output has this part; "" for a bias, for which it has none.

    Its models of one stack call the layers "blocks"; `two_stacks`: its `HookedEncoderDecoder` names the stack.
    """
    stack, _, rest = part.partition(".")
    own = stack if two_stacks else "blocks"
    match (rest if stack in ("decoder", "encoder") else part).split("."):
        case [layer, attention, "heads", head]:
            return f"{own}.{layer}.{LENS_ATTENTIONS[attention]}.hook_z[..., {head}, :]"
        case [layer, "ffn"]:
            return f"{own}.{layer}.hook_mlp_out"
        case ["embed", kind] if kind in LENS_EMBEDDINGS and not two_stacks:
            return LENS_EMBEDDINGS[kind]
    return ""
