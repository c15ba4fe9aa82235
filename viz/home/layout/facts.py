"""What the layout of the map knows of a model: its sizes, and the shape and the meaning of each tensor and weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from viz.shared.tiles import matrix_shape


@dataclass(frozen=True)
class TensorFacts:
    """One tensor or weight. `axes` are those of `model.names`, one for each number of `shape`.

    `is_weight`: training made it. `is_share`: its numbers are shares of a whole, 0 to 1.
    """

    name: str
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    symbol: str = ""
    meaning: str = ""
    is_weight: bool = False
    is_share: bool = False

    @cached_property
    def matrix(self) -> tuple[int, int]:
        """Rows and columns of each of its matrices. A vector has one row."""
        return matrix_shape(self.shape)


@dataclass(frozen=True)
class ModelFacts:
    """One model and the lengths of its texts. `tensors` has the weights too, in the order of the computation.

    `layers` are the numbers of layers of its stacks, in the order in which they run.
    """

    layers: Mapping[str, int]
    n_heads: int
    kv_heads: int
    head_width: int
    tensors: Mapping[str, TensorFacts]
    source_tokens: Sequence[str]
    target_tokens: Sequence[str] = ()  # of the decoder, where there are two stacks

    @property
    def has_two_stacks(self) -> bool:
        return len(self.layers) == 2

    def kv_head_of(self, head: int) -> int:
        """The key and value head that a query head reads."""
        return head // (self.n_heads // self.kv_heads)

    def weights_of(self, stack: str, layer: int) -> str:
        """How the names of the weights of a layer begin: those of the first one, where all layers share its weights."""
        own = f"{stack}.blocks.{layer}."
        return own if any(name.startswith(own) for name in self.tensors) else f"{stack}.blocks.0."

    def of_layer(self, stack: str, layer: int = 0) -> dict[str, TensorFacts]:
        """The tensors and weights of a layer. The keys have no layer: "self_attn.q", "self_attn.query.weight"."""
        prefixes = (f"{stack}.{layer}.", self.weights_of(stack, layer))
        return {
            name.removeprefix(prefix): facts
            for name, facts in self.tensors.items()
            for prefix in prefixes
            if name.startswith(prefix)
        }
