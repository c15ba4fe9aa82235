"""A run of the reader's sentence, as pages pass it on, and the request that it answers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from model.edits.text import WrittenEdit

if TYPE_CHECKING:
    from model import Model, Trace


@dataclass(frozen=True)
class Request:
    """The reader's request: the name of a model, a sentence, and a translation of it or None.

    `edits` are those of the model (`pages.shared.model_runs.edited_parts`); () for the whole model.
    `begin` is the choice of its begin token (`pages.shared.model_runs.begin_token`).
    """

    name: str
    text: str
    target: str | None
    edits: tuple[WrittenEdit, ...] = field(default=(), kw_only=True)
    begin: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Run(Request):
    """A request that was run, with its model and its trace."""

    model: Model
    trace: Trace

    @property
    def weights_key(self) -> tuple[Hashable, ...]:
        """What the weights of the run depend on. Those of a model in memory (`model/adopted.py`) change."""
        return self.name, self.model.state, self.edits

    @property
    def key(self) -> tuple[Hashable, ...]:
        """All that the numbers of the run depend on."""
        return *self.weights_key, self.text, self.target
