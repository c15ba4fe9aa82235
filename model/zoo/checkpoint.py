"""A model's files, opened once: what is read of them, what is left out, and how the weights are made of them.

Look, add, load and the cards ask the same `Checkpoint`. So all of them accept and refuse the same files, for the same
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights, ModelMismatch
from model.network.linear import copy_out, transposed_names
from model.tokens.tokenizer import Tokenizer
from model.zoo.build import blank, check_fits
from model.zoo.family import Family, Named
from model.zoo.files import Progress, build_from
from model.zoo.stored_names import bare_names, heads_left, say_tensor
from model.zoo.weight_files import WeightFiles
from model.zoo.word_tables import OUTPUT, TABLES, places, settle


@dataclass(frozen=True)
class Checkpoint:
    """A model as its files describe it. All of its tensors fit, by their headers; no weight is in memory yet.

    `files` hold its weights; `nbytes` are those of all of them in float32. `left_out` are heads that no page shows, in
    words. A model of pictures has `pixels`, their preparation as a card has it,
    and no tokenizer. `target_tokenizer` is that of what a model writes, where it is another one than of what it reads.
    """

    path: Path
    family: Family
    config: TransformerConfig
    files: tuple[Path, ...]
    nbytes: int
    tokenizer: Tokenizer | None
    target_tokenizer: Tokenizer | None = None
    pixels: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    weights: Callable[[Progress], dict[str, Tensor]] = field(kw_only=True, repr=False)  # as float32

    def words(self) -> Tokenizer:
        """The tokenizer of what is read. Raises `ModelMismatch` for a model of pictures."""
        if self.tokenizer is None:
            raise ModelMismatch(f"{self.path.name} reads pictures, not text. Open it with model.load_vision.")
        return self.tokenizer


@dataclass(frozen=True)
class Plan:
    """The configuration of a checkpoint, and our name of each tensor of its files that is read."""

    files: WeightFiles
    family: Family
    config: TransformerConfig
    names: dict[str, tuple[str, ...]]
    bare: dict[str, str]  # the names of the family's table -> those of the files, of all tensors

    @property
    def left_out(self) -> tuple[str, ...]:
        """The heads of the files that no page shows, in words."""
        read = {theirs for theirs in self.names if any(True for _ in self._fit(theirs))}
        unread = (name for name, theirs in self.bare.items() if theirs not in read)
        return heads_left(name for name in unread if self.family.names.get(name) not in TABLES)

    @property
    def nbytes(self) -> int:
        """Bytes of the weights in float32."""
        return sum(tensor.nbytes for _, tensor in self.on_meta())

    def on_meta(self) -> Iterator[Named]:
        """Every tensor of ours in its shape, without numbers."""
        for theirs in self.names:
            yield from self._fit(theirs)

    def _fit(self, theirs: str) -> Iterable[Named]:
        return self._fitted(theirs, torch.empty(self.files.tensors[theirs].shape, device="meta"))

    def _fitted(self, theirs: str, tensor: Tensor) -> Iterator[Named]:
        for ours in self.names[theirs]:
            yield from self.family.fit(ours, tensor, self.config)

    def weights(self, progress: Progress) -> dict[str, Tensor]:
        """The weights, each in memory of its own and stored as the network multiplies by it."""
        transposed = transposed_names(blank(self.config))

        def place(theirs: str, tensor: Tensor) -> dict[str, Tensor]:
            return {ours: copy_out(weight, ours in transposed) for ours, weight in self._fitted(theirs, tensor)}

        weights: dict[str, Tensor] = {}
        for done, found in enumerate(self.files.read(self.names, place), start=1):
            weights |= found
            progress("Reading the weights", done / len(self.names))
        return weights


def plan(files: WeightFiles, family: Family) -> Plan:
    """How a family reads these files. All tensors fit, by their headers. Raises `DamagedWeights`."""
    beside = files.folder / "config.json"
    config = build_from(beside, family.configure, files.values)
    bare = bare_names(family, files.tensors)
    config, tables = settle(family, config, bare, lambda one, other: files.has_equal(bare[one], bare[other]))
    names = {bare[name]: ours for name, ours in places(family, tables, bare).items()}
    _check_stacks(family, config, (ours for each in names.values() for ours in each))
    check_writes(files.values, config, tables)
    files.check_types(names)
    planned = Plan(files, family, config, names, bare)
    check_fits(config, build_from(beside, dict, planned.on_meta()), say=partial(say_tensor, names=family.names))
    return planned


def _check_stacks(family: Family, config: TransformerConfig, ours: Iterable[str]) -> None:
    """Raises `DamagedWeights` for the encoder of an encoder-decoder that was saved alone, as T5EncoderModel is."""
    if config.kind == "encoder-decoder" and not any(name.startswith("decoder.blocks.") for name in ours):
        raise DamagedWeights(
            f"The files hold the encoder of a {family.name} alone, and no decoder, which every page asks this "
            "family for. Take the whole model that it was made from."
        )


def check_writes(values: Mapping[str, Any], config: TransformerConfig, ours: Collection[str]) -> None:
    """Raises `DamagedWeights` for a decoder without an output layer: it has no next word."""
    if config.kind == "encoder" or config.shares_output_table or OUTPUT in ours:
        return
    named = ", ".join(str(name)[:60] for name in values.get("architectures") or ()) or "its architectures"
    raise DamagedWeights(
        f"The files hold no output layer (lm_head.weight), and config.json says tie_word_embeddings: false ({named}). "
        "So this model gives vectors or classes, and no next word, which every page asks a decoder for; transformers "
        "would fill the layer with random numbers. Take the model of texts that it was made from."
    )
