"""The graph of every architecture here, made from its configuration.

The network itself says what makes what (`model.network.graph_builder`). It is asked without weights, on torch's meta
device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.graph.nodes import PIXELS, WEIGHT, Graph, Input, Node
from model.names import describe
from model.network.transformer import Transformer, add_transformer


@lru_cache(maxsize=64)
def make_graph(config: TransformerConfig) -> Graph:
    """What makes each tensor that a run of this configuration records, and all its weights."""
    with torch.device("meta"):
        network = Transformer(config)
    builder = _Builder({id(weight): name for name, weight in network.named_parameters()})
    outputs = add_transformer(builder, network)
    return Graph(config, MappingProxyType(builder.nodes), MappingProxyType(outputs))


@dataclass(frozen=True)
class _Builder:
    """The `GraphBuilder` that makes nodes. `weight_names` has the name of each weight by the identity of its tensor."""

    weight_names: Mapping[int, str]
    nodes: dict[str, Node] = field(default_factory=dict)
    stack: str = ""
    prefix: str = ""

    def at(self, *path: str | int) -> _Builder:
        return replace(self, prefix=self.prefix + "".join(f"{part}." for part in path))

    def of_stack(self, stack: str) -> _Builder:
        return replace(self, stack=stack)

    def add(self, name: str, operation: str, **reads: str | tuple[str, ...]) -> str:
        name = self.prefix + name
        each_role = ((role, (found,) if isinstance(found, str) else found) for role, found in reads.items())
        inputs = tuple(Input(role, read) for role, found in each_role for read in found)
        self.nodes[name] = Node(name, operation, inputs, describe(name).axes, self.stack)
        return name

    def weight(self, weight: Tensor, *axes: str) -> str:
        return self._leaf(self.weight_names[id(weight)], WEIGHT, axes, tuple(weight.shape))

    def pixels(self, shape: tuple[int, int, int]) -> str:
        return self._leaf(PIXELS, PIXELS, ("channels", "rows", "columns"), shape)

    def _leaf(self, name: str, operation: str, axes: tuple[str, ...], shape: tuple[int, ...]) -> str:
        self.nodes.setdefault(name, Node(name, operation, (), axes, self.stack, shape))
        return name
