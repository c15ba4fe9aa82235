"""Marian (opus-mt): translators of the first shape, post-norm, with one table for both languages.

Junczys-Dowmunt et al. (2018), arXiv:1804.00344; Tiedemann and Thottingal (2020), https://aclanthology.org/2020.eamt-1.61.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.tokens.sentence_pieces import read_sentence_pieces
from model.tokens.tokenizer import Tokenizer
from model.zoo.family import Family, Named
from model.zoo.files import build_from, damaged, read_object
from model.zoo.tokenizers.probe import try_texts
from model.zoo.tokenizers.sentence_piece_file import read_sentence_piece_file
from model.zoo.values.common_values import BOTH_STACKS
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues, Only

SHARED = "model.shared.weight"
UNWRITTEN = -100.0  # the bias of a token that is never written: its probability is below e^-100 of the likeliest
SAME_IN_BOTH = (("encoder_attention_heads", "decoder_attention_heads"), ("encoder_ffn_dim", "decoder_ffn_dim"))


def _names() -> dict[str, str | None]:
    names: dict[str, str | None] = {
        "model.encoder.embed_tokens.weight": "encoder.embed.tokens.weight",
        SHARED: "encoder.embed.tokens.weight",
        "model.decoder.embed_tokens.weight": "decoder.embed.tokens.weight",
        "model.encoder.embed_positions.weight": None,  # our network computes them by the formula
        "model.decoder.embed_positions.weight": None,
        "lm_head.weight": "unembed.weight",
        "final_logits_bias": "output_bias",
    }
    modules = {
        "self_attn_layer_norm": "attn_norm",
        "encoder_attn_layer_norm": "cross_norm",
        "final_layer_norm": "ffn_norm",
        "fc1": "ffn.expand",
        "fc2": "ffn.contract",
    }
    parts = {"q_proj": "query", "k_proj": "key", "v_proj": "value", "out_proj": "out"}
    for theirs, ours in (("self_attn", "self_attn"), ("encoder_attn", "cross_attn")):
        modules |= {f"{theirs}.{part}": f"{ours}.{name}" for part, name in parts.items()}
    for stack in ("encoder", "decoder"):
        for theirs, ours in modules.items():
            gain = "gain" if ours.endswith("norm") else "weight"
            names[f"model.{stack}.layers.{{}}.{theirs}.weight"] = f"{stack}.blocks.{{}}.{ours}.{gain}"
            names[f"model.{stack}.layers.{{}}.{theirs}.bias"] = f"{stack}.blocks.{{}}.{ours}.bias"
    return names


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights`.

    A translator whose vocabulary does not end with its padding token is refused: see `fit`.
    """
    for ours, theirs in SAME_IN_BOTH:
        if values[ours] != values[theirs]:
            raise DamagedWeights(f"{ours} and {theirs} differ in config.json. This app has one value for both stacks.")
    own = not values["share_encoder_decoder_embeddings"]
    written = values["decoder_vocab_size"] if own and values["decoder_vocab_size"] else values["vocab_size"]
    if values["pad_token_id"] != written - 1 or values["decoder_start_token_id"] != values["pad_token_id"]:
        raise DamagedWeights(
            "Marian starts with its padding token, the last one of its vocabulary. This model does not."
        )
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        target_vocab_size=written if own else None,
        d_model=values["d_model"],
        n_heads=values["encoder_attention_heads"],
        d_ff=values["encoder_ffn_dim"],
        n_encoder_layers=values["encoder_layers"],
        n_decoder_layers=values["decoder_layers"],
        max_length=values["max_position_embeddings"],
        sines_first=True,
        embed_scale=values["scale_embedding"],
        activation=activation(values["activation_function"]),
        tied_embeddings=values["tie_word_embeddings"],
        output_bias=True,
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensors as they are stored. But the padding token, which only starts a text, is never written.

    Its row of the table is zeros, and so is its bias, so its score is 0: with nothing done it would often win.
    """
    if name == "output_bias":
        bias = tensor.flatten()  # stored as (1, V)
        yield name, torch.cat((bias[:-1], torch.full_like(bias[-1:], UNWRITTEN)))
    else:
        yield name, tensor


def read_tokenizers(folder: Path, values: dict[str, Any]) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizer of the text that is read, and that of its translation. Raises `DamagedWeights`."""
    shared = values.get("share_encoder_decoder_embeddings", True)
    read = _vocabulary(folder / "vocab.json")
    written = read if shared else _vocabulary(folder / "target_vocab.json")
    return _pieces(folder / "source.spm", read), _pieces(folder / "target.spm", written)


def _pieces(path: Path, vocabulary: dict[str, int]) -> Tokenizer:
    """The tokenizer of a SentencePiece file."""
    _check(path, path.stat().st_mtime_ns if path.is_file() else 0)
    return build_from(path, try_texts, read_sentence_pieces(path, vocabulary), "is no tokenizer")


@lru_cache(maxsize=8)
def _check(path: Path, changed: int) -> None:
    """Raises `DamagedWeights` for a file that asks for too much, or leads out of itself: the library follows it
    unchecked. A file is read once until its time of change is another one."""
    read_sentence_piece_file(path)


def _vocabulary(path: Path) -> dict[str, int]:
    """The id of each piece. Raises `DamagedWeights` where two pieces have one id, or an id is no place of a table."""
    ids = read_object(path)
    wrong = [id for id in ids.values() if type(id) is not int or id < 0]
    if wrong or len(set(ids.values())) < len(ids):
        raise damaged(
            path, "is no vocabulary", f"{repr(wrong[0])[:60]} is no id" if wrong else "two pieces share an id"
        )
    return ids


DEFAULTS: dict[str, Any] = {
    "vocab_size": 58101,
    "decoder_vocab_size": None,
    "max_position_embeddings": 1024,
    "encoder_layers": 12,
    "encoder_ffn_dim": 4096,
    "encoder_attention_heads": 16,
    "decoder_layers": 12,
    "decoder_ffn_dim": 4096,
    "decoder_attention_heads": 16,
    "activation_function": "gelu",
    "d_model": 1024,
    "decoder_start_token_id": 58100,
    "scale_embedding": False,
    "pad_token_id": 58100,
    "eos_token_id": 0,
    "bos_token_id": None,
    "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True,
}
SYNONYMS = {
    "num_attention_heads": "encoder_attention_heads",
    "hidden_size": "d_model",
    "num_hidden_layers": "encoder_layers",
}
ELSEWHERE = Only((False, None), "the norms stand in other places than Marian has them")  # its kin of BART say that
KNOWN = BOTH_STACKS | KnownValues(
    read=(*DEFAULTS, *SYNONYMS),
    without_effect=("encoder_layerdrop", "decoder_layerdrop", "add_bias_logits", "extra_pos_embeddings"),
    refused={
        "normalize_before": ELSEWHERE,
        "normalize_embedding": ELSEWHERE,
        "add_final_layer_norm": ELSEWHERE,
        "static_position_embeddings": Only((True, None), "positions are learned"),
    },
)
MARIAN = Family(
    "Marian",
    configure,
    _names(),
    base="model.",
    fit=fit,
    shared=SHARED,
    tokenizers=read_tokenizers,
    known=KNOWN,
    defaults=DEFAULTS,
    synonyms=SYNONYMS,
)
