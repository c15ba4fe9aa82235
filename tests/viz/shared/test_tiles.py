"""Tiles: the full level is the matrix, and a reduced level shows the strongest value of each block."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from viz.shared.tiles import (
    LAST_CODE,
    MASKED_CODE,
    NAN_CODE,
    SAMPLED_CELLS,
    SHARES,
    THUMBNAIL_CELLS,
    TILE_CELLS,
    NoTile,
    Scale,
    count_halvings,
    diverging_scale,
    level_count,
    matrix_place,
    matrix_shape,
    reduce_blocks,
    reduced_levels,
    scale_codes,
    window,
)

MIDDLE_CODE = LAST_CODE // 2
SIDES = st.one_of(st.integers(1, 1200), st.sampled_from([1, 255, 256, 257, 511, 512, 513, 1024, 1025]))
SHAPES = st.one_of(
    st.tuples(SIDES),
    st.tuples(SIDES, SIDES),
    st.tuples(st.integers(1, 4), SIDES, SIDES),
    st.tuples(st.integers(1, 3), st.integers(1, 3), SIDES, SIDES),
)
NUMBERS = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.floats(width=32, allow_nan=True)
)


def strongest(block: NDArray[np.float32]) -> float:
    """The rule in plain words, one number after another."""

    def strength(value: float) -> tuple[float, float]:
        if math.isnan(value):
            return math.inf, 1.0
        return (-1.0, 0.0) if value == -math.inf else (abs(value), value)

    values = [float(value) for value in block.ravel()]
    return next((value for value in values if math.isnan(value)), max(values, key=strength))


def blocks(matrix: NDArray[np.float32], high: int, wide: int) -> NDArray[np.float32]:
    """The strongest value of each block of high x wide."""
    rows, columns = range(0, matrix.shape[0], high), range(0, matrix.shape[1], wide)
    return np.array([[strongest(matrix[r : r + high, c : c + wide]) for c in columns] for r in rows], np.float32)


def halve(cells: int, level: int) -> int:
    """How long an axis is at a level, one halving after another."""
    for _ in range(level):
        cells = math.ceil(cells / 2) if cells > THUMBNAIL_CELLS else cells
    return cells


@given(SHAPES)
def test_the_tiles_of_a_level_cover_each_cell_once(shape: tuple[int, ...]) -> None:
    rows, columns = matrix_shape(shape)
    for level in range(level_count(shape)):
        seen = np.zeros((halve(rows, level), halve(columns, level)), np.uint8)
        high, wide = (math.ceil(length / TILE_CELLS) for length in seen.shape)
        for row in range(high):
            for column in range(wide):
                part = seen[window(shape, level, row, column)]
                assert 0 < part.size <= TILE_CELLS**2
                part += 1
        assert (seen == 1).all()
        for beyond in ((high, 0), (0, wide), (-1, 0), (0, -1)):
            with pytest.raises(NoTile):
                window(shape, level, *beyond)
    assert (high, wide) == (1, 1)  # the last level is one tile
    for beyond_level in (-1, level_count(shape)):
        with pytest.raises(NoTile):
            window(shape, beyond_level, 0, 0)


@given(SHAPES)
def test_levels_are_as_large_as_their_windows(shape: tuple[int, ...]) -> None:
    matrix = np.zeros(matrix_shape(shape), np.float32)
    levels = reduced_levels(matrix, SHARES)
    assert len(levels) == level_count(shape) - 1
    for level, codes in enumerate(levels, start=1):
        last = tuple((length - 1) // TILE_CELLS for length in codes.shape)
        assert tuple(part.stop for part in window(shape, level, *last)) == codes.shape


@given(NUMBERS)
def test_a_reduced_cell_is_the_strongest_of_its_block(matrix: NDArray[np.float32]) -> None:
    np.testing.assert_array_equal(reduce_blocks(matrix), blocks(matrix, 2, 2))
    np.testing.assert_array_equal(reduce_blocks(np.asfortranarray(matrix)), blocks(matrix, 2, 2))
    np.testing.assert_array_equal(reduce_blocks(reduce_blocks(matrix)), blocks(matrix, 4, 4))
    np.testing.assert_array_equal(reduce_blocks(matrix, 2, 1), blocks(matrix, 4, 2))
    np.testing.assert_array_equal(reduce_blocks(np.asfortranarray(matrix), 0, 3), blocks(matrix, 1, 8))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(3000, 300), (300, 3000), (1, 5000), (5000, 1), (1025, 1025)])
def test_a_single_strong_cell_is_seen_at_every_level(shape: tuple[int, int], order: str) -> None:
    """Also in a matrix that is reduced band after band."""
    matrix = np.array(np.random.default_rng(0).uniform(-0.1, 0.1, shape), np.float32, order=order)  # type: ignore[call-overload]
    row, column = shape[0] * 2 // 3, shape[1] * 2 // 3
    matrix[row, column] = -1.0
    for level, codes in enumerate(reduced_levels(matrix, Scale("diverging", -1.0, 1.0)), start=1):
        found = np.argwhere(codes == 0).tolist()
        sides = (count_halvings(cells, level) for cells in shape)
        assert found == [[place >> halvings for place, halvings in zip((row, column), sides, strict=True)]]


@pytest.mark.slow
def test_levels_of_a_large_matrix_are_those_of_its_blocks() -> None:
    matrix = np.random.default_rng(1).normal(size=(700, 530)).astype(np.float32)
    scale = diverging_scale(matrix)
    for level, codes in enumerate(reduced_levels(matrix, scale), start=1):
        high, wide = (2 ** count_halvings(cells, level) for cells in matrix.shape)
        np.testing.assert_array_equal(codes, scale_codes(blocks(matrix, high, wide), scale))


def test_coarse_levels_can_be_made_without_the_finer_ones_and_those_of_many_matrices_together() -> None:
    matrices = np.random.default_rng(2).normal(size=(3, 700, 530)).astype(np.float32)
    matrices[0, :40, :40], matrices[1, 3, 5] = -np.inf, np.nan
    scale = Scale("diverging", -2.0, 2.0)
    for first in (1, 3, 5):
        for number, matrix in enumerate(matrices):
            expected = reduced_levels(matrix, scale)[first - 1 :]
            for codes, own in zip(reduced_levels(matrices, scale, first), expected, strict=True):
                np.testing.assert_array_equal(codes[number], own)


@given(SHAPES)
def test_a_short_axis_keeps_its_cells(shape: tuple[int, ...]) -> None:
    """Every token of a short sentence has a row of its own in each picture."""
    for level, codes in enumerate(reduced_levels(np.zeros(matrix_shape(shape), np.float32), SHARES), start=1):
        assert codes.shape == tuple(halve(cells, level) for cells in matrix_shape(shape))
        for cells, reduced in zip(matrix_shape(shape), codes.shape, strict=True):
            assert (reduced == cells) == (cells <= THUMBNAIL_CELLS)


def test_what_is_masked_gives_way_and_what_is_no_number_does_not() -> None:
    masked, hole, most = -np.inf, np.nan, np.inf
    matrix = np.array([[masked, masked, -3, masked], [masked, masked, -1, masked], [hole, 2, most, -9]], np.float32)
    np.testing.assert_array_equal(reduce_blocks(matrix), np.array([[masked, -3], [hole, most]], np.float32))


def test_a_hole_beside_masked_cells_does_not_bring_them_forth() -> None:
    matrix = np.array([[-np.inf, -3.0, 1.0, 2.0], [-1.0, -2.0, np.nan, 5.0]], np.float32)
    np.testing.assert_array_equal(reduce_blocks(matrix), np.array([[-3.0, np.nan]], np.float32))


def test_codes_are_places_on_the_scale() -> None:
    values = np.array([-4, -2, -1, 0, 1, 2, np.inf, -np.inf, np.nan], np.float32)
    codes = scale_codes(values, Scale("diverging", -2.0, 2.0))
    middle = MIDDLE_CODE
    assert codes.tolist() == [0, 0, middle // 2, middle, middle * 3 // 2, LAST_CODE, LAST_CODE, MASKED_CODE, NAN_CODE]
    assert scale_codes(np.array([0, 0.5, 1], np.float32), SHARES).tolist() == [0, middle, LAST_CODE]


@given(NUMBERS)
def test_every_scale_has_finite_ends_and_every_number_a_place_on_it(values: NDArray[np.float32]) -> None:
    scale = diverging_scale(values)
    assert 0 < scale.high < math.inf
    assert scale.low == -scale.high
    codes = scale_codes(values, scale)
    assert ((codes == MASKED_CODE) == np.isneginf(values)).all()
    assert ((codes == NAN_CODE) == np.isnan(values)).all()
    finite = np.isfinite(values)
    assert (codes[finite & (values > 0)] >= MIDDLE_CODE).all()
    assert (codes[finite & (values < 0)] <= MIDDLE_CODE).all()
    assert (codes[values == 0] == MIDDLE_CODE).all()


def test_one_outlier_does_not_make_all_others_pale() -> None:
    values = np.ones((100, 100), np.float32)
    values[3, 4] = 1e6
    assert diverging_scale(values).high == 1.0


@pytest.mark.parametrize(
    ("values", "high"),
    [
        (np.zeros((3, 3)), 1.0),
        (np.full((3, 3), np.nan), 1.0),
        (np.full((2, 2), -np.inf), 1.0),
        (np.eye(1000)[:1] * -5, 5.0),
        (np.array(7.0), 7.0),
        (np.array([np.inf, 2.0, 2.0]), 2.0),
    ],
)
def test_scales_of_odd_tensors(values: NDArray[np.float64], high: float) -> None:
    assert diverging_scale(values.astype(np.float32)).high == high


@pytest.mark.parametrize("columns", [576, 512, 1])
def test_the_cells_that_stand_for_a_large_tensor_come_from_every_column(columns: int) -> None:
    rows = 3 * SAMPLED_CELLS // columns + 1
    values = np.zeros((rows, columns), np.float32)
    values[:, -1] = 4.0
    expected = np.quantile(np.abs(values), 0.995)
    assert diverging_scale(values).high == (expected or 4.0)


def test_a_matrix_is_chosen_by_its_number() -> None:
    assert [matrix_place((2, 3, 5, 7), number) for number in range(6)] == [
        *((0, 0), (0, 1), (0, 2)),
        *((1, 0), (1, 1), (1, 2)),
    ]
    assert [matrix_shape(shape) for shape in ((), (4,), (4, 5), (9, 4, 5))] == [(1, 1), (1, 4), (4, 5), (4, 5)]
    assert matrix_place((), 0) == matrix_place((4,), 0) == matrix_place((4, 5), 0) == ()
    for shape, number in (((2, 3, 5, 7), 6), ((4, 5), 1), ((4, 5), -1), ((0, 4, 5), 0)):
        with pytest.raises(NoTile):
            matrix_place(shape, number)


@pytest.mark.parametrize("shape", [(0,), (0, 300), (300, 0)])
def test_a_tensor_without_cells_has_no_tile(shape: tuple[int, ...]) -> None:
    assert level_count(shape) == 1
    with pytest.raises(NoTile):
        window(shape, 0, 0, 0)
