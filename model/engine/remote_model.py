"""A model whose runs are made elsewhere. It has the same methods as any model, so no page knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from model.generation.steps import Step, StepsRequest
from model.network.transformer import Transformer
from model.run import Model, RunRequest
from model.tape import Edit


class Engine(Protocol):
    """Makes the runs of models that it knows by name. Each method may raise `EngineGone`."""

    def record(self, name: str, request: RunRequest) -> Mapping[str, Tensor]:
        """The kept tensors of one run, on the CPU."""

    def steps(self, name: str, request: StepsRequest) -> Iterator[Step]:
        """The tokens that the model writes, one by one."""


@dataclass(frozen=True)
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
        return self.engine.record(self.card.name, request)

    def _steps(self, request: StepsRequest) -> Iterator[Step]:
        if self.network is not self.whole:
            return super()._steps(request)
        return self.engine.steps(self.card.name, request)
