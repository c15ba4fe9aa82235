"""The map of a vocabulary: tokens as points, with the neighbours of one token and the tokens of the sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import PLOT_WIDTH, names_beside
from viz.shared.style import FONT_SIZE, Theme, apply_style, colour, plotly_text, with_alpha

MAP_HEIGHT = 400  # pixels
LabelledPlaces = tuple[Array, Sequence[str]]  # places (n, 2) and their labels


def vocabulary_figure(
    others: LabelledPlaces,
    near: LabelledPlaces,
    sentence: LabelledPlaces,
    chosen: int | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Three sets of tokens in one plane: the `sentence` in blue by name, `near` in orange, `others` in grey.

    A name that would cover another one is left out, and never that of the `chosen` token of the sentence.
    """
    fig = go.Figure()
    names = _names_apart([others, near, sentence], chosen)
    grey = with_alpha(colour("masked", theme), 0.6)
    for (places, labels), tone, size, mode in (
        (others, grey, 4, "markers"),
        (near, colour("key", theme), 8, "markers"),
        (sentence, colour("query", theme), 9, "markers+text"),
    ):
        flat = np.asarray(places, np.float32).reshape(-1, 2)
        fig.add_scatter(
            x=np.round(flat[:, 0], 3),
            y=np.round(flat[:, 1], 3),
            text=[plotly_text(name) for name in (names if mode == "markers+text" else labels)],
            customdata=[plotly_text(label) for label in labels],
            mode=mode,
            textposition="top center",
            marker={"size": size, "color": tone},
            hovertemplate="%{customdata}<extra></extra>",
        )
    apply_style(fig, theme, height=MAP_HEIGHT + 60)
    fig.update_layout(showlegend=False)
    fig.update_xaxes(title_text="first component", showticklabels=False)
    fig.update_yaxes(title_text="second component", showticklabels=False)
    return fig


def _names_apart(groups: Sequence[LabelledPlaces], chosen: int | None) -> list[str]:
    """The names of the tokens of the last group, "" where one would cover another. The figure shows all `groups`."""
    everything = np.concatenate([np.asarray(places, float).reshape(-1, 2) for places, _ in groups])
    low, high = everything.min(0), everything.max(0)
    scale = np.array([PLOT_WIDTH, -MAP_HEIGHT]) / np.where(high > low, 1.12 * (high - low), 1)  # pixels, downwards
    places, labels = groups[-1]
    points = np.asarray(places, float).reshape(-1, 2) * scale
    first = () if chosen is None else (chosen,)
    return names_beside([(float(x), float(y)) for x, y in points], labels, FONT_SIZE, first)
