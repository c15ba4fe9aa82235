"""From which scale on a matrix is drawn, and each of its levels: the table that browser, saved page and print ask.

A scale is the pixels of a world unit. The table stands in the layout: `levels` of a matrix has the least scale of each
level that is drawn, the finest first. Below the last one the matrix is not drawn, nor from `until` on. `levelAt` of
assets/components/home/model_map/levels.js reads it as `level_at` does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from viz.shared.tiles import count_halvings, level_count

LEAST_CELL_PX = 0.2  # of the shorter side of a cell that is drawn


def list_scales(shape: Sequence[int], cell: tuple[float, float], least: float, until: float) -> dict[str, Any]:
    """The entries of the table for a matrix that is drawn from the scale `least` on and below `until`.

    `shape` has its rows and columns, `cell` the width and the height of a cell in world units. At the least scale of a
    level, its cells are about as large as pixels.
    """
    rows, columns = shape
    scales = []
    for level in range(level_count((rows, columns)) - 1):
        wide = cell[0] * 2 ** count_halvings(columns, level)
        high = cell[1] * 2 ** count_halvings(rows, level)
        scales.append(max((wide * high) ** -0.5, LEAST_CELL_PX / min(wide, high)))
    levels = [_round(scale) for scale in (*(each for each in scales if each > least), least)]
    return {"levels": levels} | ({"until": _round(until)} if math.isfinite(until) else {})


def _round(scale: float) -> float:
    """For JSON: four digits are enough for pixels."""
    return float(f"{scale:.4g}")


def level_at(matrix: Mapping[str, Any], scale: float) -> int | None:
    """The level at which a matrix of a layout is drawn; None where it is not drawn."""
    if scale >= matrix.get("until", math.inf):
        return None
    return next((level for level, least in enumerate(matrix["levels"]) if scale >= least), None)
