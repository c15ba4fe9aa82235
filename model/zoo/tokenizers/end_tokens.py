"""The tokens that end what a model writes: `eos_token_id` of generation_config.json.

A folder without that file has them in config.json. This is what `generate` of the library transformers does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.files import damaged
from model.zoo.values.writing_values import GENERATION_CONFIG
from model.zoo.which_files import CONFIG

KEY = "eos_token_id"
# The ends of a text, of a turn and of a message, in the metadata of a GGUF file.
GGUF_ENDS = tuple(f"tokenizer.ggml.{end}_token_id" for end in ("eos", "eot", "eom"))


def set_ends(
    tokenizer: Tokenizer,
    folder: Path,
    values: Mapping[str, Any],
    writing: Mapping[str, Any] | None,
    config: TransformerConfig,
) -> None:
    """Gives the tokenizer of what a model writes the ends that the files name.

    `values` are those of config.json, `writing` those of `read_writing`. A translator for which no file names one keeps
    the end of its tokenizer, since a translation must end. Raises `DamagedWeights` for something else than ids.
    """
    path, named = (folder / CONFIG, values) if writing is None else (folder / GENERATION_CONFIG, writing)
    given = named.get(KEY)
    ids = given if isinstance(given, list) else [given]
    if any(id is not None and type(id) is not int for id in ids):
        raise damaged(path, "names no token that ends a text", f"{KEY} is {repr(given)[:60]}")
    ends = ids_of_ends(ids, config.target_vocab_size or config.vocab_size)
    if ends or config.kind == "decoder":
        tokenizer.ends = ends


def ids_of_ends(named: Iterable[int | None], vectors: int) -> tuple[int, ...]:
    """The named ids, each once. One that no token has ends nothing, and is left out.

    A small GPT-2 often keeps 50256, the end of the large one's vocabulary.
    """
    return tuple(dict.fromkeys(id for id in named if id is not None and 0 <= id < vectors))
