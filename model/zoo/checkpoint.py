"""A model's files, opened and parsed once: what is known of the model before its weights are in memory.

Look, add, load, the check of the memory and the cards take the same `Checkpoint`, of whichever files it was made. So
all of them accept and refuse the same files, for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.errors import ModelMismatch
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.zoo.files import Progress


class ReadWeights(Protocol):
    """Reads the weights of files, under our names and in a type of numbers."""

    def __call__(self, progress: Progress, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]: ...


@dataclass(frozen=True)
class Checkpoint:
    """A model as its files describe it. `model.zoo.opening` makes it of a path or of a card.

    `path` is the folder or file that was opened, and `files` hold the weights. `family` is in words. `nbytes` are those
    of all weights in float32. `weights` reads them, one after another, so that none is held in two types of numbers.

    `target_tokenizer` is that of what a model writes, where it is another one than of what it reads. A model of
    pictures has no tokenizer. It has `pixels`, their preparation as a card has it, where its files say it, and perhaps
    a `saliency` head, which draws a map of what stands out, or `texts`: the tower that its files have for sentences.

    `left_out` are heads of the files that no page shows, in words. `written_otherwise` says for which values of its
    files the library `transformers` writes other tokens; "" where it writes the same.
    """

    path: Path
    family: str
    config: TransformerConfig
    files: tuple[Path, ...]
    nbytes: int
    weights: ReadWeights = field(repr=False)
    tokenizer: Tokenizer | None = None
    target_tokenizer: Tokenizer | None = None
    pixels: Mapping[str, Any] = field(default_factory=dict)
    saliency: nn.Module | None = None
    texts: Checkpoint | None = None
    left_out: tuple[str, ...] = ()
    written_otherwise: str = ""
    make: Callable[[TransformerConfig], Transformer] = Transformer  # the class of its network

    @property
    def size(self) -> int:
        """Bytes of the files of its weights."""
        return sum(file.stat().st_size for file in self.files)

    def words(self) -> Tokenizer:
        """The tokenizer of what is read. Raises `ModelMismatch` for a model of pictures."""
        if self.tokenizer is None:
            raise ModelMismatch(f"{self.path.name} reads pictures, not text. Open it with model.load_vision.")
        return self.tokenizer
