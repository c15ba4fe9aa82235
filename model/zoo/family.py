"""A family of checkpoints: what its `config.json` means, and where each of its tensors stands in our network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.values.common_values import COMMON
from model.zoo.values.known_values import KnownValues, check_values

Named = tuple[str, Tensor]


def keep(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensor as it is stored."""
    yield name, tensor


def pair_up(rows: Tensor, config: TransformerConfig) -> Tensor:
    """Reorders the rows of each head for our rotary positions: (heads * d_k, ...), or a gain (d_k,)."""
    return pair_up_heads(rows.unflatten(0, (-1, config.head_width)), config)


def pair_up_heads(heads: Tensor, config: TransformerConfig) -> Tensor:
    """As `pair_up`: (heads, d_k, ...) -> (heads * d_k, ...).

    Checkpoints of the hub turn feature k together with feature k + w/2, of the w features that turn. Ours turn
    neighbours, and so does GGUF.
    """
    width = config.rotary_width or config.head_width
    order = torch.arange(config.head_width)
    order[:width] = order[:width].unflatten(0, (2, -1)).T.flatten()  # 0, w/2, 1, w/2 + 1, ...
    return heads.index_select(1, order.to(heads.device)).flatten(0, 1)


@dataclass(frozen=True)
class Family:
    """One family. `name` is in words.

    `names` leads from the tensors of the file to ours; `{}` is the layer, and None drops a tensor. `prefixes` may stand
    before the file's names. A network that was saved without its output layer has names without `base`. `fit`
    gives a tensor, under our name, the shape and order of our network; one stored tensor may become several.
    `config_of` is given the values that `known` has as read, each of which is there: it raises `DamagedWeights` or
    `ConfigError`.

    `one_of` has groups of names of the file for one tensor: of each group that a file has, the first is read. Tables of
    words are found by `model.zoo.word_tables`: `shared` is the file's name of one that stands for all that are missing.

    `head` are beginnings of the file's names of what reads an answer off an encoder. A file that has none of them gives
    no answer, whatever its config.json says: some encoders of sentences name the model that they were trained from.

    `known` has the keys of `config.json` in three lists, and `defaults` what a missing one is: the default of the class
    of `transformers`. Each key of `synonyms` is another name of one, and it wins over that one, as it does there.

    `tokenizers` is for a family whose files are none of `model.zoo.tokenizers.folder_tokenizer`: from the folder and
    the values of `config.json` it gives the tokenizer of what is read, and that of what is written, which may be the
    same object.

    `texts` reads the tower of texts in the same files, beside that of pictures. `pads` fills each text up to the
    longest that the model reads, as it was trained. `beyond_patches` are the pixels a side of a picture that fill no
    patch, in the values of `config.json`.
    """

    name: str
    config_of: Callable[[dict[str, Any]], TransformerConfig]
    names: Mapping[str, str | None]
    prefixes: tuple[str, ...] = ()
    base: str = field(default="", kw_only=True)
    fit: Callable[[str, Tensor, TransformerConfig], Iterable[Named]] = keep
    one_of: tuple[tuple[str, ...], ...] = ()
    head: tuple[str, ...] = ()
    shared: str = ""
    known: KnownValues = COMMON
    defaults: Mapping[str, Any] = field(default_factory=dict)
    synonyms: Mapping[str, str] = field(default_factory=dict)
    tokenizers: Callable[[Path, dict[str, Any]], tuple[Tokenizer, Tokenizer]] | None = None
    texts: Family | None = None
    pads: bool = False
    beyond_patches: Callable[[Mapping[str, Any]], int] | None = None

    def configure(self, values: Mapping[str, Any]) -> TransformerConfig:
        """The configuration in the values of a `config.json`.

        Raises `DamagedWeights` for a value that is not read here and would change a number, `ConfigError`.
        """
        return self.config_of(self.take(values))

    def take(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values that change numbers, and the default of each that is missing. Raises `DamagedWeights`."""
        check_values(Path("config.json"), values, self.known, self.defaults)
        read = {key: value for key, value in values.items() if key in self.known.read and key not in self.synonyms}
        renamed = {self.synonyms[key]: value for key, value in values.items() if key in self.synonyms}
        return {**self.defaults, **read, **renamed}

    def spare(self, names: Collection[str]) -> set[str]:
        """The names of the file that are further ones of a tensor."""
        return {name for group in self.one_of for name in [each for each in group if each in names][1:]}

    def complete(self, config: TransformerConfig, names: Collection[str]) -> TransformerConfig:
        """The configuration, with what only the tensors say: whether there is an answer.

        `names` are those of the file, without a prefix.
        """
        if self.head and not any(name.startswith(self.head) for name in names):
            none: dict[str, Any] = {"masked_words": False, "text_labels": (), "token_labels": (), "transform": "none"}
            config = replace(config, **none, answer_span=False, label_scores="softmax", output_bias=False)
        return config
