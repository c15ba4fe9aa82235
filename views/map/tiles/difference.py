"""The difference of two runs as tiles: each number of the first one minus the same number of the second one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelMismatch
from views.map.tiles.pictures import Pictures
from views.map.tiles.run import RUN_PICTURE_BYTES, Tile, TiledRun
from views.map.tiles.why import describe_difference
from viz.shared.tiles import (
    FIRST,
    LAST_CODE,
    SECOND,
    NoTile,
    Scale,
    matrix_place,
    matrix_shape,
    window,
)

SAME = Scale("diverging", -1.0, 1.0)  # of a weight that both runs share


class DifferenceRun:
    """Two runs of texts with as many tokens, by networks of one shape. It is read as a `TiledRun` is.

    A name that begins with `FIRST` or `SECOND` is that of a tensor of one of both runs.
    """

    def __init__(self, first: TiledRun, second: TiledRun) -> None:
        """Raises `ModelMismatch` where the two runs differ in their tensors or in the shapes of these."""
        if first.shapes() != second.shapes():
            raise ModelMismatch("These runs have tensors of different shapes. Compare texts with as many tokens.")
        self._first, self._second, self._pictures = first, second, Pictures(RUN_PICTURE_BYTES)
        self.weight_bytes = first.weight_bytes | second.weight_bytes

    @property
    def nbytes(self) -> int:
        """Bytes in memory now, without the weights. Both runs stay as long as their difference."""
        return self._first.nbytes + self._second.nbytes + self._pictures.nbytes

    def __contains__(self, name: str) -> bool:
        return name in self._first

    def describe(self) -> dict[str, Any]:
        """What both runs have, as `TiledRun.describe`."""
        return self._first.describe()

    def shape(self, name: str) -> tuple[int, ...]:
        """That of a tensor or weight that both runs have."""
        return self._first.shape(name)

    def values(self, name: str) -> NDArray[np.float32]:
        """A whole tensor of the first run minus that of the second one. What both hide stays minus infinity."""
        first, second = self._first.values(name), self._second.values(name)
        with np.errstate(invalid="ignore"):  # minus infinity in both, which is written below
            change = first - second
        change[np.isneginf(first) & np.isneginf(second)] = -np.inf
        return change

    def tile(self, name: str, matrix: int, level: int, row: int, column: int) -> Tile:
        """A tile of the differences, or of one run (`FIRST`, `SECOND`). Raises `NoTile` for one that there is not."""
        for prefix, run in ((FIRST, self._first), (SECOND, self._second)):
            if name.startswith(prefix):
                return run.tile(name.removeprefix(prefix), matrix, level, row, column)
        if name not in self:
            raise NoTile(f"These runs have no {name}.")
        shape = self.shape(name)
        place, cells = matrix_place(shape, matrix), window(shape, level, row, column)
        if self._first.is_weight(name) and self._is_shared(name):
            size = [side.stop - side.start for side in cells]
            return Tile(np.zeros(size, np.float32) if level == 0 else np.full(size, LAST_CODE // 2, np.uint8), SAME)
        scale = self._pictures.scale(name, lambda: self.values(name))
        if level == 0:
            return Tile(self.values(name)[place].reshape(matrix_shape(shape))[cells], scale)
        reduced = self._pictures.reduced(name, shape, level, scale, lambda: self.values(name))
        return Tile(reduced[matrix][cells], scale)

    def _is_shared(self, name: str) -> bool:
        """Whether both networks have a weight in one place of memory, as a model and its edited form have."""
        return bool(np.may_share_memory(self._first.values(name), self._second.values(name)))

    def why(self, name: str, index: tuple[int, ...]) -> dict[str, Any]:
        """Which terms make a number differ between both runs.

        With `FIRST` or `SECOND` before its name: what makes it in that run.

        Raises `NoTile` for a number that the runs do not have.
        """
        for prefix, run in ((FIRST, self._first), (SECOND, self._second)):
            if name.startswith(prefix):
                return run.why(name.removeprefix(prefix), index)
        return describe_difference(self._first.explain(name, index), self._second.explain(name, index))


AnyRun = TiledRun | DifferenceRun
