"""The colour scales and reduced levels of tensors: made once, and kept within bounds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pages.shared.shared_cache import SharedCache
from viz.shared.payload import Codes
from viz.shared.tiles import Scale, diverging_scale, matrix_shape, reduced_levels

MAX_SCALES = 4096
SCALE_BYTES = 200  # of a scale with its key, about


@dataclass(frozen=True)
class Reduced:
    """The levels 1, 2, ... of each matrix of a tensor, by its number."""

    matrices: tuple[tuple[Codes, ...], ...]
    nbytes: int


class Pictures:
    """Of the tensors of one run, or of weights. Many threads can share it. The names are keys that the caller chose."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` bounds the reduced levels. Larger ones are made each time."""
        self._scales: SharedCache[Scale] = SharedCache(MAX_SCALES, lambda _: 1)
        self._reduced: SharedCache[Reduced] = SharedCache(max_bytes, lambda reduced: reduced.nbytes)

    def scale(self, name: Hashable, read: Callable[[], NDArray[Any]]) -> Scale:
        """The diverging scale of a tensor. `read` gives its values."""
        return self._scales.get(name, lambda: diverging_scale(read()))

    def reduced(self, name: Hashable, scale: Scale, read: Callable[[], NDArray[Any]]) -> Reduced:
        """The reduced levels of all matrices of a tensor. `read` gives its values, which may be costly to make."""

        def make() -> Reduced:
            values = read()
            matrices = values.reshape(-1, *matrix_shape(values.shape))
            levels = tuple(reduced_levels(matrix, scale) for matrix in matrices)
            return Reduced(levels, sum(codes.nbytes for each in levels for codes in each))

        return self._reduced.get(name, make)

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept."""
        return self._reduced.nbytes + self._scales.nbytes * SCALE_BYTES
