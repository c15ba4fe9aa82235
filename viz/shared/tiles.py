"""Tiles: pictures of at most 256 x 256 cells, cut from a tensor of any number of axes at several levels.

Level 0 has every number as it is, in float32. Each further level has half as many rows and columns, but an axis of at
most 16 cells keeps them: of a short sentence every token stays visible. The last level is a thumbnail of at most 16 x
16 cells. A reduced level has codes of a colour scale instead of numbers. A cell of it stands for a block of the level
before, of two cells along each axis that is halved, and shows **the value of largest magnitude of its block**, with its
sign. So one strong cell stays visible from afar, where a mean would fade it. Of two equal magnitudes the positive value
is shown. A block with a masked cell (minus infinity) and a number shows the number, so that what a query may look at
stays visible. A block with a NaN shows the NaN.

The last two axes of a tensor are rows and columns. The axes before them, such as the heads, choose the matrix: its
number counts through them with the last one fastest. A vector is a matrix of one row, and a number one of one cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.arrays import Array
from viz.shared.payload import Codes

TILE_CELLS = 256  # rows, and columns, of a tile at most
THUMBNAIL_CELLS = 16  # rows, and columns, of the last level at most
LAST_CODE = 252  # codes 0..252 are places on the scale; an even number, so that the middle is a code of its own
MASKED_CODE = 254  # minus infinity
NAN_CODE = 255
SAMPLED_CELLS = 2**18  # of a larger tensor, so many cells say where the scale ends
SCALED_SHARE = 0.995  # of the cells lie on a diverging scale; the others have the colours of its ends
FIRST, SECOND = "a|", "b|"  # before a name in the difference of two runs: that tensor of one of them
BAND_CELLS = 2**18  # reduced at once: they stay in the processor's cache


class NoTile(LookupError):
    """A tile, or a tensor, that there is not."""


@dataclass(frozen=True)
class Scale:
    """A colour scale with its ends: `SEQUENTIAL` or `SIGNED` of `viz.shared.style`. The ends are finite."""

    kind: Literal["sequential", "diverging"]
    low: float
    high: float


SHARES = Scale("sequential", 0.0, 1.0)  # attention weights


def diverging_scale(values: Array) -> Scale:
    """The scale of signed values, any shape, centred on 0.

    It ends at the 99.5th percentile of the magnitudes, so that one outlier does not make all others pale. Of a tensor
    with more than `SAMPLED_CELLS` cells, cells at even distances stand for all. Where that percentile is 0, the scale
    ends at the largest magnitude, and at 1 where all are 0.
    """
    sizes = np.abs(_sample(values))
    sizes = sizes[np.isfinite(sizes)]
    reach = _share_of(sizes, SCALED_SHARE) if sizes.size else 0.0
    if not reach:
        finite = np.isfinite(values)
        reach = max(float(values.max(where=finite, initial=0.0)), -float(values.min(where=finite, initial=0.0)))
    return Scale("diverging", -(reach or 1.0), reach or 1.0)


def _share_of(sizes: Array, share: float) -> float:
    """The quantile of `sizes` at `share`, as by `np.quantile`, whose first call would take 30 ms."""
    place = (len(sizes) - 1) * share
    below = min(int(place), max(len(sizes) - 2, 0))
    ends = np.partition(sizes, (below, min(below + 1, len(sizes) - 1)))[below : below + 2]
    return float(np.float32(ends[0] + (ends[-1] - ends[0]) * (place - below)))


def _sample(values: Array) -> Array:
    """All values of a small tensor, or values at even distances, from every column."""
    if values.size <= SAMPLED_CELLS:
        return values.ravel()
    step = math.ceil(values.size / SAMPLED_CELLS)
    while math.gcd(step, values.shape[-1]) > 1:  # such a step would leave out columns
        step += 1
    return values[np.unravel_index(np.arange(0, values.size, step), values.shape)]


def matrix_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """The rows and columns of each matrix of a tensor."""
    rows, columns = (1, 1, *shape)[-2:]
    return rows, columns


def matrix_place(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The index of a matrix of a tensor, by its number. Raises `NoTile` for a number that there is not."""
    leading = shape[:-2]
    if not 0 <= number < math.prod(leading):
        raise NoTile(f"A tensor of shape {shape} has no matrix {number}.")
    return tuple(int(place) for place in np.unravel_index(number, leading))


def level_count(shape: tuple[int, ...]) -> int:
    """How many levels a tensor has: 1 for one whose matrices are thumbnails as they are."""
    rows, columns = matrix_shape(shape)
    longest = max(rows, columns) if rows and columns else 1
    return 1 + (math.ceil(longest / THUMBNAIL_CELLS) - 1).bit_length()


