"""The files of the same view of two models: one picture of both for print, one table of both, the arrays of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from views.parts import Files
from viz.shared.one_scale import put_on_one_scale
from viz.shared.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEY = "beside"
SIDES = "first", "second"  # of the names of arrays


def files_of_both(first: Files, second: Files, titles: tuple[str, str]) -> Files:
    """The files of two sides, whose models have these titles. A figure of a page of its own shows no two."""
    sides = (first, second)
    rows, arrays = [each.rows for each in sides], [each.arrays for each in sides]
    others = {
        f"{label} of {title}": make
        for each, title in zip(sides, titles, strict=True)
        for label, make in each.others.items()
    }
    return Files(
        f"{first.name}-{KEY}",
        partial(_draw, sides, titles) if all(each.print is not None for each in sides) else None,
        rows=partial(_join_rows, rows, titles) if all(rows) else None,
        arrays=partial(_join_arrays, arrays) if all(arrays) else None,
        others=others,
        focus=(*first.focus, *(f"{each} {KEY}" for each in second.focus)),
    )


def _draw(sides: tuple[Files, Files], titles: tuple[str, str], theme: Theme = "light") -> Figure:
    from viz.print import from_plotly  # It imports Matplotlib, which takes half a second.
    from viz.print.side_by_side import put_side_by_side

    drawn = [each.print(theme=theme) for each in sides if each.print is not None]
    if all(isinstance(each, go.Figure) for each in drawn):
        put_on_one_scale(drawn[0], drawn[1])
        put_on_one_scale(drawn[1], drawn[0])
    pictures = [from_plotly.to_matplotlib(each) if isinstance(each, go.Figure) else each for each in drawn]
    return put_side_by_side(pictures, titles, theme)


def _join_rows(sides: Sequence[Any], titles: tuple[str, str]) -> list[Mapping[str, Any]]:
    return [{"model": title, **row} for rows, title in zip(sides, titles, strict=True) for row in rows()]


def _join_arrays(sides: Sequence[Callable[[], Mapping[str, Any]] | None]) -> dict[str, Any]:
    return {
        f"{side}_{name}": values
        for make, side in zip(sides, SIDES, strict=True)
        if make is not None
        for name, values in make().items()
    }
