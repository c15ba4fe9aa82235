"""The map of a vocabulary: tokens as points, with the neighbours of one token and the tokens of the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.shared.style import Theme, apply_style, colour, plotly_text, with_alpha

LabelledPlaces = tuple[NDArray[Any], Sequence[str]]  # places (n, 2) and their labels


def vocabulary_figure(
    others: LabelledPlaces, near: LabelledPlaces, sentence: LabelledPlaces, theme: Theme = "light"
) -> go.Figure:
    """Three sets of tokens in one plane: the `sentence` in blue by name, `near` in orange, `others` in grey."""
    fig = go.Figure()
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
            text=[plotly_text(label) for label in labels],
            mode=mode,
            textposition="top center",
            marker={"size": size, "color": tone},
            hovertemplate="%{text}<extra></extra>",
        )
    apply_style(fig, theme, height=460)
    fig.update_layout(showlegend=False)
    fig.update_xaxes(title_text="first component", showticklabels=False)
    fig.update_yaxes(title_text="second component", showticklabels=False)
    return fig
