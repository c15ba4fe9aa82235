"""GPT-Neo: a GPT-2 whose scores are not divided, and of whose layers each second one has a window.

Black et al. (2021), "GPT-Neo: Large Scale Autoregressive Language Modeling with Mesh-Tensorflow".
"""

from __future__ import annotations

from typing import Any

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family
from model.zoo.values.common_values import ALL_SEEN, DECODER
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues

LAYER, BLOCK = "h.{}.", "decoder.blocks.{}."
ATTENTION = LAYER + "attn.attention."
NAMES = {
    "wte.weight": "decoder.embed.tokens.weight",
    "wpe.weight": "decoder.embed.positions.weight",
    LAYER + "ln_1.weight": BLOCK + "attn_norm.gain",
    LAYER + "ln_1.bias": BLOCK + "attn_norm.bias",
    ATTENTION + "bias": None,  # the causal mask
    ATTENTION + "masked_bias": None,  # the number that stands for minus infinity
    ATTENTION + "q_proj.weight": BLOCK + "self_attn.query.weight",
    ATTENTION + "k_proj.weight": BLOCK + "self_attn.key.weight",
    ATTENTION + "v_proj.weight": BLOCK + "self_attn.value.weight",
    ATTENTION + "out_proj.weight": BLOCK + "self_attn.out.weight",
    ATTENTION + "out_proj.bias": BLOCK + "self_attn.out.bias",
    LAYER + "ln_2.weight": BLOCK + "ffn_norm.gain",
    LAYER + "ln_2.bias": BLOCK + "ffn_norm.bias",
    LAYER + "mlp.c_fc.weight": BLOCK + "ffn.expand.weight",
    LAYER + "mlp.c_fc.bias": BLOCK + "ffn.expand.bias",
    LAYER + "mlp.c_proj.weight": BLOCK + "ffn.contract.weight",
    LAYER + "mlp.c_proj.bias": BLOCK + "ffn.contract.bias",
    "ln_f.weight": "decoder.final_norm.gain",
    "ln_f.bias": "decoder.final_norm.bias",
    "lm_head.weight": "unembed.weight",
}
USUAL_TYPES: Any = [[["global", "local"], 12]]


def local_layers(values: dict[str, Any]) -> tuple[int, ...]:
    """The layers with a window. `attention_types` has groups of types, and how often each group comes.

    Raises `DamagedWeights` unless it tells every layer its type, global or local.
    """
    count = values["num_layers"]
    try:
        groups = values["attention_types"] or USUAL_TYPES
        types = [each for group, times in groups for _ in range(min(times, count)) for each in group]
    except (TypeError, ValueError) as error:
        raise DamagedWeights("attention_types must be pairs of a list of types and a number.") from error
    if len(types) != count or not set(types) <= {"global", "local"}:
        raise DamagedWeights(f"attention_types must say of each of the {count} layers whether it is global or local.")
    return tuple(layer for layer, each in enumerate(types) if each == "local")


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights` as `local_layers` does."""
    width, local = values["hidden_size"], local_layers(values)
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=values["num_heads"],
        d_ff=values["intermediate_size"] or 4 * width,
        n_decoder_layers=values["num_layers"],
        max_length=values["max_position_embeddings"],
        qkv_bias=False,
        scale_scores=False,
        window=values["window_size"] if local else None,
        window_layers=() if len(local) == values["num_layers"] else local,
        norm_position="pre",
        norm_eps=values["layer_norm_epsilon"],
        positions="learned",
        embed_scale=False,
        activation=activation(values["activation_function"]),
        tied_embeddings=values["tie_word_embeddings"],
    )


DEFAULTS: dict[str, Any] = {
    "vocab_size": 50257,
    "max_position_embeddings": 2048,
    "hidden_size": 2048,
    "num_layers": 24,
    "attention_types": None,
    "num_heads": 16,
    "intermediate_size": None,
    "window_size": 256,
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "bos_token_id": 50256,
    "eos_token_id": 50256,
    "pad_token_id": None,
    "tie_word_embeddings": True,
}
SYNONYMS = {"num_attention_heads": "num_heads", "num_hidden_layers": "num_layers"}
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *SYNONYMS),
    without_effect=(
        *("resid_dropout", "embed_dropout", "attention_layers"),  # the last is made of attention_types
        *("summary_type", "summary_use_proj", "summary_activation", "summary_proj_to_labels", "summary_first_dropout"),
    ),
    refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN},
)
GPT_NEO = Family(
    "GPT-Neo",
    configure,
    NAMES,
    prefixes=("transformer.",),
    known=KNOWN,
    defaults=DEFAULTS,
    synonyms=SYNONYMS,
)