def count_halvings(cells: int, level: int) -> int:
    """How often an axis of `cells` cells is halved at a level: never with `THUMBNAIL_CELLS` or fewer."""
    return min(level, (-(-cells // THUMBNAIL_CELLS) - 1).bit_length()) if cells else 0


def window(shape: tuple[int, ...], level: int, row: int, column: int) -> tuple[slice, slice]:
    """The rows and columns of a tile in the matrix of its level. The last tiles may be smaller.

    Raises `NoTile` for a level or a tile that there is not.
    """
    if not 0 <= level < level_count(shape):
        raise NoTile(f"A tensor of shape {shape} has no level {level}.")
    sides = []
    for place, cells in zip((row, column), matrix_shape(shape), strict=True):
        reduced = -(-cells >> count_halvings(cells, level))  # halved and rounded up
        if not 0 <= place * TILE_CELLS < reduced:
            raise NoTile(f"Level {level} of a tensor of shape {shape} has no tile ({row}, {column}).")
        sides.append(slice(place * TILE_CELLS, min((place + 1) * TILE_CELLS, reduced)))
    return sides[0], sides[1]


def reduced_levels(matrices: Array, scale: Scale, first: int = 1) -> tuple[Codes, ...]:
    """The levels `first`, `first` + 1, ... of matrices (..., rows, columns) as codes of the scale.

    () if they are thumbnails as they are. From level 1 on they take a third as many bytes as the matrices have cells.
    """
    levels, shape, before = [], matrices.shape[-2:], 0
    for level in range(first, level_count(shape)):
        rows, columns = (count_halvings(cells, level) - count_halvings(cells, before) for cells in shape)
        matrices, before = reduce_blocks(matrices, rows, columns), level
        levels.append(scale_codes(matrices, scale))
    return tuple(levels)


def reduce_blocks(matrices: Array, rows: int = 1, columns: int = 1) -> Array:
    """(..., rows, columns) with the rows halved so often, and the columns: the largest magnitude of each block.

    To halve twice at once gives the same cells as to halve twice, and reads a large matrix once.
    """
    if matrices.strides[-2] < matrices.strides[-1]:  # stored column after column
        return reduce_blocks(matrices.swapaxes(-2, -1), columns, rows).swapaxes(-2, -1)
    if matrices.size <= BAND_CELLS or not rows:
        return _reduce_band(matrices, rows, columns)
    if matrices.ndim > 2:
        return np.stack([reduce_blocks(matrix, rows, columns) for matrix in matrices])
    high, wide = (-(-cells >> times) for cells, times in zip(matrices.shape, (rows, columns), strict=True))
    band = max(1, BAND_CELLS // matrices.shape[1] >> rows)  # reduced rows of a band
    reduced = np.empty((high, wide), matrices.dtype)
    for start in range(0, high, band):
        part = matrices[start << rows : (start + band) << rows]
        reduced[start : start + band] = _reduce_band(part, rows, columns)
    return reduced


def _reduce_band(band: Array, rows: int, columns: int) -> Array:
    """As `reduce_blocks`: of the highest and the lowest value of each block, the one of larger magnitude."""
    high = low = band
    masked = band == -np.inf
    if masked.any():  # a masked cell is never the lowest
        low = np.where(masked, np.inf, band).astype(band.dtype, copy=False)
    for axis, times in ((-2, rows), (-1, columns)):
        for _ in range(times):
            high, low = _choose_of_pairs(np.maximum, high, axis), _choose_of_pairs(np.minimum, low, axis)
    return np.where(high >= -low, high, low)  # both are NaN where one value is


def _choose_of_pairs(choose: np.ufunc, values: Array, axis: int) -> Array:
    """One value of each two neighbours along the axis, -2 or -1. The last value of an odd number stays."""
    even = values.shape[axis] // 2 * 2
    if axis == -2:
        chosen, last = choose(values[..., :even:2, :], values[..., 1::2, :]), values[..., even:, :]
    else:
        chosen, last = choose(values[..., :even:2], values[..., 1::2]), values[..., even:]
    return np.concatenate([chosen, last], axis) if last.size else chosen


def scale_codes(values: Array, scale: Scale) -> Codes:
    """Values, any shape, as places 0..252 between the ends of the scale. Values beyond an end have the end's code."""
    flat = values.reshape(-1)
    codes = np.empty(flat.shape, np.uint8)
    for start in range(0, len(flat), BAND_CELLS):
        codes[start : start + BAND_CELLS] = _codes_of_band(flat[start : start + BAND_CELLS], scale)
    return codes.reshape(values.shape)


def _codes_of_band(values: Array, scale: Scale) -> Array:
    middle = (scale.low + scale.high) / 2
    places = np.clip(values, np.float32(scale.low), np.float32(scale.high))
    places = np.subtract(places, np.float32(middle), dtype=np.float32)
    places /= np.float32(scale.high - middle)  # -1..1; high - low would be too large for float32 on the widest scale
    places += 1
    places *= LAST_CODE / 2
    np.rint(places, out=places)
    places[values == -np.inf] = MASKED_CODE
    places[np.isnan(values)] = NAN_CODE
    return places
