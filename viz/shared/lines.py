"""Lines of one quantity against another: by step, layer, feature or number of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.style import SERIES, Theme, colour, make_figure, plotly_text
from viz.shared.told import told

Line = tuple[Sequence[float] | Array, Sequence[float] | Array]  # xs and ys
MAX_MARKED_POINTS = 40  # lines of as many points or more have no marks


def lines_figure(
    lines: Mapping[str, Line],
    x: str,
    y: str,
    *,
    log: str = "",
    top: float | None = None,
    quiet: str = "",
    height: int = 380,
    theme: Theme = "light",
) -> go.Figure:
    """Lines by name, in the colours of SERIES. The `quiet` line is grey and behind the others.

    A value that is not finite is a gap. `log` has the letters of the logarithmic axes ("", "y" or "xy"). Other axes
    include 0. `top` is the end of y.
    """
    tones = {name: SERIES[theme][place % len(SERIES[theme])] for place, name in enumerate(lines)}
    if quiet:
        tones[quiet] = colour("masked", theme)
    marked = max((len(xs) for xs, _ in lines.values()), default=0) < MAX_MARKED_POINTS
    return make_figure(
        [_line(name, line, x, tones[name], marked, behind=name == quiet) for name, line in lines.items()],
        theme,
        height,
        xaxis=_axis(x, "x" in log),
        yaxis=_axis(y, "y" in log) | ({} if top is None else {"range": [-0.02 * top, 1.02 * top]}),
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def by_place(lines: Mapping[str, Sequence[float]]) -> dict[str, Line]:
    """Values as lines over 0, 1, 2, ..."""
    return {name: (range(len(values)), values) for name, values in lines.items()}


def _line(name: str, line: Line, x: str, tone: str, marked: bool, behind: bool) -> go.Scatter:
    xs, ys = (np.asarray(values, np.float32) for values in line)
    return go.Scatter(
        x=xs,
        y=ys,
        name=plotly_text(name),
        mode="lines+markers" if marked or len(xs) < 3 else "lines",  # a single point is invisible without a mark
        line={"width": 2, "color": tone},
        zorder=0 if behind else 1,
        **told(ys, f"{plotly_text(name)}<br>{x} %{{x:,}}: ", axis="y"),
    )


def _axis(title: str, log: bool) -> dict[str, Any]:
    kind = {"type": "log", "exponentformat": "power"} if log else {"rangemode": "tozero"}
    return {"title": {"text": title}, **kind}
