"""OPT and BioGPT: decoders with LayerNorm and biases, whose tables of positions begin with two rows that nobody reads.

Zhang et al. (2022), arXiv:2205.01068; Luo et al. (2022), arXiv:2210.10341.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ALL_SEEN, DECODER
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues, Only

OFFSET = 2  # rows of the table of positions before that of the first token
BLOCK = "decoder.blocks.{}."
OF_A_LAYER = {
    "self_attn_layer_norm.weight": "attn_norm.gain",
    "self_attn_layer_norm.bias": "attn_norm.bias",
    **{
        f"self_attn.{theirs}_proj.{kind}": f"self_attn.{ours}.{kind}"
        for theirs, ours in (("q", "query"), ("k", "key"), ("v", "value"), ("out", "out"))
        for kind in ("weight", "bias")
    },
    "final_layer_norm.weight": "ffn_norm.gain",
    "final_layer_norm.bias": "ffn_norm.bias",
    "fc1.weight": "ffn.expand.weight",
    "fc1.bias": "ffn.expand.bias",
    "fc2.weight": "ffn.contract.weight",
    "fc2.bias": "ffn.contract.bias",
}


def names(prefix: str, last_norm: str, output: str) -> dict[str, str]:
    """The names of a file whose stack has this prefix, with those of its last norm and its output layer."""
    return {
        prefix + "embed_tokens.weight": "decoder.embed.tokens.weight",
        prefix + "embed_positions.weight": "decoder.embed.positions.weight",
        prefix + last_norm + ".weight": "decoder.final_norm.gain",
        prefix + last_norm + ".bias": "decoder.final_norm.bias",
        output: "unembed.weight",
    } | {f"{prefix}layers.{{}}.{theirs}": BLOCK + ours for theirs, ours in OF_A_LAYER.items()}


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The table of positions from the row of the first token on."""
    yield name, tensor[OFFSET:] if name.endswith("embed.positions.weight") else tensor


def configure_opt(values: dict[str, Any]) -> TransformerConfig:
    """The configuration of an OPT. Raises `DamagedWeights` for one whose embeddings have a width of their own."""
    width, own = values["hidden_size"], values["word_embed_proj_dim"]
    if own not in (None, width):
        raise DamagedWeights(
            f"config.json has word_embed_proj_dim = {repr(own)[:60]}: embeddings of that width are projected to "
            f"{width} features, and back at the end, which is not computed here."
        )
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=values["num_attention_heads"],
        d_ff=values["ffn_dim"],
        n_decoder_layers=values["num_hidden_layers"],
        max_length=values["max_position_embeddings"],
        bias=values["enable_bias"],
        norm_position="pre" if values["do_layer_norm_before"] else "post",
        positions="learned",
        embed_scale=False,
        activation=activation(values["activation_function"]),
        tied_embeddings=values["tie_word_embeddings"],
    )


def configure_biogpt(values: dict[str, Any]) -> TransformerConfig:
    """The configuration of a BioGPT."""
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        d_ff=values["intermediate_size"],
        n_decoder_layers=values["num_hidden_layers"],
        max_length=values["max_position_embeddings"],
        norm_position="pre",
        norm_eps=NORM_EPS,
        positions="learned",
        embed_scale=values["scale_embedding"],
        activation=activation(values["hidden_act"]),
        tied_embeddings=values["tie_word_embeddings"],
    )


NORM_EPS = 1e-5  # that of torch, whatever layer_norm_eps says
OF_OPT: dict[str, Any] = {
    "vocab_size": 50272,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "ffn_dim": 3072,
    "max_position_embeddings": 2048,
    "do_layer_norm_before": True,
    "word_embed_proj_dim": None,
    "num_attention_heads": 12,
    "activation_function": "relu",
    "pad_token_id": 1,
    "bos_token_id": 2,
    "eos_token_id": 2,
    "enable_bias": True,
    "tie_word_embeddings": True,
}
SEEN = DECODER | KnownValues(refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN})
OPT = Family(
    "OPT",
    configure_opt,
    names("model.decoder.", "final_layer_norm", "lm_head.weight"),
    base="model.",
    fit=fit,
    known=SEEN
    | KnownValues(
        read=OF_OPT,
        refused={
            "_remove_final_layer_norm": Only((False,), "no norm stands after the last layer"),
            "layer_norm_elementwise_affine": Only((True,), "norms have no gains and no biases"),
        },
    ),
    defaults=OF_OPT,
)
OF_BIOGPT: dict[str, Any] = {
    "vocab_size": 42384,
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
    "hidden_act": "gelu",
    "max_position_embeddings": 1024,
    "scale_embedding": True,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "tie_word_embeddings": True,
}
BIOGPT = Family(
    "BioGPT",
    configure_biogpt,
    names("biogpt.", "layer_norm", "output_projection.weight"),
    base="biogpt.",
    fit=fit,
    known=SEEN | KnownValues(read=OF_BIOGPT, without_effect=("layer_norm_eps",)),
    defaults=OF_BIOGPT,
)
