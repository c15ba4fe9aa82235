"""Figures of a mixture of experts: which experts each token takes, and how the text is shared out among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.labels import token_rows
from viz.shared.style import SEQUENTIAL, Theme, apply_style, colour, percent, plotly_scale, plotly_text
from viz.shared.told import told

LOAD_PIXELS, TOKEN_PIXELS, MOST_PIXELS = 110, 24, 640


def gates_figure(gates: Array, shares: Array, tokens: Sequence[str], chosen: int, theme: Theme = "light") -> go.Figure:
    """The weight of each expert for each token (tokens, experts), and above it the share of all choices, (experts,).

    A line shows the even share. The row of the token `chosen` is framed. Experts that a token does not take are blank.
    """
    rows, n_experts = gates.shape
    height = min(TOKEN_PIXELS * rows, MOST_PIXELS)
    whole = LOAD_PIXELS + height + 110
    fig = make_subplots(
        2, 1, shared_xaxes=True, vertical_spacing=30 / whole, row_heights=[LOAD_PIXELS, height]
    )  # fmt: skip
    fig.add_bar(
        x=list(range(n_experts)), y=shares * 100, marker_color=colour("residual", theme),
        row=1, col=1, showlegend=False,
        hovertext=[f"expert {expert}: {percent(share)} of the choices" for expert, share in enumerate(shares.tolist())],
        hoverinfo="text",
    )  # fmt: skip
    fig.add_hline(y=100 / n_experts, line={"dash": "dot", "width": 1, "color": colour("text", theme)}, row=1, col=1)
    fig.add_trace(
        go.Heatmap(
            z=np.where(gates > 0, gates, np.nan), zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme),
            showscale=False, text=[[plotly_text(token)] * n_experts for token in tokens],
            **told(gates, "%{text}, expert %{x}: "),
        ),
        row=2, col=1,
    )  # fmt: skip
    fig.add_shape(
        type="rect", x0=-0.5, x1=n_experts - 0.5, y0=chosen - 0.5, y1=chosen + 0.5, row=2, col=1,
        line={"color": colour("query", theme), "width": 2},
    )  # fmt: skip
    apply_style(fig, theme, height=whole)
    fig.update_yaxes(title_text="% of the choices", rangemode="tozero", row=1, col=1)
    fig.update_yaxes(**token_rows(tokens, height, most=30), autorange="reversed", row=2, col=1)
    fig.update_xaxes(title_text="expert", row=2, col=1, dtick=max(1, n_experts // 16))
    return fig
