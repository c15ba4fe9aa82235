"""The numbers of one run beside its graph: every cell of a recorded tensor, of a weight and of a picture, by name."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.device import PLAIN
from model.errors import ModelMismatch
from model.graph.network_graph import make_graph
from model.graph.nodes import PIXELS, WEIGHT, Graph, Index
from model.graph.operations import OPERATIONS
from model.graph.shapes import shape_of
from model.tape import Trace


@dataclass(frozen=True)
class Recording:
    """A graph with the numbers of a run. Without a trace it is the graph alone."""

    graph: Graph
    trace: Trace | None = None

    @classmethod
    def of(cls, source: Trace | TransformerConfig, config: TransformerConfig | None = None) -> Recording:
        """The graph of a run, or of a configuration alone. `config` is for a trace that does not know its model.

        Raises `ModelMismatch` for a run of no transformer, and for a trace that does not know its model.
        """
        trace = source if isinstance(source, Trace) else None
        if trace is not None and config is None and trace.origin is not None:
            config = trace.origin.network.config  # type: ignore[assignment]
        config = source if isinstance(source, TransformerConfig) else config
        if config is None:
            raise ModelMismatch("This trace does not say which model it comes from. Make it with Model.trace.")
        if not isinstance(config, TransformerConfig):
            raise ModelMismatch("Only the numbers of a transformer can be explained; this is another kind of network.")
        return cls(make_graph(config), None if trace is None else trace.whole())

    @property
    def config(self) -> TransformerConfig:
        """The configuration of the model."""
        return self.graph.config

    @torch.inference_mode()
    def read(self, name: str, lead: Index = ()) -> Tensor:
        """The numbers below the index `lead`, on the CPU in float32: a row for an index without its last number.

        A tensor that the trace lacks is made where its operation can. Raises KeyError where it cannot.
        """
        node = self.graph[name]
        assert self.trace is not None, "a graph without a run has no numbers"
        if node.operation in (WEIGHT, PIXELS):
            return PLAIN.take(self._leaf(name)[lead])
        if name in self.trace:
            return self.trace[name][lead]
        return OPERATIONS[node.operation].make(node, self, lead)

    def cell(self, name: str, index: Index) -> float:
        """One number."""
        return float(self.read(name, index[:-1])[index[-1]])

    def _leaf(self, name: str) -> Tensor:
        origin = self.trace.origin if self.trace is not None else None
        if origin is None:
            raise ModelMismatch(f"This trace does not hold its model, so {name} cannot be read. Make it anew.")
        if name != PIXELS:
            origin.check_weights()
            return origin.network.get_parameter(name).detach()
        if origin.pixels is None:
            raise ModelMismatch("This trace does not hold its picture, so its pixels cannot be read. Make it anew.")
        return origin.pixels

    def ids(self, stack: str) -> tuple[int, ...] | None:
        """The token ids that a stack reads; None for a graph without a run."""
        if self.trace is None:
            return None
        crosses = stack == "encoder" and self.config.kind == "encoder-decoder"
        return tuple(token.id for token in (self.trace.source_tokens if crosses else self.trace.tokens))

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a tensor or weight. A tensor of a graph without a run has none yet."""
        node = self.graph[name]
        if self.trace is None or node.shape is not None:
            return node.shape
        return shape_of(self.config, node, len(self.trace.tokens), len(self.trace.source_tokens))

    def check(self, name: str, index: Index) -> None:
        """Raises KeyError for an unknown name, IndexError for a cell that the tensor does not have."""
        axes, shape = self.graph[name].axes, self.shape(name)
        if len(index) != len(axes):
            raise IndexError(f"{name} has the axes ({', '.join(axes)}); {index} does not name a cell of it.")
        limits = shape or tuple(max(place + 1, 1) for place in index)
        if any(not 0 <= place < limit for place, limit in zip(index, limits, strict=True)):
            raise IndexError(f"{name} has the shape {shape}; it has no cell {index}.")

    def is_edited(self, name: str) -> bool:
        """Whether an edit of this run replaced that tensor."""
        origin = self.trace.origin if self.trace is not None else None
        if origin is None:
            return False
        always = getattr(origin.network, "edits", ())  # of `model.experiments.surgery.EditedTransformer`
        return any(edit.matches(name) for edit in (*origin.edits, *always))
