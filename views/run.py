"""A run that was made, as views have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from model.edits.text import WrittenEdit
from views.run_spec import RunSpec

if TYPE_CHECKING:
    from model import Edit, Model, Trace
    from model.config import TransformerConfig


class RunMaker(Protocol):
    """Makes what a view takes beside its run. The app's own one keeps it for all readers."""

    def trace(self, model: Model, spec: RunSpec, keep: str | Iterable[str]) -> Trace:
        """The run of a spec, with the tensors that `keep` names. Raises `GlassformerError`."""

    def pack(self, run: Run, what: str, make: Callable[[], bytes], runs: int = 0) -> bytes:
        """Bytes that are costly to make of a run. `what` names them among the bytes of that run. `runs`: how often
        `make` runs a model."""

    def whole(self, model: Model) -> Model:
        """The model without the reader's edits."""


class NewRuns:
    """Makes everything anew, and keeps nothing."""

    def trace(self, model: Model, spec: RunSpec, keep: str | Iterable[str]) -> Trace:
        return model.trace_tokens(spec.tokens, spec.source_tokens, keep=keep, edits=spec.edits)

    def pack(self, run: Run, what: str, make: Callable[[], bytes], runs: int = 0) -> bytes:
        return make()

    def whole(self, model: Model) -> Model:
        from model import load  # it needs torch, which is not loaded before a run is made

        return load(model.card.name)


@dataclass(frozen=True)
class Run:
    """A run that was made: its spec, its model and its trace, with the `text` and the `target` of the tokens.

    `keep` names the tensors that the trace was asked for. Runs of equal specs are equal. `maker` makes what a view
    takes beside it.
    """

    spec: RunSpec
    model: Model = field(compare=False)
    trace: Trace = field(compare=False)
    text: str
    target: str | None = None
    keep: tuple[str, ...] = field(default=("*",), compare=False, repr=False)
    maker: RunMaker = field(default=NewRuns(), compare=False, repr=False)

    @property
    def config(self) -> TransformerConfig:
        return self.model.config

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.spec.model.name

    @property
    def title(self) -> str:
        """The title of the model, which may be edited."""
        return self.model.card.title + (", edited" if self.edits else "")

    @property
    def edits(self) -> tuple[WrittenEdit, ...]:
        """The edits that the reader has made of the model."""
        return tuple(each for each in self.spec.model.edits if isinstance(each, WrittenEdit))

    def again(self, keep: str | Iterable[str], edits: Iterable[Edit] = ()) -> Trace:
        """The trace of the same tokens with other tensors, or under further edits. Raises `GlassformerError`."""
        return self.maker.trace(self.model, replace(self.spec, edits=tuple(edits)), keep)

    def of_tokens(
        self,
        ids: Iterable[int],
        keep: str | Iterable[str],
        source_ids: Iterable[int] = (),
        edits: Iterable[Edit] = (),
    ) -> Trace:
        """The trace of other tokens by the same model, by their ids, under further edits. Raises `GlassformerError`."""
        return self._trace_ids(self.model, ids, keep, source_ids, edits)

    def by_whole_model(self, keep: str | Iterable[str]) -> Trace:
        """The trace of the same tokens by the model without the reader's edits: this one where there are none."""
        if not self.edits:
            return self.trace
        ids, source = (tuple(token.id for token in each) for each in (self.trace.tokens, self.trace.source_tokens))
        return self._trace_ids(self.maker.whole(self.model), ids, keep, source)

    def pack(self, what: str, make: Callable[[], bytes], runs: int = 0) -> bytes:
        """Bytes that are costly to make of this run. `what` names them. `runs`: how often `make` runs a model."""
        return self.maker.pack(self, what, make, runs)

    def _trace_ids(
        self,
        model: Model,
        ids: Iterable[int],
        keep: str | Iterable[str],
        source: Iterable[int],
        edits: Iterable[Edit] = (),
    ) -> Trace:
        tokens, source_tokens = model.output_tokenizer.tokens(ids), model.tokenizer.tokens(source)
        return self.maker.trace(model, RunSpec.of(model, tokens, source_tokens, edits), keep)


def make_run(
    model: Model,
    text: str,
    keep: str | Iterable[str] | Callable[[TransformerConfig], Iterable[str]] = "*",
    *,
    target: str | None = None,
    edits: Iterable[Edit] = (),
) -> Run:
    """The run of a model over a text, with the tensors that `keep` names, such as the `needs` of a view.

    Raises `GlassformerError` for a text that the model cannot read.
    """
    kept = as_names(keep(model.config) if callable(keep) else keep)
    trace = model.trace(text, keep=kept, target=target, edits=edits)
    return Run(RunSpec.of(model, trace.tokens, trace.source_tokens, edits), model, trace, text, target, kept)


def run_of(trace: Trace, needs: str | Iterable[str] | Callable[[TransformerConfig], Iterable[str]]) -> Run:
    """The run of a trace that `Model.trace` made. One that was not asked for all of `needs` is made again with them.

    Raises `GlassformerError` for a trace that does not say which model made it, for one of no transformer that reads
    text, and for one whose model has learnt since.
    """
    from model import GlassformerError, Model
    from model.config import TransformerConfig

    origin = trace.origin
    if origin is None or origin.model is None:
        raise GlassformerError("This trace does not say which model made it. Take one of `model.trace(text)`.")
    model = origin.model
    if not isinstance(model, Model) or not isinstance(model.config, TransformerConfig):
        raise GlassformerError(f"This takes a run of a transformer that reads text. {model.card.title} is none.")
    origin.check_weights()
    needed = as_names(needs(model.config) if callable(needs) else needs)
    spec = RunSpec.of(model, trace.tokens, trace.source_tokens, origin.edits)
    if "*" not in origin.keep and not set(needed) <= set(origin.keep):
        trace = NewRuns().trace(model, spec, needed)
    text = (
        model.tokenizer.decode(each.id for each in trace.source_tokens or trace.tokens)
        if origin.text is None
        else origin.text
    )
    return Run(spec, model, trace, text, origin.target, needed)


def trace_text(model: Model, text: str, keep: str | Iterable[str]) -> Trace:
    """The trace of a model over a text, made anew. The app's own function keeps it. Raises `GlassformerError`."""
    return model.trace(text, keep=keep)


def as_names(keep: str | Iterable[str]) -> tuple[str, ...]:
    """The names of tensors, of which one may stand alone."""
    return (keep,) if isinstance(keep, str) else tuple(keep)
