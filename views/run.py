"""A run that was made, as views have it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from model.edits.text import WrittenEdit
from views.run_spec import RunSpec

if TYPE_CHECKING:
    from model import Edit, Model, Trace
    from model.config import TransformerConfig


class Tracer(Protocol):
    """Makes the run of a spec, with the tensors that `keep` names. The app's own one has a cache."""

    def __call__(self, model: Model, spec: RunSpec, keep: str | Iterable[str], /) -> Trace: ...


def record(model: Model, spec: RunSpec, keep: str | Iterable[str]) -> Trace:
    """The run of a spec, made anew."""
    return model.trace_tokens(spec.tokens, spec.source_tokens, keep=keep, edits=spec.edits)


@dataclass(frozen=True)
class Run:
    """A run that was made: its spec, its model and its trace, with the `text` and the `target` of the tokens.

    Runs of equal specs are equal. `tracer` makes the further runs that a view asks for.
    """

    spec: RunSpec
    model: Model = field(compare=False)
    trace: Trace = field(compare=False)
    text: str
    target: str | None = None
    tracer: Tracer = field(default=record, compare=False, repr=False)

    @property
    def config(self) -> TransformerConfig:
        return self.model.config

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.spec.model.name

    @property
    def edits(self) -> tuple[WrittenEdit, ...]:
        """The edits that the reader has made of the model."""
        return tuple(each for each in self.spec.model.edits if isinstance(each, WrittenEdit))

    def again(self, keep: str | Iterable[str], edits: Iterable[Edit] = ()) -> Trace:
        """The trace of the same tokens with other tensors, or under further edits. Raises `GlassformerError`."""
        return self.tracer(self.model, replace(self.spec, edits=tuple(edits)), keep)
