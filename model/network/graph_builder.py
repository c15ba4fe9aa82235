"""How the network says what makes each tensor of a run: the graph that explanations and the map read.

Each module has a function beside its class, such as `add_attention` beside `MultiHeadAttention`. It follows the class's
`forward` line by line, with names in the place of tensors. A new tensor on the tape gets its line there.
"""

from __future__ import annotations

from typing import Protocol

from torch import Tensor


class GraphBuilder(Protocol):
    """Collects the tensors of a run, in the order in which it records them (`model.graph.network_graph`)."""

    def at(self, *path: str | int) -> GraphBuilder:
        """The same builder, one or more levels down, as `Tape.at`."""

    def of_stack(self, stack: str) -> GraphBuilder:
        """The same builder, for the tensors of this stack, the "encoder" or the "decoder"."""

    def add(self, name: str, operation: str, **reads: str | tuple[str, ...]) -> str:
        """A tensor that the tape gets under this name, and what its operation reads. Returns the tensor's whole name.

        `operation` is one of `model.graph.operations`. Each input is named by its letter in the operation's equation,
        such as x or weight. Where several tensors have one letter, as in a sum, they are in one tuple.
        """

    def weight(self, weight: Tensor, *axes: str) -> str:
        """The name of a weight of the network. `axes` name its axes."""

    def pixels(self, shape: tuple[int, int, int]) -> str:
        """The name of the picture (C, H, W) that the network reads."""
