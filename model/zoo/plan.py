"""The way from the tensors of files to the weights of our network, checked by their headers alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.network.linear import copy_out, transposed_names
from model.zoo.build import blank, check_fits
from model.zoo.family import Family, Named
from model.zoo.files import Progress, build_from
from model.zoo.stored_names import heads_left, say_tensor
from model.zoo.weight_files import Result, Stored
from model.zoo.word_tables import TABLES


class StoredTensors(Protocol):
    """The tensors of files of any kind: what their headers say, and their numbers."""

    @property
    def tensors(self) -> Mapping[str, Stored]: ...

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Result]) -> Iterator[Result]:
        """What `use` makes of each of these tensors in float32. It must copy what it keeps. Raises `DamagedWeights`."""
        ...


@dataclass(frozen=True)
class Plan:
    """The configuration of a checkpoint, and our names of each tensor of its files that is read."""

    files: StoredTensors
    family: Family
    config: TransformerConfig
    names: Mapping[str, tuple[str, ...]]
    bare: Mapping[str, str] = field(default_factory=dict)  # names of the family's table -> those of all tensors

    def check(self, path: Path) -> None:
        """Raises `DamagedWeights` unless all tensors fit, by their headers. `path` is the file that a message names."""
        fitted = build_from(path, dict, self.on_meta())
        check_fits(self.config, fitted, say=partial(say_tensor, names=self.family.names))

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

    def weights(self, progress: Progress, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        """The weights, each in memory of its own and stored as the network multiplies by it."""
        transposed = transposed_names(blank(self.config))

        def place(theirs: str, tensor: Tensor) -> dict[str, Tensor]:
            fitted = self._fitted(theirs, tensor)
            return {ours: copy_out(weight, ours in transposed).to(dtype) for ours, weight in fitted}

        weights: dict[str, Tensor] = {}
        for done, found in enumerate(self.files.read(self.names, place), start=1):
            weights |= found
            progress("Reading the weights", done / len(self.names))
        return weights
