"""An edit of a run: which tensors it changes, and how. No torch here, so that a page can read the edits of its link."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import translate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig


class Edit(ABC):
    """Replaces every tensor whose name matches `pattern` (`decoder.3.self_attn.heads`, `*.mask`) by what `apply` makes
    of it.

    An edit is a value. Edits with the same fields are equal and do the same to a tensor, so the tuple of the edits of a
    run tells it from other runs: it is a key for a cache. A run raises `EditError` for an edit that names none of its
    tensors, or changes a shape.

    >>> from glassformer import Edit, load
    >>> class Halve(Edit):
    ...     pattern = "decoder.1.ffn.out"
    ...     def apply(self, tensor):  # (tokens, d_model)
    ...         return tensor / 2
    >>> model = load("tiny-lm")
    >>> whole, halved = model.trace("the dog"), model.trace("the dog", edits=[Halve()])
    >>> bool((halved["decoder.1.ffn.out"] == whole["decoder.1.ffn.out"] / 2).all())
    True
    """

    @property
    @abstractmethod
    def pattern(self) -> str:
        """The names of the tensors that it changes, a shell pattern; `*` also crosses dots."""

    @abstractmethod
    def apply(self, tensor: Tensor) -> Tensor:
        """The tensor that takes the place of this one: of the same shape, on any device.

        `tensor` is on the model's device and must not be changed. Raises `EditError` where the edit does not fit it.
        """

    def after(self, seen: int) -> Edit:
        """Its form after a KV cache: for tensors whose first token stands after `seen` others.

        It is the same edit, unless it is one of certain tokens.
        """
        return self

    def tensors(self) -> tuple[str, ...]:
        """The tensors that a run must keep for it, by name.

        A run of another sentence gives what the edit puts or adds. The edited run says in its account what came of it.
        """
        return ()

    def matches(self, name: str) -> bool:
        """Whether it changes a tensor of this name."""
        return re.match(translate(self.pattern), name) is not None


class PlacedEdit(Edit):
    """An edit at one place of one layer, "decoder.3.self_attn", which a link can hold. `str` writes it."""

    @property
    @abstractmethod
    def place(self) -> str:
        """What it edits, without how. No two edits of a run have the same."""

    @property
    @abstractmethod
    def index(self) -> int:
        """The number of the head or the neuron; -1 for a whole sublayer or the stream."""

    @abstractmethod
    def exists_in(self, config: TransformerConfig) -> bool:
        """Whether a model of this configuration has the place."""

    @property
    def stack(self) -> str:
        """ "encoder" or "decoder"."""
        return self.place.split(".")[0]

    @property
    def layer(self) -> int:
        """The layer, from 0."""
        return int(self.place.split(".")[1])

    @property
    def part(self) -> str:
        """The sublayer, "self_attn", "cross_attn" or "ffn"; "resid_in" is the stream before the layer."""
        return re.split(r"[.*@]", self.place)[2]


@dataclass(frozen=True)
class Change(Edit):
    """Any change, by a function. It equals only edits with the same function, so it is of use to one run alone.

    `name` is a shell pattern of names of tensors. `change` gets each of them, without a batch axis and on the model's
    device, and returns one of the same shape.

    >>> from glassformer import Change, load
    >>> nowhere = Change("embed.positions", lambda p: 0 * p)  # (tokens, d_model)
    >>> trace = load("tiny-lm").trace("the dog", edits=[nowhere])
    >>> float(trace["embed.positions"].abs().max())
    0.0
    """

    name: str
    change: Callable[[Tensor], Tensor]

    @property
    def pattern(self) -> str:
        return self.name

    def apply(self, tensor: Tensor) -> Tensor:
        return self.change(tensor)
