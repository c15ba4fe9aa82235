"""The BERT family (MiniLM, BERT): post-norm encoders with LayerNorm, learned positions and GELU.

Devlin et al. (2019), arXiv:1810.04805. Read from `model.safetensors` with its `config.json` and `tokenizer.json`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer
from model.zoo.bundled import read_weights
from model.zoo.files import Progress, build_from, no_progress, read_object, rename

NAMES = {
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
}


def read(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights and tokenizer from the folder of `path`. Raises `DamagedWeights`."""
    beside = path.with_name("config.json")
    config = build_from(beside, config_of, read_object(beside))
    stored = read_weights(path)
    progress("Reading the weights", 1.0)
    stored = {name.removeprefix("bert."): tensor for name, tensor in stored.items()}
    weights = {ours: stored[theirs] for theirs, ours in rename(stored, NAMES).items()}
    return config, weights, read_tokenizer(path)


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer beside the weights at `path`. Raises `DamagedWeights`."""
    return Tokenizer.from_file(path.parent / "tokenizer.json", start="[CLS]", end="[SEP]", pad="[PAD]")


def config_of(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a BERT's `config.json`.

    Raises `DamagedWeights` for another family, `KeyError` for a missing value, `ConfigError` for an impossible one.
    """
    if values.get("model_type") != "bert" or values.get("position_embedding_type", "absolute") != "absolute":
        raise DamagedWeights(
            f"This is a {repr(values.get('model_type'))[:60]} model, not a BERT one with learned positions."
        )
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
        activation=values["hidden_act"],
    )
