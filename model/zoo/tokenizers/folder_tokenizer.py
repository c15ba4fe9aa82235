"""The tokenizer of a folder, with the ids that `transformers.AutoTokenizer` 5 gives for it.

A folder has a tokenizer.json, or the older files that it was made of. Which of them counts, and for what, depends on
the class that the folder names: `model.zoo.tokenizers.classes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer as Backend

from model.config import TransformerConfig
from model.tokens.panics import panics_as_errors
from model.tokens.tokenizer import Tokenizer
from model.zoo.family import Family
from model.zoo.files import build_from, damaged
from model.zoo.tokenizers.backend import read_backend
from model.zoo.tokenizers.begin_token import set_begin
from model.zoo.tokenizers.chat_templates import template_of_folder
from model.zoo.tokenizers.class_names import USUAL
from model.zoo.tokenizers.classes import KINDS, Names
from model.zoo.tokenizers.end_tokens import set_ends
from model.zoo.tokenizers.probe import try_texts


def read_tokenizers(
    folder: Path,
    family: Family,
    values: dict[str, Any],
    config: TransformerConfig,
    writing: Mapping[str, Any] | None,
) -> tuple[Tokenizer, Tokenizer | None]:
    """The tokenizer of what is read, and that of what is written; None where it is the same.

    The one of what is written has the ends that the files name. `values` are those of config.json, `writing` those of
    `model.zoo.values.writing_values.read_writing`. Raises `DamagedWeights`, `UnsupportedFamily`.
    """
    if family.tokenizers is None:
        read = written = _read_tokenizer(folder, values, config)
    else:
        read, written = family.tokenizers(folder, values)
        check_vectors(folder / "vocab.json", read, config.vocab_size)
        check_vectors(folder / "vocab.json", written, config.target_vocab_size or config.vocab_size)
    if config.kind != "encoder":
        set_ends(written, folder, values, writing, config)
    return read, None if written is read else written


def _read_tokenizer(folder: Path, values: dict[str, Any], config: TransformerConfig) -> Tokenizer:
    path, backend, names = read_backend(folder, values, config.vocab_size)

    @panics_as_errors()
    def make(path: Path) -> Tokenizer:
        return try_texts(_with_names(path, backend, names, values, config))

    return build_from(path, make, path, "is no tokenizer")


def _with_names(
    path: Path, backend: Backend, names: Names, values: dict[str, Any], config: TransformerConfig
) -> Tokenizer:
    """The tokenizer whose special tokens have the names that the files give them."""
    usual = USUAL.get(str(values.get("model_type")))
    habit = KINDS[usual].habit if usual and config.kind != "decoder" else {}

    def name_of(key: str) -> str | None:
        found = names[key] or habit.get(key)
        return None if found is None else str(found)

    tokenizer = Tokenizer(
        backend,
        start=name_of("cls_token" if config.kind == "encoder" else "bos_token"),
        end=name_of("sep_token" if config.kind == "encoder" else "eos_token"),
        pad=name_of("pad_token"),
        mask=name_of("mask_token"),
    )
    check_vectors(path, tokenizer, config.vocab_size)
    if config.kind == "decoder" and tokenizer.start not in backend.encode([], is_pretokenized=True).ids:
        tokenizer.start = None  # it has a name, and stands before no text
    set_begin(tokenizer, names["bos_token"], values, config)
    tokenizer.chat = template_of_folder(path.parent, names) if config.kind == "decoder" else None
    if config.kind == "encoder-decoder":  # a T5 begins to write after its padding
        tokenizer.start = tokenizer.pad = values.get("decoder_start_token_id", values.get("pad_token_id", 0))
    return tokenizer


def check_vectors(path: Path, tokenizer: Tokenizer, vectors: int) -> None:
    """Raises `DamagedWeights` unless each token of a tokenizer has a vector. `path` is its file."""
    last = max(tokenizer.backend.get_vocab().values(), default=0)
    if last >= vectors:
        raise damaged(
            path,
            "does not fit the model",
            f"it has a token with the id {last:,}, but the model has vectors for {vectors:,}",
        )
