"""A model's files, opened once: what is read of them, what is left out, and how the weights are made of them.

Whoever looks at a model, adds it, makes its card or loads it asks the same `Checkpoint`. So all of them say yes or no
to the same files, with the same reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.errors import ModelMismatch
from model.network.linear import copy_out, transposed_names
from model.tokens.tokenizer import Tokenizer
from model.zoo.build import blank, check_fits
from model.zoo.family import Family, Named
from model.zoo.files import Progress, build_from, damaged, rename
from model.zoo.weight_files import WeightFiles


@dataclass(frozen=True)
class Checkpoint:
    """A model as its files describe it. All of its tensors fit, by their headers; no weight is in memory yet.

    `nbytes` are those of its weights in float32. A model of pictures has `pixels`, their preparation as a card has it,
    and no tokenizer. `target_tokenizer` is that of what a model writes, where it is another one than of what it reads.
    """

    path: Path
    family: Family
    config: TransformerConfig
    nbytes: int
    tokenizer: Tokenizer | None
    target_tokenizer: Tokenizer | None = None
    pixels: Mapping[str, Any] = field(default_factory=dict)
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
    names: dict[str, str]

    @property
    def nbytes(self) -> int:
        """Bytes of the weights in float32."""
        return sum(tensor.nbytes for _, tensor in self.on_meta())

    def on_meta(self) -> Iterator[Named]:
        """Every tensor of ours in its shape, without numbers."""
        for theirs, ours in self.names.items():
            shape = self.files.tensors[theirs].shape
            yield from self.family.fit(ours, torch.empty(shape, device="meta"), self.config)

    def weights(self, progress: Progress) -> dict[str, Tensor]:
        """The weights, each in memory of its own and stored as the network multiplies by it."""
        transposed = transposed_names(blank(self.config))

        def place(theirs: str, tensor: Tensor) -> dict[str, Tensor]:
            fitted = self.family.fit(self.names[theirs], tensor, self.config)
            return {ours: copy_out(weight, ours in transposed) for ours, weight in fitted}

        weights: dict[str, Tensor] = {}
        for done, found in enumerate(self.files.read(self.names, place), start=1):
            weights |= found
            progress("Reading the weights", done / len(self.names))
        return weights


def plan(files: WeightFiles, family: Family) -> Plan:
    """How a family reads these files. All tensors fit, by their headers. Raises `DamagedWeights`."""
    beside = files.folder / "config.json"
    config = build_from(beside, family.configure, files.values)
    bare = {without(name, family.prefixes): name for name in files.tensors}
    config = family.complete(config, bare, lambda one, other: files.has_equal(bare[one], bare[other]))
    spare = family.spare(bare)
    bare = {name: theirs for name, theirs in bare.items() if name not in spare}
    names = {bare[name]: ours for name, ours in rename(bare, family.names).items()}
    times = Counter(names.values())
    twice = sorted(theirs for theirs, ours in names.items() if times[ours] > 1)
    if twice:
        raise damaged(beside, "does not fit the weights", f"of {', '.join(twice[:5])} only some can be read")
    files.check_types(names)
    planned = Plan(files, family, config, names)
    check_fits(config, build_from(beside, dict, planned.on_meta()))
    return planned


def without(name: str, prefixes: Iterable[str]) -> str:
    """The name of a tensor without what may stand before it."""
    for prefix in prefixes:
        name = name.removeprefix(prefix)
    return name
