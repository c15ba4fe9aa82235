"""The tokenizer of a folder, from the files that repositories have for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.family import Family
from model.zoo.files import damaged

NO_TOKENS = {"start": None, "end": None, "pad": None}


def read_tokenizer(folder: Path, family: Family, values: dict[str, Any], config: TransformerConfig) -> Tokenizer:
    """The tokenizer of what is read, of tokenizer.json; a decoder's end token is the one that config.json names.

    `values` are those of config.json. Raises `DamagedWeights`.
    """
    if family.tokenizers is not None:
        return check_vectors(folder / "vocab.json", family.tokenizers(folder, values)[0], config.vocab_size)
    special = NO_TOKENS | dict(family.special)
    tokenizer = Tokenizer.from_file(folder / "tokenizer.json", **special)
    check_vectors(folder / "tokenizer.json", tokenizer, config.vocab_size)
    if config.kind == "decoder":
        tokenizer.end = _end(folder, values, tokenizer)
    return tokenizer


def read_target_tokenizer(
    folder: Path, family: Family, values: dict[str, Any], config: TransformerConfig
) -> Tokenizer | None:
    """The tokenizer of what is written; None where it is that of what is read. Raises `DamagedWeights`."""
    if family.tokenizers is None:
        return None
    read, written = family.tokenizers(folder, values)
    if written is read:
        return None
    return check_vectors(folder / "vocab.json", written, config.target_vocab_size or config.vocab_size)


def check_vectors(path: Path, tokenizer: Tokenizer, vectors: int) -> Tokenizer:
    """The tokenizer, each of whose tokens has a vector. Raises `DamagedWeights` for any other; `path` is its file."""
    last = max(tokenizer.backend.get_vocab().values(), default=0)
    if last >= vectors:
        raise damaged(
            path,
            "does not fit the model",
            f"it has a token with the id {last:,}, but the model has vectors for {vectors:,}",
        )
    return tokenizer


def _end(folder: Path, values: dict[str, Any], tokenizer: Tokenizer) -> int | None:
    ends = values.get("eos_token_id")
    end = ends[0] if isinstance(ends, list) and ends else ends
    if end is not None and not (type(end) is int and 0 <= end < tokenizer.size):
        raise damaged(folder / "config.json", "describes no model", f"eos_token_id is {repr(ends)[:60]}")
    return end
