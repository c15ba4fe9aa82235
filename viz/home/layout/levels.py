"""From which scale on a matrix is drawn, and each of its levels: the table that browser, saved page and print ask.

A scale is the pixels of a world unit. The table stands in the layout: `levels` of a matrix has the least scale of each
level that is drawn, the finest first. Below the last one the matrix is not drawn, nor from `until` on. `levelAt` of
assets/components/home/model_map/levels.js reads it as `level_at` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from viz.shared.tiles import count_halvings, level_count

LEAST_CELL_PX = 0.2  # of the shorter side of a cell that is drawn


def level_scales(shape: tuple[int, int], cell: tuple[float, float], least: float = 0.0) -> list[float]:
    """The least scale of each level of a matrix, at which its cells are about as large as pixels.

    `shape` has its rows and columns, `cell` the height and the width of a cell in world units. The matrix is drawn from
    the scale `least` on, so levels for smaller scales are left out.
    """
    scales = []
    for level in range(level_count(shape) - 1):
        high, wide = (side * 2 ** count_halvings(cells, level) for side, cells in zip(cell, shape, strict=True))
        scales.append(max((high * wide) ** -0.5, LEAST_CELL_PX / min(high, wide)))
    return [round_scale(scale) for scale in (*(scale for scale in scales if scale > least), least)]


def round_scale(scale: float) -> float:
    """For JSON: four digits are enough for pixels."""
    return float(f"{scale:.4g}")


def level_at(matrix: Mapping[str, Any], scale: float) -> int | None:
    """The level at which a matrix of a layout is drawn; None where it is not drawn."""
    if scale >= matrix.get("until", float("inf")):
        return None
    return next((level for level, least in enumerate(matrix["levels"]) if scale >= least), None)
