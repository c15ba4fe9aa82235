"""A Plotly figure drawn for one theme, in the other theme: every colour of the house is exchanged.

All colours of a figure come from `viz.shared.style`. So the exchange gives the same figure as drawing it for the other
theme (tests/viz/documents/test_restyle.py draws both and compares).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.ink import CELL_TEXTS, cell_texts
from viz.shared.style import COLOURS, SEQUENTIAL, SERIES, SIGNED, Scale, Theme, apply_style, plotly_scale, with_alpha


def theme_of(figure: go.Figure) -> Theme:
    """The theme for which a figure in the house look was drawn."""
    ink = figure.layout.template.layout.font.color
    return "dark" if ink == COLOURS["dark"]["text"] else "light"


def restyle_figure(figure: go.Figure, theme: Theme) -> go.Figure:
    """The figure in `theme`: the same figure if it was drawn for that theme, else a new one."""
    old_theme = theme_of(figure)
    if theme == old_theme:
        return figure
    # Take the figure part by part. As a whole, Plotly would write its arrays as text, which no code here can read.
    parts = {"data": [trace.to_plotly_json() for trace in figure.data], "layout": figure.layout.to_plotly_json()}
    parts["layout"].pop("template", None)
    exchanged = _exchange(parts, counterparts(old_theme), old_theme, theme)
    return _with_ink(apply_style(go.Figure(exchanged, skip_invalid=False), theme))


def _with_ink(figure: go.Figure) -> go.Figure:
    """The texts in cells in the ink that can be read on the new colours of their heatmap, the figure's first."""
    written = [trace for trace in figure.data if trace.meta == CELL_TEXTS]
    if not written:
        return figure
    cells = next(trace for trace in figure.data if trace.type == "heatmap")
    values: Array = np.asarray(cells.z, np.float64)
    texts = [[""] * values.shape[1] for _ in values]
    for trace in written:
        for row, column, text in zip(trace.y, trace.x, trace.text, strict=True):
            texts[row][column] = text
    low, high = (values.min(), values.max()) if cells.zmin is None else (cells.zmin, cells.zmax)
    places = (values - low) / ((high - low) or 1.0)
    font = {name: value for name, value in written[0].textfont.to_plotly_json().items() if name != "color"}
    first = figure.data.index(written[0])
    others = [trace for trace in figure.data if trace.meta != CELL_TEXTS]
    texts_again = cell_texts(texts, places, cells.colorscale, font)
    return go.Figure([*others[:first], *texts_again, *others[first:]], figure.layout, skip_invalid=False)


@cache
def counterparts(drawn: Theme) -> dict[str, str]:
    """Each colour of a theme, and its counterpart in the other theme."""
    theme: Theme = "light" if drawn == "dark" else "dark"
    pairs = dict(zip(SERIES[drawn], SERIES[theme], strict=True))
    for scale in (SEQUENTIAL, SIGNED):
        pairs |= {old[1]: new[1] for old, new in zip(scale[drawn], scale[theme], strict=True)}
    return pairs | {tone: COLOURS[theme][role] for role, tone in COLOURS[drawn].items()}


def _exchange(part: Any, pairs: dict[str, str], drawn: Theme, theme: Theme, colours: bool = False) -> Any:
    """A part of a figure with its colours exchanged. `colours`: the part holds colours, not the words of a label."""
    if isinstance(part, dict):
        return {name: _exchange(value, pairs, drawn, theme, colours or "color" in name) for name, value in part.items()}
    if isinstance(part, np.ndarray) and colours and part.dtype.kind in "OU":
        part = part.tolist()
    if isinstance(part, list | tuple):
        for scale in (SEQUENTIAL, SIGNED):  # Exchange a scale as a whole, since the two scales share an end.
            if colours and _is_scale(part, scale[drawn]):
                return plotly_scale(scale, theme)
        return type(part)(_exchange(value, pairs, drawn, theme, colours) for value in part)
    return _counterpart(part, pairs) if colours and isinstance(part, str) else part


def _is_scale(part: Any, scale: Scale) -> bool:
    return len(part) == len(scale) and all(tuple(stop) == known for stop, known in zip(part, scale, strict=True))


def _counterpart(text: str, pairs: dict[str, str]) -> str:
    """The counterpart of a colour, opaque ("#rrggbb") or not ("rgba(...)"). Other colours than the house's stay."""
    rgba = re.fullmatch(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", text)
    if rgba is None:
        return pairs.get(text, text)
    solid = "#" + "".join(f"{int(part):02x}" for part in rgba.groups()[:3])
    return with_alpha(pairs[solid], float(rgba[4])) if solid in pairs else text
