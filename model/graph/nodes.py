"""The graph of a run as data: every tensor and every weight, the operation that makes it, and what goes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from model.config import TransformerConfig

ALL = slice(None)  # in the index of `Cells`: every place along this axis
Index = tuple[int, ...]
WEIGHT, PIXELS = "weight", "pixels"  # the operations of leaves: nothing makes them


@dataclass(frozen=True)
class Cells:
    """Some cells of one tensor or weight. `index` has a number or `ALL` for each axis, so `tensor[index]` is they."""

    name: str
    index: tuple[int | slice, ...]

    def __contains__(self, index: Index) -> bool:
        return len(index) == len(self.index) and all(
            wanted in (ALL, place) for wanted, place in zip(self.index, index, strict=True)
        )


@dataclass(frozen=True)
class Input:
    """One thing that an operation reads. `role` is its letter in the operation's equation, such as x or weight."""

    role: str
    name: str


@dataclass(frozen=True)
class Node:
    """One tensor, or one weight, and what makes it.

    `name` is the tensor's name of `model.names`, or the weight's in the network, "decoder.blocks.3.ffn.up.weight".
    `operation` is a key of `model.graph.operations.OPERATIONS`; a leaf has the operation `WEIGHT` or `PIXELS` and no
    inputs. `axes` are those of `model.names`. `shape` is None where it depends on the text.
    """

    name: str
    operation: str
    inputs: tuple[Input, ...]
    axes: tuple[str, ...]
    stack: str
    shape: tuple[int, ...] | None = None

    def named(self, *roles: str) -> tuple[str, ...]:
        """The names of the inputs of these roles, in order; () if there are none."""
        return tuple(each.name for each in self.inputs if each.role in roles)

    def one(self, role: str) -> str:
        """The name of the one input of that role."""
        (name,) = self.named(role)
        return name


@dataclass(frozen=True)
class Graph:
    """All nodes of one configuration by name, in the order in which a run records them. Weights stand before use.

    `outputs` has for each stack the tensor that it hands on when all its layers are done.
    """

    config: TransformerConfig
    nodes: Mapping[str, Node]
    outputs: Mapping[str, str]

    def __getitem__(self, name: str) -> Node:
        if name in self.nodes:
            return self.nodes[name]
        near = get_close_matches(name, self.nodes, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise KeyError(f"This model has no tensor and no weight called {name}.{hint}")

    def __contains__(self, name: str) -> bool:
        return name in self.nodes

    @cached_property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that a run records, in its order."""
        return tuple(node.name for node in self.nodes.values() if node.operation not in (WEIGHT, PIXELS))

    @cached_property
    def weights(self) -> tuple[str, ...]:
        """The names of the weights, as `network.named_parameters()` gives them."""
        return tuple(node.name for node in self.nodes.values() if node.operation == WEIGHT)

    @cached_property
    def consumers(self) -> Mapping[str, tuple[Node, ...]]:
        """For each name the nodes that read it, in the order of the computation; () for a result of the model."""
        found: dict[str, list[Node]] = {name: [] for name in self.nodes}
        for node in self.nodes.values():
            for name in dict.fromkeys(each.name for each in node.inputs):
                found[name].append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}
