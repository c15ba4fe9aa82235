"""The colour scales and reduced levels of tensors: made once, and kept within bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from model.arrays import Array
from model.shared_cache import SharedCache
from viz.shared.payload import Codes
from viz.shared.tiles import Scale, diverging_scale, matrix_shape, reduced_levels

MAX_SCALES = 4096
SCALE_BYTES = 200  # of a scale with its key, about
LARGE_CELLS = 2**21  # of a tensor whose coarse levels are made without the finer ones
COARSE_LEVEL = 3  # the first of them: the levels before it have 63 of 64 cells


@dataclass(frozen=True)
class Reduced:
    """The levels from `first` on, each as (matrices, rows, columns)."""

    first: int
    levels: tuple[Codes, ...]

    @property
    def nbytes(self) -> int:
        return sum(codes.nbytes for codes in self.levels)


class Pictures:
    """Of the tensors of one run, or of weights. Many threads can share it. The names are keys that the caller chose."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` bounds the reduced levels. Larger ones are made each time."""
        self._scales: SharedCache[Scale] = SharedCache(MAX_SCALES, lambda _: 1)
        self._reduced: SharedCache[Reduced] = SharedCache(max_bytes, lambda reduced: reduced.nbytes)

    def scale(self, name: Hashable, read: Callable[[], Array]) -> Scale:
        """The diverging scale of a tensor. `read` gives its values."""
        return self._scales.get(name, lambda: diverging_scale(read()))

    def reduced(
        self, name: Hashable, shape: tuple[int, ...], level: int, scale: Scale, read: Callable[[], Array]
    ) -> Codes:
        """A level, 1 or more, of all matrices of a tensor: (matrices, rows, columns).

        `read` gives its values, which may be costly to make. All its levels are made together. But of a large tensor,
        which a picture of the whole model shows from afar, the coarse ones are made first.
        """
        first = COARSE_LEVEL if level >= COARSE_LEVEL and math.prod(shape) > LARGE_CELLS else 1

        def make() -> Reduced:
            matrices = read().reshape(-1, *matrix_shape(shape))
            return Reduced(first, reduced_levels(matrices, scale, first))

        return self._reduced.get((name, first), make).levels[level - first]

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept."""
        return self._reduced.nbytes + self._scales.nbytes * SCALE_BYTES
