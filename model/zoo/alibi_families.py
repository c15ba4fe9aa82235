"""BLOOM and MPT: decoders whose scores fall with the distance, by a slope for each head (ALiBi).

BigScience Workshop (2022), arXiv:2211.05100; MosaicML's MPT. Press et al. (2022), arXiv:2108.12409.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ALL_SEEN, COMMON, DECODER
from model.zoo.values.known_values import KnownValues, Only, check_values

BLOCK = "decoder.blocks.{}."
OF_BLOOM = {
    "word_embeddings.weight": "decoder.embed.tokens.weight",
    "word_embeddings_layernorm.weight": "decoder.embed.norm.gain",
    "word_embeddings_layernorm.bias": "decoder.embed.norm.bias",
    "h.{}.input_layernorm.weight": BLOCK + "attn_norm.gain",
    "h.{}.input_layernorm.bias": BLOCK + "attn_norm.bias",
    "h.{}.self_attention.query_key_value.weight": BLOCK + "self_attn.fused.weight",
    "h.{}.self_attention.query_key_value.bias": BLOCK + "self_attn.fused.bias",
    "h.{}.self_attention.dense.weight": BLOCK + "self_attn.out.weight",
    "h.{}.self_attention.dense.bias": BLOCK + "self_attn.out.bias",
    "h.{}.post_attention_layernorm.weight": BLOCK + "ffn_norm.gain",
    "h.{}.post_attention_layernorm.bias": BLOCK + "ffn_norm.bias",
    "h.{}.mlp.dense_h_to_4h.weight": BLOCK + "ffn.expand.weight",
    "h.{}.mlp.dense_h_to_4h.bias": BLOCK + "ffn.expand.bias",
    "h.{}.mlp.dense_4h_to_h.weight": BLOCK + "ffn.contract.weight",
    "h.{}.mlp.dense_4h_to_h.bias": BLOCK + "ffn.contract.bias",
    "ln_f.weight": "decoder.final_norm.gain",
    "ln_f.bias": "decoder.final_norm.bias",
    "lm_head.weight": "unembed.weight",
}
OF_MPT = {
    "wte.weight": "decoder.embed.tokens.weight",
    "blocks.{}.norm_1.weight": BLOCK + "attn_norm.gain",
    "blocks.{}.attn.Wqkv.weight": BLOCK + "self_attn.fused.weight",
    "blocks.{}.attn.out_proj.weight": BLOCK + "self_attn.out.weight",
    "blocks.{}.norm_2.weight": BLOCK + "ffn_norm.gain",
    "blocks.{}.ffn.up_proj.weight": BLOCK + "ffn.expand.weight",
    "blocks.{}.ffn.down_proj.weight": BLOCK + "ffn.contract.weight",
    "norm_f.weight": "decoder.final_norm.gain",
    "lm_head.weight": "unembed.weight",
}
USUAL_LENGTH = 2048  # tokens of a text of the training, where config.json does not say it. ALiBi itself has no end


def configure_bloom(values: dict[str, Any]) -> TransformerConfig:
    """The configuration of a BLOOM."""
    width = values["hidden_size"] if values.get("n_embed") is None else values["n_embed"]
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=values["n_head"],
        d_ff=4 * width,
        n_decoder_layers=values["n_layer"],
        max_length=values.get("seq_length", USUAL_LENGTH),
        norm_position="pre",
        norm_eps=values["layer_norm_epsilon"],
        positions="alibi",
        embed_scale=False,
        embed_norm=True,
        activation="gelu_tanh",
        tied_embeddings=values["tie_word_embeddings"],
    )


def configure_mpt(values: dict[str, Any]) -> TransformerConfig:
    """The configuration of an MPT. Raises `DamagedWeights` for a value of its attention that is not read here."""
    attention = values["attn_config"] or {}
    check_values(Path("attn_config"), attention, OF_ATTENTION)
    scale = attention.get("softmax_scale")
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["d_model"],
        n_heads=values["n_heads"],
        d_ff=4 * values["d_model"],
        n_decoder_layers=values["n_layers"],
        max_length=values["max_seq_len"],
        bias=False,
        score_width=None if scale is None else scale**-2,
        norm_position="pre",
        norm_bias=False,
        norm_eps=values["layer_norm_epsilon"],
        positions="alibi",
        embed_scale=False,
        activation="gelu",
        tied_embeddings=values["tie_word_embeddings"],
    )


def fit_bloom(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Queries, keys and values apart, which are stored head by head."""
    if ".fused." not in name:
        yield name, tensor
        return
    heads = tensor.unflatten(0, (config.n_heads, 3, config.head_width))  # (heads, 3, d_k, ...)
    for place, part in enumerate(("query", "key", "value")):
        yield name.replace("fused", part), heads[:, place].flatten(0, 1)


