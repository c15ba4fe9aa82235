"""The chosen cell of a matrix for print: a frame around it, and the colours of its query and its key.

The pictures on a page mark it alike: `frameCells` of assets/components/attention/matrix.js.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from viz.shared.style import COLOURS, Theme

FRAME_POINTS = 1.6
Cell = tuple[int, int]  # row and column; below 0: none is chosen


def frame_cells(axes: Axes, cell: Cell, colour: str, *, tall: int = 1, wide: int = 1) -> None:
    """A frame around the cells from (row, column) on, in axes whose cells are squares of 1."""
    row, column = cell
    frame = Rectangle((column, row), wide, tall, fill=False, edgecolor=colour, linewidth=FRAME_POINTS, clip_on=False)
    axes.add_patch(frame).set_zorder(3)


def mark_labels(axis: Any, place: int, role: str, theme: Theme) -> None:
    """The label of the chosen row or column in the colour of its role. A long axis has not all labels."""
    for tick in axis.get_major_ticks():
        if tick.get_loc() == place + 0.5:
            for text in (tick.label1, tick.label2):
                text.set_color(COLOURS[theme][role])
