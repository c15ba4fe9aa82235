"""The tokenizer of a folder, from the files that repositories have for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.end_tokens import set_ends
from model.zoo.family import Family
from model.zoo.files import damaged

NO_TOKENS = {"start": None, "end": None, "pad": None}


def read_tokenizer(folder: Path, family: Family, values: dict[str, Any], config: TransformerConfig) -> Tokenizer:
    """The tokenizer of what is read, of tokenizer.json; a model that writes has the ends that its files name.

    `values` are those of config.json. Raises `DamagedWeights`.
    """
    if family.tokenizers is not None:
        read, written = family.tokenizers(folder, values)
        check_vectors(folder / "vocab.json", read, config.vocab_size)
        return set_ends(read, folder, values, config) if written is read else read
    special = NO_TOKENS | dict(family.special)
    tokenizer = Tokenizer.from_file(folder / "tokenizer.json", **special)
    check_vectors(folder / "tokenizer.json", tokenizer, config.vocab_size)
    return tokenizer if config.kind == "encoder" else set_ends(tokenizer, folder, values, config)


def read_target_tokenizer(
    folder: Path, family: Family, values: dict[str, Any], config: TransformerConfig
) -> Tokenizer | None:
    """The tokenizer of what is written; None where it is that of what is read. Raises `DamagedWeights`."""
    if family.tokenizers is None:
        return None
    read, written = family.tokenizers(folder, values)
    if written is read:
        return None
    check_vectors(folder / "vocab.json", written, config.target_vocab_size or config.vocab_size)
    return set_ends(written, folder, values, config)


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