def fit_mpt(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Queries, keys and values apart, which are stored one after the other."""
    if ".fused." not in name:
        yield name, tensor
        return
    for part, rows in zip(("query", "key", "value"), tensor.chunk(3), strict=True):
        yield name.replace("fused", part), rows


DEFAULTS_OF_BLOOM: dict[str, Any] = {
    "vocab_size": 250880,
    "hidden_size": 64,
    "n_layer": 2,
    "n_head": 8,
    "layer_norm_epsilon": 1e-5,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": None,
    "tie_word_embeddings": True,
}
OF_BLOOMS_CLASS = {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head"}
SEEN = DECODER | KnownValues(refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN})
BLOOM = Family(
    "BLOOM",
    configure_bloom,
    OF_BLOOM,
    prefixes=("transformer.",),
    fit=fit_bloom,
    known=SEEN
    | KnownValues(
        read=(*DEFAULTS_OF_BLOOM, *OF_BLOOMS_CLASS, "n_embed", "seq_length"),
        without_effect=(
            "slow_but_exact",  # the same sums in another order
            *("attention_softmax_in_fp32", "bias_dropout_fusion", "masked_softmax_fusion", "skip_bias_add"),
            *("skip_bias_add_qkv", "offset_alibi", "n_inner"),  # notes of the training
        ),
        refused={
            "apply_residual_connection_post_layernorm": Only((False,), "the stream is replaced by its norm"),
        },
    ),
    defaults=DEFAULTS_OF_BLOOM,
    synonyms=OF_BLOOMS_CLASS,
)
DEFAULTS_OF_MPT: dict[str, Any] = {
    "d_model": 2048,
    "n_heads": 16,
    "n_layers": 24,
    "max_seq_len": 2048,
    "vocab_size": 50368,
    "layer_norm_epsilon": 1e-5,
    "attn_config": None,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": None,
    "tie_word_embeddings": True,
}
OF_MPTS_CLASS = {"num_attention_heads": "n_heads", "hidden_size": "d_model", "num_hidden_layers": "n_layers"}
OF_ATTENTION = COMMON | KnownValues(
    read=("softmax_scale",),
    without_effect=("attn_pdrop", "attn_impl"),
    refused={
        "attn_type": Only(("multihead_attention",), "all heads share one key and one value"),
        "clip_qkv": Only((None,), "queries, keys and values have bounds"),
        "prefix_lm": Only((False,), "the first tokens also see the tokens after them"),
        "qk_ln": Only((False,), "queries and keys pass a norm"),
        "attn_uses_sequence_id": Only((False,), "a token sees those of its own part of the text alone"),
        "alibi": Only((True,), "positions are a table"),
        "alibi_bias_max": Only((8,), "heads have other slopes, which `transformers` does not compute either"),
    },
)
MPT = Family(
    "MPT",
    configure_mpt,
    OF_MPT,
    prefixes=("transformer.",),
    fit=fit_mpt,
    known=SEEN
    | KnownValues(
        read=(*DEFAULTS_OF_MPT, *OF_MPTS_CLASS),
        without_effect=(
            *("resid_pdrop", "emb_pdrop", "init_device", "init_config", "embedding_fraction", "verbose"),
            *("tokenizer_name", "learned_pos_emb", "no_bias", "norm_type"),  # the tensors say it
            "auto_map",  # the class of `transformers` computes the same as the program beside the weights
        ),
        refused={
            "expansion_ratio": Only((4,), "feed-forward has another width"),
            "logit_scale": Only((None,), "logits are multiplied by it, which `transformers` does not do"),
        },
    ),
    defaults=DEFAULTS_OF_MPT,
    synonyms=OF_MPTS_CLASS,
)
