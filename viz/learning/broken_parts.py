"""Figures of a model with and without some of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import plotly.graph_objects as go

from viz.shared.style import Theme, apply_style, colour, measure_name
from viz.shared.told import told


class ComparisonLike(Protocol):
    """The fields of a comparison. `model.experiments.broken_parts.MeasureComparison` has them."""

    @property
    def measure(self) -> str: ...
    @property
    def whole(self) -> float: ...
    @property
    def without(self) -> float: ...


def comparison_figure(rows: Sequence[ComparisonLike], theme: Theme = "light") -> go.Figure:
    """The shares of right answers, with and without the parts. The loss is left out, since it is no share."""
    shares = [row for row in rows if row.measure != "loss"]
    names = [measure_name(row.measure) for row in shares]
    return _pairs_figure(
        names, [r.whole for r in shares], [r.without for r in shares], "share of right answers", theme, 1.0
    )


def entropy_figure(whole: Mapping[str, float], without: Mapping[str, float], theme: Theme = "light") -> go.Figure:
    """The mean entropy of each attention, by its name."""
    names = list(whole)
    return _pairs_figure(names, [whole[n] for n in names], [without[n] for n in names], "entropy (bits)", theme)


def _pairs_figure(
    names: Sequence[str],
    whole: Sequence[float],
    without: Sequence[float],
    title: str,
    theme: Theme,
    top: float | None = None,
) -> go.Figure:
    """Two joined dots in each row: the value with all parts, and the value without some."""
    fig = go.Figure()
    for y, (before, after) in enumerate(zip(whole, without, strict=True)):
        fig.add_scatter(
            x=[before, after], y=[y, y], mode="lines", line={"color": colour("masked", theme), "width": 3},
            showlegend=False, hoverinfo="skip",
        )  # fmt: skip
    for values, name, role, symbol in ((whole, "whole", "query", "circle"), (without, "without", "key", "diamond")):
        fig.add_scatter(
            x=list(values), y=list(range(len(names))), mode="markers", name=name,
            marker={"color": colour(role, theme), "size": 11, "symbol": symbol},
            text=list(names), **told(values, "%{text}: ", f"<extra>{name}</extra>", axis="x"),
        )  # fmt: skip
    apply_style(fig, theme, height=110 + 26 * max(len(names), 3))
    fig.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names), autorange="reversed", zeroline=False)
    fig.update_xaxes(title_text=title, rangemode="tozero", range=None if top is None else [-0.02, top + 0.02])
    fig.update_layout(legend={"orientation": "h", "y": 1.12})
    return fig
