"""What an operation asks of a run: the graph, its configuration, and its numbers by name."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from model.config import TransformerConfig
from model.graph.nodes import Graph, Index
from model.tape import Trace


class RunNumbers(Protocol):
    """A graph with the numbers of a run, as `model.graph.recording.Recording` has them. A graph alone has no trace."""

    @property
    def graph(self) -> Graph: ...

    @property
    def trace(self) -> Trace | None: ...

    @property
    def config(self) -> TransformerConfig:
        """The configuration of the model."""

    def read(self, name: str, lead: Index = ()) -> Tensor:
        """The numbers below the index `lead`. Raises KeyError where they were not recorded and cannot be made."""

    def cell(self, name: str, index: Index) -> float:
        """One number."""

    def ids(self, stack: str) -> tuple[int, ...] | None:
        """The token ids that a stack reads; None for a graph without a run."""

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a tensor or weight; None where a graph without a run has none yet."""
