"""A run as pages pass it on, and the request of the reader that it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.edits.text import WrittenEdit
from pages.shared.model_runs.run_spec import RunSpec

if TYPE_CHECKING:
    from model import Model, Trace


@dataclass(frozen=True)
class Request:
    """The reader's choices in the run bar, before anything is loaded or cut: they may be impossible, so they are no
    `RunSpec`. The bar undoes them, and a page tells by them what it shows.

    `target` is a translation of the sentence, or None. `edits` are those of the model on this page
    (`pages.shared.model_runs.edited_parts`). `begin` is the choice of its begin token
    (`pages.shared.model_runs.begin_token`).
    """

    name: str
    text: str
    target: str | None
    edits: tuple[WrittenEdit, ...] = ()
    begin: str = ""


@dataclass(frozen=True)
class Run:
    """A run that was made: its spec, its model and its trace, with the `text` and the `target` of the tokens."""

    spec: RunSpec
    model: Model
    trace: Trace
    text: str
    target: str | None = None

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.spec.model.name

    @property
    def edits(self) -> tuple[WrittenEdit, ...]:
        """The edits that the reader has made of the model."""
        return tuple(each for each in self.spec.model.edits if isinstance(each, WrittenEdit))
