"""Another shape of a model: what would it cost if it were wider, or had more heads or layers?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.config import TransformerConfig


def layers_of(config: TransformerConfig) -> int:
    """The layers of the larger stack."""
    return max(config.n_encoder_layers, config.n_decoder_layers)


def reshape(config: TransformerConfig, width: int, heads: int, layers: int) -> TransformerConfig:
    """The configuration with that width, so many heads, and so many layers in each stack.

    What is as the model has it (`layers_of` for its layers) stays so, and what has to fit a new value goes with it.
    Raises `ConfigError` where no network has the shape, such as an odd width with positions of sines and cosines.
    """
    changes: dict[str, Any] = {}
    if layers != layers_of(config):
        stacks = ("n_encoder_layers", "n_decoder_layers")
        changes |= {name: layers for name in stacks if getattr(config, name)}
        changes |= dict.fromkeys(("window", "window_base")) | dict.fromkeys(("window_layers", "unturned_layers"), ())
        # Which layers hide far keys or turn does not change their products.
    if width != config.d_model:
        ratio = width / config.d_model
        changes |= {"d_ff": max(1, round(config.d_ff * ratio)), "d_position": 2 * round(config.d_position * ratio / 2)}
    if heads != config.n_heads:
        grouped = config.heads_per_kv_head
        changes["n_kv_heads"] = heads // grouped if heads % grouped == 0 else heads
    if (width, heads) != (config.d_model, config.n_heads):
        changes |= {"d_model": width, "n_heads": heads} | _heads(config, width, heads)
    return replace(config, **changes)


def _heads(config: TransformerConfig, width: int, heads: int) -> dict[str, Any]:
    """How wide each head is. Heads that shared out the width do so again where it divides. Others keep their own."""
    shared = config.n_heads * config.head_width == config.d_model and width % heads == 0
    d_head = width // heads if shared else config.head_width
    if config.positions != "rotary":
        return {"d_head": d_head}
    if d_head % 2:  # rotary positions turn pairs of features
        d_head = config.head_width
    turning = config.rotary_width and min(config.rotary_width, d_head)
    return {"d_head": d_head, "rotary_width": turning, "rotary_scaling": ()}
