"""The BERT family: post-norm encoders with LayerNorm and learned positions. BERT, MiniLM, RoBERTa, XLM-R, DistilBERT.

Devlin et al. (2019), arXiv:1810.04805. Only the encoder is read: heads for masked words or classes are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named
from model.zoo.hub_values import activation

NAMES: dict[str, str | None] = {
    "embeddings.word_embeddings.weight": "encoder.embed.tokens.weight",
    "embeddings.position_embeddings.weight": "encoder.embed.positions.weight",
    "embeddings.token_type_embeddings.weight": "encoder.embed.segments.weight",
    "embeddings.position_ids": None,  # 0, 1, 2, ...
    "embeddings.LayerNorm.weight": "encoder.embed.norm.gain",
    "embeddings.LayerNorm.bias": "encoder.embed.norm.bias",
    "encoder.layer.{}.attention.self.query.weight": "encoder.blocks.{}.self_attn.query.weight",
    "encoder.layer.{}.attention.self.query.bias": "encoder.blocks.{}.self_attn.query.bias",
    "encoder.layer.{}.attention.self.key.weight": "encoder.blocks.{}.self_attn.key.weight",
    "encoder.layer.{}.attention.self.key.bias": "encoder.blocks.{}.self_attn.key.bias",
    "encoder.layer.{}.attention.self.value.weight": "encoder.blocks.{}.self_attn.value.weight",
    "encoder.layer.{}.attention.self.value.bias": "encoder.blocks.{}.self_attn.value.bias",
    "encoder.layer.{}.attention.output.dense.weight": "encoder.blocks.{}.self_attn.out.weight",
    "encoder.layer.{}.attention.output.dense.bias": "encoder.blocks.{}.self_attn.out.bias",
    "encoder.layer.{}.attention.output.LayerNorm.weight": "encoder.blocks.{}.attn_norm.gain",
    "encoder.layer.{}.attention.output.LayerNorm.bias": "encoder.blocks.{}.attn_norm.bias",
    "encoder.layer.{}.intermediate.dense.weight": "encoder.blocks.{}.ffn.expand.weight",
    "encoder.layer.{}.intermediate.dense.bias": "encoder.blocks.{}.ffn.expand.bias",
    "encoder.layer.{}.output.dense.weight": "encoder.blocks.{}.ffn.contract.weight",
    "encoder.layer.{}.output.dense.bias": "encoder.blocks.{}.ffn.contract.bias",
    "encoder.layer.{}.output.LayerNorm.weight": "encoder.blocks.{}.ffn_norm.gain",
    "encoder.layer.{}.output.LayerNorm.bias": "encoder.blocks.{}.ffn_norm.bias",
    "pooler.dense.weight": None,  # part of the next-sentence head, which no page uses
    "pooler.dense.bias": None,
    "classifier.weight": None,
    "classifier.bias": None,
    "cls.seq_relationship.weight": None,
    "cls.seq_relationship.bias": None,
    "cls.predictions.bias": None,  # the head for masked words
    "cls.predictions.transform.dense.weight": None,
    "cls.predictions.transform.dense.bias": None,
    "cls.predictions.transform.LayerNorm.weight": None,
    "cls.predictions.transform.LayerNorm.bias": None,
    "cls.predictions.decoder.weight": None,
    "cls.predictions.decoder.bias": None,
    "lm_head.bias": None,  # the same head of RoBERTa
    "lm_head.dense.weight": None,
    "lm_head.dense.bias": None,
    "lm_head.layer_norm.weight": None,
    "lm_head.layer_norm.bias": None,
    "lm_head.decoder.weight": None,
    "lm_head.decoder.bias": None,
    "classifier.dense.weight": None,
    "classifier.dense.bias": None,
    "classifier.out_proj.weight": None,
    "classifier.out_proj.bias": None,
}


# The first checkpoints call a norm's gain and bias gamma and beta.
NAMES |= {
    name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): ours
    for name, ours in NAMES.items()
}

LAYER, BLOCK = "transformer.layer.{}.", "encoder.blocks.{}."
DISTILLED_NAMES = {
    **{name: ours for name, ours in NAMES.items() if name.startswith(("embeddings.", "classifier."))},
    LAYER + "attention.q_lin.weight": BLOCK + "self_attn.query.weight",
    LAYER + "attention.q_lin.bias": BLOCK + "self_attn.query.bias",
    LAYER + "attention.k_lin.weight": BLOCK + "self_attn.key.weight",
    LAYER + "attention.k_lin.bias": BLOCK + "self_attn.key.bias",
    LAYER + "attention.v_lin.weight": BLOCK + "self_attn.value.weight",
    LAYER + "attention.v_lin.bias": BLOCK + "self_attn.value.bias",
    LAYER + "attention.out_lin.weight": BLOCK + "self_attn.out.weight",
    LAYER + "attention.out_lin.bias": BLOCK + "self_attn.out.bias",
    LAYER + "sa_layer_norm.weight": BLOCK + "attn_norm.gain",
    LAYER + "sa_layer_norm.bias": BLOCK + "attn_norm.bias",
    LAYER + "ffn.lin1.weight": BLOCK + "ffn.expand.weight",
    LAYER + "ffn.lin1.bias": BLOCK + "ffn.expand.bias",
    LAYER + "ffn.lin2.weight": BLOCK + "ffn.contract.weight",
    LAYER + "ffn.lin2.bias": BLOCK + "ffn.contract.bias",
    LAYER + "output_layer_norm.weight": BLOCK + "ffn_norm.gain",
    LAYER + "output_layer_norm.bias": BLOCK + "ffn_norm.bias",
    "pre_classifier.weight": None,
    "pre_classifier.bias": None,
    "vocab_transform.weight": None,  # the head for masked words
    "vocab_transform.bias": None,
    "vocab_layer_norm.weight": None,
    "vocab_layer_norm.bias": None,
    "vocab_projector.weight": None,
    "vocab_projector.bias": None,
}

WORD_PIECES = {"start": "[CLS]", "end": "[SEP]", "pad": "[PAD]"}
SENTENCE_MARKS = {"start": "<s>", "end": "</s>", "pad": "<pad>"}


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a BERT's `config.json`.

    Raises `DamagedWeights` for other positions, `KeyError` for a missing value, `ConfigError` for an impossible one.
    """
    if values.get("position_embedding_type", "absolute") != "absolute":
        raise DamagedWeights("This BERT has no learned positions, which this family has.")
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        d_ff=values["intermediate_size"],
        n_encoder_layers=values["num_hidden_layers"],
        max_length=values["max_position_embeddings"],
        norm_eps=values["layer_norm_eps"],
        positions="learned",
        n_segments=values["type_vocab_size"],
        embed_scale=False,
        embed_norm=True,
        activation=activation(values["hidden_act"]),
    )


def configure_offset(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of RoBERTa: its positions count from behind the number of the padding token."""
    config = configure(values)
    return replace(config, max_length=config.max_length - values.get("pad_token_id", 1) - 1)


def last_positions(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensors as they are, and of the position table the rows that a text can reach."""
    yield name, tensor[-config.max_length :] if name == "encoder.embed.positions.weight" else tensor


def configure_distilled(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a DistilBERT's `config.json`. Sanh et al. (2019), arXiv:1910.01108."""
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["dim"],
        n_heads=values["n_heads"],
        d_ff=values["hidden_dim"],
        n_encoder_layers=values["n_layers"],
        max_length=values["max_position_embeddings"],
        norm_eps=1e-12,
        positions="learned",
        embed_scale=False,
        embed_norm=True,
        activation=activation(values["activation"]),
    )


BERT = Family("BERT", configure, NAMES, prefixes=("bert.",), special=WORD_PIECES)
ROBERTA = Family("RoBERTa", configure_offset, NAMES, ("roberta.",), last_positions, SENTENCE_MARKS)
DISTILBERT = Family("DistilBERT", configure_distilled, DISTILLED_NAMES, prefixes=("distilbert.",), special=WORD_PIECES)
