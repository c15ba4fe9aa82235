"""Figures of the concatenation of heads and of the part of each head in the output."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.labels import token_axis, token_rows
from viz.shared.style import (
    SERIES,
    SIGNED,
    Theme,
    apply_style,
    colour,
    number,
    percent,
    plotly_scale,
    plotly_text,
    with_alpha,
)
from viz.shared.told import told

FADE = 0.6  # of a colour's distance to that of the text, kept from one round of heads to the next


def head_colour(head: int, theme: Theme = "light") -> str:
    """The colour of a head's slice. SERIES begins anew when it is used up, each time nearer to the text's colour."""
    rounds, place = divmod(head, len(SERIES[theme]))
    return _mix(SERIES[theme][place], colour("text", theme), 1 - FADE**rounds)


def _mix(first: str, second: str, share: float) -> str:
    """Two colours "#rrggbb" mixed, with this share 0..1 of the second."""
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * a + share * b):02x}" for a, b in pairs)


def slices_figure(
    concat: Array, tokens: Sequence[str], n_heads: int, muted: Collection[int] = (), theme: Theme = "light"
) -> go.Figure:
    """concat (tokens, heads x d_head) as a heatmap, with a coloured band over each head's slice."""
    rows, columns = concat.shape
    width = columns // n_heads
    reach = float(np.abs(concat).max()) or 1.0
    # Eight bits hold as many shades as a screen shows, in a quarter of the bytes of float32.
    codes = np.rint(127 + 127 * concat / reach).astype(np.uint8)
    fig = go.Figure(
        go.Heatmap(
            z=codes, zmin=0, zmax=254, colorscale=plotly_scale(SIGNED, theme), showscale=False,
            y=list(range(rows)), hoverinfo="skip",
        )
    )  # fmt: skip
    for head in range(n_heads):
        left, is_muted = head * width - 0.5, head in muted
        band = colour("masked", theme) if is_muted else head_colour(head, theme)
        fig.add_shape(type="rect", x0=left, x1=left + width, y0=-1.6, y1=-0.7, fillcolor=band, line={"width": 0})
        if is_muted:
            veil = with_alpha(colour("background", theme), 0.75)
            fig.add_shape(
                type="rect", x0=left, x1=left + width, y0=-0.5, y1=rows - 0.5, fillcolor=veil, line={"width": 0}
            )
        fig.add_annotation(
            x=left + width / 2,
            y=-2.3,
            text=f"{head}",
            showarrow=False,
            font={"size": 12, "color": colour("muted", theme)},
        )
    height = int(min(130 + 24 * rows, 720))
    apply_style(fig, theme, height=height)
    fig.update_xaxes(visible=False)
    fig.update_yaxes(**token_rows(tokens, (height - 30) * rows / (rows + 2.5)), range=[rows - 0.5, -3])
    return fig


def parts_figure(parts: Array, total: Array, bias: Array | None, theme: Theme = "light") -> go.Figure:
    """One token: each head's part of the output (heads, d_model), the bias if there is one, and their sum below."""
    rows = [*parts, *([bias] if bias is not None else []), total]
    names = [f"head {head}" for head in range(len(parts))] + (["bias"] if bias is not None else []) + ["sum"]
    matrix = np.stack(rows).astype(np.float32)
    # Not the maximum: one strong feature would leave all others pale.
    reach = float(np.quantile(np.abs(matrix), 0.995)) or 1.0
    fig = go.Figure(
        go.Heatmap(
            z=matrix, zmin=-reach, zmax=reach, colorscale=plotly_scale(SIGNED, theme),
            colorbar={"thickness": 8, "len": 0.6, "outlinewidth": 0} | bar_ticks(matrix, -reach, reach),
            y=list(range(len(rows))), ygap=2,
            **told(matrix, "feature %{x}: "),
        )
    )  # fmt: skip
    fig.add_hline(y=len(rows) - 1.5, line={"color": colour("residual", theme), "width": 2})
    apply_style(fig, theme, height=80 + 28 * len(rows))
    fig.update_yaxes(tickvals=list(range(len(rows))), ticktext=names, range=[len(rows) - 0.5, -0.5])
    fig.update_xaxes(title_text="features of the residual stream")
    return fig


def sizes_figure(sizes: Array, tokens: Sequence[str], theme: Theme = "light") -> go.Figure:
    """|part| of every head at every token, (heads, tokens): one row of dots a head, large where it adds much."""
    heads, length = sizes.shape
    fig = go.Figure()
    top = float(sizes.max()) or 1.0
    for head in range(heads):
        fig.add_scatter(
            x=list(range(length)), y=[head] * length, mode="markers", showlegend=False,
            marker={"size": 3 + 22 * np.sqrt(sizes[head] / top), "color": head_colour(head, theme)},
            text=[f"head {head} at {plotly_text(t)}: {number(v)}" for t, v in zip(tokens, sizes[head], strict=True)],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    apply_style(fig, theme, height=100 + 28 * heads)
    fig.update_xaxes(**token_axis(tokens))
    fig.update_yaxes(tickvals=list(range(heads)), autorange="reversed", title_text="head", zeroline=False)
    return fig


def before_after_figure(
    names: Sequence[str], before: Sequence[float], after: Sequence[float], theme: Theme = "light"
) -> go.Figure:
    """Probabilities of the same outcomes before (pale) and after (full), the likeliest on top."""
    fig = go.Figure()
    labels = [plotly_text(name) for name in names]
    for values, name, shade in (
        (after, "muted", colour("query", theme)),
        (before, "whole", colour("masked", theme)),
    ):
        fig.add_bar(
            x=list(values), y=list(range(len(labels))), name=name, orientation="h", marker_color=shade,
            **told(values, "", f"<extra>{name}</extra>", write=percent, axis="x"),
        )  # fmt: skip
    apply_style(fig, theme, height=90 + 40 * len(labels))
    fig.update_yaxes(tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")
    fig.update_xaxes(title_text="probability", range=[0, 1])
    fig.update_layout(barmode="group", legend={"orientation": "h", "y": -0.25, "traceorder": "reversed"})
    return fig
