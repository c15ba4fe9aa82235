"""Levels of the map: at each scale the finest whose cells are seen, and none where the matrix is not drawn."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from viz.home.layout.levels import LEAST_CELL_PX, level_at, list_scales
from viz.shared.tiles import count_halvings, level_count

SIZES = st.integers(1, 60_000)
LENGTHS = st.floats(1e-4, 100)
CLOSE = 1.001  # scales are rounded


def seen_cell(shape: tuple[int, int], cell: tuple[float, float], level: int, scale: float) -> tuple[float, float]:
    """The shorter side of a cell of a level in pixels, and its area."""
    sides = [side * 2 ** count_halvings(cells, level) * scale for side, cells in zip(cell, shape[::-1], strict=True)]
    return min(sides), sides[0] * sides[1]


@given(st.tuples(SIZES, SIZES), st.tuples(LENGTHS, LENGTHS), st.floats(1e-3, 1e4))
def test_the_level_is_the_finest_whose_cells_are_seen(
    shape: tuple[int, int], cell: tuple[float, float], scale: float
) -> None:
    level = level_at(list_scales(shape, cell, 0.0, math.inf), scale)
    assert level is not None
    last = level_count(shape) - 1
    short, area = seen_cell(shape, cell, level, scale * CLOSE)
    assert level == last or (short >= LEAST_CELL_PX and area >= 1)
    if level:
        short, area = seen_cell(shape, cell, level - 1, scale / CLOSE)
        assert short < LEAST_CELL_PX or area < 1


def test_a_matrix_of_some_scales_has_no_level_at_others() -> None:
    matrix = list_scales((3, 1024), (1.0, 1.0), 0.3, 4.0)
    assert matrix == {"levels": [1.0, 0.7071, 0.5, 0.3536, 0.3], "until": 4.0}
    assert [level_at(matrix, scale) for scale in (0.29, 0.3, 0.5, 3.99, 4.0)] == [None, 4, 2, 0, None]
    assert list_scales((3, 16), (1.0, 1.0), 0.0, math.inf) == {"levels": [0.0]}
