"""A model whose runs are made elsewhere. It has the same methods as any model, so no page knows."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from model import work_bound
from model.edits.edit import Edit
from model.generation.kept_cache import KeptCache
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.run_request import RunRequest
from model.network.transformer import Transformer
from model.run import Model
from model.tape import storage_bytes


class Engine(Protocol):
    """Makes the runs of models that it knows by name. Each method may raise `EngineGone`."""

    def record(self, name: str, request: RunRequest) -> Mapping[str, Tensor]:
        """The kept tensors of one run, on the CPU."""

    def steps(self, name: str, request: StepsRequest) -> Generator[GenerationStep, None, None]:
        """The tokens that the model writes, one by one."""


@dataclass(frozen=True, repr=False)
class RemoteModel(Model):
    """The model `whole` with its runs made by an engine.

    Its own network gives the weights that pages show. It makes the runs that the engine cannot: those with edits, which
    are functions of this process, and all runs of a copy with another network.
    """

    whole: Transformer = field(kw_only=True)
    engine: Engine = field(kw_only=True)

    def _record(self, request: RunRequest, edits: tuple[Edit, ...]) -> Mapping[str, Tensor]:
        if edits or self.network is not self.whole:
            return super()._record(request, edits)
        with work_bound.elsewhere():
            tensors = self.engine.record(self.card.name, request)
        work_bound.keep(storage_bytes(tensors.values()))
        return tensors

    def _record_together(self, requests: Sequence[RunRequest]) -> Sequence[Mapping[str, Tensor]]:
        return [self._record(request, ()) for request in requests]

    def _steps(self, request: StepsRequest, kept: KeptCache | None = None) -> Iterator[GenerationStep]:
        """An engine reads all of each text: what a reader keeps is here, and the caches of its steps are there."""
        if self.network is not self.whole:
            return super()._steps(request, kept)
        return self._steps_of_engine(request)

    def _steps_of_engine(self, request: StepsRequest) -> Iterator[GenerationStep]:
        """The steps, as long as the work is within its bound. Who leaves early ends them at the engine too."""
        steps = self.engine.steps(self.card.name, request)
        with closing(steps):
            while True:
                with work_bound.elsewhere():
                    step = next(steps, None)
                if step is None:
                    return
                work_bound.check()
                yield step
