"""The runs whose tiles the map shows: how each is made, in any thread, and the key under which it is kept."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pages.home.tiles.store import RUNS
from pages.shared.model_runs import model_turns
from pages.shared.model_runs.processor_turns import ProcessorTurns
from views.run import Run
from views.run_spec import RunSpec

if TYPE_CHECKING:
    from model import Model, Trace
    from views.map.tiles.difference import DifferenceRun
    from views.map.tiles.run import TiledRun

MAX_HELD_TOKENS = 128  # of a run that holds them: 41 MB of SmolLM2


@dataclass(frozen=True)
class RunSource:
    """One run: its spec, and the model of that."""

    spec: RunSpec
    model: Model
    turns: ProcessorTurns
    recorded: Trace | None = field(default=None, compare=False)  # the same run as a page has made it

    @property
    def key(self) -> Hashable:
        return self.spec

    def find(self) -> TiledRun:
        """The run as it is kept, or made again."""
        from views.map.tiles.run import TiledRun

        found = RUNS.find(RUNS.handle(self.key, self.make))
        return found if isinstance(found, TiledRun) else self.make()

    def make(self) -> TiledRun:
        # It loads torch, which the start of the server need not wait for.
        from views.map.tiles.run import FIRST_TENSORS, TiledRun

        take_turn = partial(model_turns.take_turn, self.turns)
        with model_turns.else_on_cpu(), take_turn():
            if self.recorded is not None and self.recorded.is_lazy:
                return TiledRun(self.recorded.keeping("*"), take_turn)
            tokens, source_tokens = self.spec.tokens, self.spec.source_tokens
            hold = FIRST_TENSORS if len(tokens) + len(source_tokens) <= MAX_HELD_TOKENS else ()
            made = self.model.trace_tokens_on_demand(tokens, source_tokens, edits=self.spec.edits, hold=hold)
        return TiledRun(made, take_turn)


@dataclass(frozen=True)
class DifferenceSource:
    """The difference of two runs."""

    first: RunSource
    second: RunSource

    @property
    def key(self) -> Hashable:
        return "difference", self.first.key, self.second.key

    def make(self) -> DifferenceRun:
        """Raises `ModelMismatch` for runs with other tensors, or with tensors of other shapes."""
        from views.map.tiles.difference import DifferenceRun  # it loads torch

        return DifferenceRun(self.first.find(), self.second.find())


Source = RunSource | DifferenceSource


def source_of(run: Run) -> RunSource:
    """The run of the run bar."""
    return RunSource(run.spec, run.model, model_turns.turns(), run.trace)


def handle_of(source: Source) -> str:
    """The handle of the tiles. A run that is no longer kept is made again, under a new handle."""
    return RUNS.handle(source.key, source.make)


def find_run(source: Source) -> TiledRun | DifferenceRun:
    """The run as it is kept, or made again."""
    return RUNS.find(handle_of(source)) or source.make()
