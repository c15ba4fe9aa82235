"""Boxes of the map: matrices side by side, none upon another, with cells that are not too long."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.home.layout.boxes import TALLEST_CELL, THINNEST, WIDEST_CELL, Box, fit, flow

SIZES = st.tuples(st.integers(1, 50_000), st.integers(1, 50_000))
SLOTS = st.builds(Box, st.floats(-100, 100), st.floats(-100, 100), st.floats(10, 500), st.floats(10, 500))


def is_within(box: Box, outer: Box) -> bool:
    slack = 1e-6
    return (
        box.x >= outer.x - slack
        and box.y >= outer.y - slack
        and box.x + box.w <= outer.x + outer.w + slack
        and box.y + box.h <= outer.y + outer.h + slack
    )


@given(SLOTS, SIZES)
def test_a_matrix_lies_in_its_slot_and_its_cells_are_no_lines(slot: Box, size: tuple[int, int]) -> None:
    box = fit(slot, size)
    assert is_within(box, slot)
    assert box.w > 0
    assert box.h > 0
    shape = (box.w / size[1]) / (box.h / size[0])
    is_thin = min(box.w, box.h) <= THINNEST * max(slot.w, slot.h) * 1.001
    assert is_thin or 1 / TALLEST_CELL - 1e-6 <= shape <= WIDEST_CELL + 1e-6


@given(SLOTS, st.lists(SIZES, max_size=14))
def test_many_matrices_lie_in_their_box_and_not_upon_each_other(box: Box, sizes: list[tuple[int, int]]) -> None:
    placed = flow(box, sizes)
    assert len(placed) == len(sizes)
    assert all(is_within(each, box) for each in placed)
    for one, other in combinations(placed, 2):
        apart = (
            one.x + one.w <= other.x + 1e-6
            or other.x + other.w <= one.x + 1e-6
            or one.y + one.h <= other.y + 1e-6
            or other.y + other.h <= one.y + 1e-6
        )
        assert apart


def test_wide_matrices_lie_below_each_other_and_high_ones_side_by_side() -> None:
    wide = flow(Box(0, 0, 100, 100), [(10, 1000)] * 4)
    assert len({box.x for box in wide}) == 1
    high = flow(Box(0, 0, 100, 100), [(1000, 10)] * 4)
    assert len({box.y for box in high}) == 1


def test_a_grid_fills_its_box() -> None:
    cells = Box(10, 20, 100, 50).grid(2, 2, gap=10)
    assert [(cell.x, cell.y) for cell in cells] == [(10, 20), (65, 20), (10, 50), (65, 50)]
    assert (cells[0].w, cells[0].h) == pytest.approx((45, 20))
