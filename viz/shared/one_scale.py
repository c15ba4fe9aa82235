"""Two figures of the same kind on one scale: axes of measured numbers and colours of cells reach as far in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go

MARGIN = 0.04  # of the range, beyond the farthest number


def put_on_one_scale(figure: go.Figure, other: go.Figure) -> go.Figure:
    """The figure, whose scales have room for the numbers of the other one, too."""
    for axis in {*_measured(figure)} & {*_measured(other)}:
        layout = figure.layout[axis]
        if layout.type != "log" and layout.range is None:
            layout.range = _range(_measured(figure)[axis] + _measured(other)[axis])
        elif layout.range is not None and other.layout[axis].range is not None:
            ranges = [*layout.range, *other.layout[axis].range]
            layout.range = [min(ranges), max(ranges)]
    for cells, others in zip(_cells(figure), _cells(other), strict=False):
        if others.zmax > cells.zmax:  # the numbers beside the scale are those at its ends, too
            cells.colorbar.update(tickvals=others.colorbar.tickvals, ticktext=others.colorbar.ticktext)
        cells.update(zmin=min(cells.zmin, others.zmin), zmax=max(cells.zmax, others.zmax))
    return figure


def _measured(figure: go.Figure) -> dict[str, list[float]]:
    """The numbers along each axis that shows measured ones: those of the lengths of bars and the heights of lines."""
    found: dict[str, list[float]] = {}
    for trace in figure.data:
        letter = _measured_letter(trace)
        if letter:
            axis = (trace[f"{letter}axis"] or letter).replace(letter, f"{letter}axis", 1)
            found.setdefault(axis, []).extend(_finite(trace[letter]))
    return found


def _measured_letter(trace: Any) -> str:
    """The axis on which a trace has measured numbers, "x" or "y"; "" for none."""
    if trace.type not in ("bar", "scatter") or (trace.type == "scatter" and "lines" not in (trace.mode or "")):
        return ""
    return "x" if trace.orientation == "h" else "y"


def _finite(values: Iterable[Any]) -> list[float]:
    numbers = np.asarray(list(values), np.float64)
    found: list[float] = numbers[np.isfinite(numbers)].tolist()
    return found


def _range(values: list[float]) -> list[float] | None:
    """From the least to the greatest number or 0, with a margin on the sides that are not 0."""
    low, high = min(0.0, *values), max(0.0, *values)
    margin = MARGIN * (high - low)
    return [low - margin * (low < 0), high + margin * (high > 0)] if low < high else None


def _cells(figure: go.Figure) -> Iterator[Any]:
    """The heatmaps of numbers that have a scale. Those of codes have another one for each figure."""
    for trace in figure.data:
        is_of_numbers = trace.type == "heatmap" and np.asarray(trace.z).dtype.kind == "f"
        if is_of_numbers and trace.zmin is not None:
            yield trace
