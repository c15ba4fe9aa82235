"""One run whose tensors and weights are read as tiles."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

from model import names
from model.arrays import Array
from model.device import PLAIN
from model.errors import ModelMismatch
from model.graph.nodes import PIXELS, WEIGHT, Node
from model.graph.recording import Recording
from model.tape import Origin, Trace
from views.map.tiles.pictures import Pictures
from views.map.tiles.why import ExplainedNumber, describe_number, explain_number
from viz.shared.tiles import SHARES, NoTile, Scale, level_count, matrix_place, matrix_shape, window

FIRST_TENSORS = (
    "*.weights",
    "*.ffn.activated",
    "*.ffn.gates",
)  # of the whole model's picture, besides the residual stream
RUN_PICTURE_BYTES = 45_000_000  # those of all tensors of 256 tokens of SmolLM2
WEIGHT_PICTURE_BYTES = 64_000_000  # all of SmolLM2's are 45 MB

# Models with muted heads share their weights, so the pictures belong to the weights and not to the networks.
_WEIGHT_PICTURES = Pictures(WEIGHT_PICTURE_BYTES)
_WEIGHT_NUMBERS: WeakIdKeyDictionary = WeakIdKeyDictionary()
_NEXT_NUMBER = count()


@dataclass(frozen=True)
class Tile:
    """Some cells of one level: numbers in float32 at level 0, else codes of the scale (`viz.shared.tiles`)."""

    cells: Array  # (rows, columns)
    scale: Scale


class TiledRun:
    """A run of a transformer. Its weights are read from the model and never copied as a whole."""

    def __init__(self, trace: Trace, take_turn: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """The trace must know its origin. `take_turn` waits for a turn at the processor, since a tensor on demand runs
        a layer. Raises `ModelMismatch` for a trace of no transformer, and for one that does not know its model.
        """
        if trace.origin is None:
            raise ModelMismatch("This trace does not say which model it comes from. Make it with Model.trace.")
        self._run, self._trace, self._origin = Recording.of(trace), trace, trace.origin
        self._first = trace.keeping(FIRST_TENSORS) if trace.is_lazy else trace  # together those of a layer fit
        self._take_turn, self._pictures = take_turn, Pictures(RUN_PICTURE_BYTES)
        self.weight_bytes = _count_weights(self._origin)

    @property
    def nbytes(self) -> int:
        """Bytes in memory now, without the weights."""
        return self._trace.nbytes + self._pictures.nbytes

    def __contains__(self, name: str) -> bool:
        if name not in self._run.graph:
            return False
        operation = self._run.graph[name].operation
        return operation == WEIGHT or name in self._trace or (operation == PIXELS and self._origin.pixels is not None)

    def describe(self) -> dict[str, Any]:
        """What the run has, for JSON: `kinds` by name, and `tensors` and `weights` as [name, kind, shape, levels].

        A kind has the `axes`, the `symbol` and the `meaning` of `model.names`, and the `scale`. A diverging scale has
        the same end on both sides. It comes with each tile, since a tensor must be made before its scale is known.
        """
        kinds: dict[str, dict[str, Any]] = {}
        lists: dict[str, list[list[Any]]] = {"tensors": [], "weights": []}
        for name, node in self._run.graph.nodes.items():
            if name in self:
                pattern, kind = self._kind(node)
                shape = self.shape(name)
                kinds.setdefault(pattern, kind)
                where = "weights" if node.operation == WEIGHT else "tensors"
                lists[where].append([name, pattern, list(shape), level_count(shape)])
        return {"kinds": kinds, **lists}

    def _kind(self, node: Node) -> tuple[str, dict[str, Any]]:
        """The key and the facts of all tensors that mean the same."""
        scale: dict[str, Any] = asdict(SHARES) if _is_share(node) else {"kind": "diverging"}
        if node.operation in (WEIGHT, PIXELS):
            meaning = "a weight: training made it" if node.operation == WEIGHT else "the prepared picture"
            key = f"{node.operation} ({', '.join(node.axes)})"
            return key, {"axes": node.axes, "symbol": "", "meaning": meaning, "scale": scale}
        kind = names.describe(node.name, self._run.config.gated)
        return kind.pattern, {"axes": kind.axes, "symbol": kind.symbol, "meaning": kind.meaning, "scale": scale}

    def tile(self, name: str, matrix: int, level: int, row: int, column: int) -> Tile:
        """A tile of the matrix with that number, of a tensor or weight. Raises `NoTile` for one that there is not."""
        if name not in self:
            raise NoTile(f"This run has no {name}.")
        shape = self.shape(name)
        place, cells = matrix_place(shape, matrix), window(shape, level, row, column)
        node = self._run.graph[name]
        pictures, key = self._pictures_of(node)
        scale = SHARES if _is_share(node) else pictures.scale(key, lambda: _as_array(self._read(node)))
        if level == 0:
            matrix_values = self._read(node)[place].reshape(matrix_shape(shape))
            return Tile(_as_array(matrix_values[cells]), scale)
        reduced = pictures.reduced(key, shape, level, scale, lambda: _as_array(self._read(node)))
        return Tile(reduced[matrix][cells], scale)

    def why(self, name: str, index: tuple[int, ...]) -> dict[str, Any]:
        """Where one number comes from (`views.map.tiles.why`). Raises `NoTile` for one that there is not."""
        return describe_number(self.explain(name, index))

    def explain(self, name: str, index: tuple[int, ...]) -> ExplainedNumber:
        """One number with its terms and its uses. Raises `NoTile` for one that there is not."""
        if name not in self:
            raise NoTile(f"This run has no {name}.")
        with self._take_turn():
            return explain_number(self._trace, name, index, self._run.config.gated)

    def values(self, name: str) -> NDArray[np.float32]:
        """The whole tensor or weight. Raises `NoTile` for one that there is not."""
        if name not in self:
            raise NoTile(f"This run has no {name}.")
        return _as_array(self._read(self._run.graph[name]))

    def is_weight(self, name: str) -> bool:
        """Whether training made it."""
        return self._run.graph[name].operation == WEIGHT

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Those of all tensors and weights that the run has."""
        return {name: self.shape(name) for name in self._run.graph.nodes if name in self}

    def shape(self, name: str) -> tuple[int, ...]:
        """That of a tensor or weight that the run has."""
        shape = self._run.shape(name)
        assert shape is not None, "a run knows every shape"
        return shape

    def _read(self, node: Node) -> Tensor:
        """The whole tensor where it is. Nothing is copied."""
        if node.operation == WEIGHT:
            return self._origin.network.get_parameter(node.name).detach()
        if node.operation == PIXELS:
            assert self._origin.pixels is not None, "the name would not be in this run"
            return self._origin.pixels
        with self._take_turn():
            return (self._first if node.name in self._first else self._trace)[node.name]

    def _pictures_of(self, node: Node) -> tuple[Pictures, Any]:
        """Where the pictures of a tensor are kept, and under which key."""
        if node.operation != WEIGHT:
            return self._pictures, node.name
        parameter = self._origin.network.get_parameter(node.name)
        return _WEIGHT_PICTURES, _WEIGHT_NUMBERS.setdefault(parameter, next(_NEXT_NUMBER))


def _is_share(node: Node) -> bool:
    """Whether the numbers are shares of a whole, 0 to 1."""
    return node.operation == "softmax"


def _as_array(tensor: Tensor) -> NDArray[np.float32]:
    """The numbers on the CPU in float32; the same memory where they are that already."""
    with torch.inference_mode():
        return PLAIN.take(tensor).numpy()


def _count_weights(origin: Origin) -> dict[int, int]:
    """The bytes of each weight by its identity while it lives. Networks with edits share weights with the whole one."""
    return {id(weight): weight.nbytes for weight in origin.network.parameters()}
