"""Figures of the Block page: tensors as heatmaps, the residual stream by layer, and hidden features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.ink import ink_on
from viz.shared.labels import COLUMN_WIDTH, token_axis, token_rows
from viz.shared.payload import pack, signed_codes
from viz.shared.style import SEQUENTIAL, SIGNED, Theme, apply_style, colour, isolate, number, plotly_scale, plotly_text
from viz.shared.told import told

THUMBNAIL_FEATURES = 64  # the columns of a small picture
CONTEXT_CHARACTERS = 16  # of the sentence, on either side of a token


def pack_flow(
    steps: Sequence[Mapping[str, str]],
    tensors: Sequence[Array],
    chosen: int,
    label: str,
    reaches: Sequence[float | None] = (),
) -> bytes:
    """Data of the component `block_flow`: steps (name, title, does, role), and a small picture of the tensor of each.

    `tensors` (tokens, features) each. A picture shows every n-th feature instead of means, so that its colours are
    values of the tensor. `chosen` is the index of the open step. `reaches`: the sizes at the ends of the colours.
    """
    pictures = {}
    descriptions = []
    for place, (step, tensor) in enumerate(zip(steps, tensors, strict=True)):
        pictures[f"picture{place}"] = signed_codes(thin(tensor), reaches[place] if reaches else None)
        descriptions.append({**step, "shape": f"{tensor.shape[0]} × {tensor.shape[1]:,}"})
    return pack({"steps": descriptions, "chosen": chosen, "label": label}, **pictures)


def thin(tensor: Array) -> Array:
    """Every n-th feature of (tokens, features), at most `THUMBNAIL_FEATURES` of them."""
    return tensor[:, :: max(1, tensor.shape[1] // THUMBNAIL_FEATURES)][:, :THUMBNAIL_FEATURES]


def tensor_figure(
    matrix: Array, tokens: Sequence[str], theme: Theme = "light", reach: float | None = None
) -> go.Figure:
    """A tensor (tokens, features) on the signed scale, in 255 shades. `reach`: the size at the ends of the scale."""
    fig = go.Figure(
        go.Heatmap(
            z=signed_codes(matrix, reach), zmin=0, zmax=254, colorscale=plotly_scale(SIGNED, theme), showscale=False,
            hovertemplate="token %{y}, feature %{x}<extra></extra>",
        )
    )  # fmt: skip
    height = int(min(90 + 26 * len(tokens), 720))
    apply_style(fig, theme, height=height)
    fig.update_yaxes(**token_rows(tokens, height - 70, most=20), autorange="reversed")
    fig.update_xaxes(title_text="features")
    return fig


def layers_figure(
    matrix: Array, tokens: Sequence[str], title: str, *, signed: bool = False, theme: Theme = "light"
) -> go.Figure:
    """One number for each layer and token (layers, tokens): a length from 0 up, or a cosine if `signed`.

    The colours of lengths end at the 95th percentile, and their bar says so. Otherwise one very long token would leave
    all others blank.
    """
    top = 1.0 if signed else float(np.quantile(matrix, 0.95)) or 1.0
    fig = go.Figure(
        go.Heatmap(
            z=matrix.astype(np.float32), zmin=-1 if signed else 0, zmax=top,
            colorscale=plotly_scale(SIGNED if signed else SEQUENTIAL, theme),
            colorbar={"thickness": 8, "len": 0.7, "outlinewidth": 0} | bar_ticks(matrix, -1 if signed else 0, top),
            text=[[plotly_text(token) for token in tokens]] * len(matrix),
            **told(matrix, "layer %{y}, %{text}: "),
        )
    )  # fmt: skip
    apply_style(fig, theme, height=int(110 + 14 * max(len(matrix), 8)))
    fig.update_layout(title={"text": title, "font": {"size": 14}, "x": 0}, margin={"t": 34})
    fig.update_xaxes(**token_axis(tokens, COLUMN_WIDTH))
    fig.update_yaxes(title_text="layer", autorange="reversed")
    return fig


def neurons_figure(values: Sequence[float], neurons: Sequence[int], theme: Theme = "light") -> go.Figure:
    """The strongest hidden features of a token as bars, the strongest on top."""
    fig = go.Figure(
        go.Bar(
            x=list(values), y=[f"{neuron}" for neuron in neurons], orientation="h",
            **_signed_bars(values, theme), text=[number(value) for value in values], hoverinfo="skip",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=70 + 26 * len(neurons))
    fig.update_yaxes(type="category", autorange="reversed", title_text="neuron")
    fig.update_xaxes(title_text="activation")
    return fig


def _signed_bars(values: Iterable[float], theme: Theme) -> dict[str, Any]:
    """Bars of signed values, blue above zero and orange below, with their numbers in an ink that can be read."""
    tones = [colour("query" if value >= 0 else "key", theme) for value in values]
    return {"marker_color": tones, "insidetextfont": {"color": [ink_on(tone) for tone in tones]}}


def excited_figure(rows: Sequence[Mapping[str, Any]], theme: Theme = "light") -> go.Figure:
    """The tokens that excite a hidden feature most, each with the words around it, the strongest on top.

    `rows` have `activation`, `before`, `token` and `after`.
    """
    activations = [row["activation"] for row in rows]
    fig = go.Figure(
        go.Bar(
            x=activations, y=list(range(len(rows))), orientation="h",
            **_signed_bars(activations, theme), text=[number(value) for value in activations], hoverinfo="skip",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=70 + 26 * len(rows))
    names = [plotly_text(_in_context(row["before"], row["token"], row["after"])) for row in rows]
    fig.update_yaxes(tickvals=list(range(len(rows))), ticktext=names, autorange="reversed", showgrid=False)
    low, high = 1.2 * min([0.0, *activations]), 1.2 * max([0.0, *activations])
    fig.update_xaxes(title_text="activation", range=[low, high] if low < high else None)
    return fig


def _in_context(before: str, token: str, after: str) -> str:
    """The token in brackets between the words beside it."""
    return f"{before[-CONTEXT_CHARACTERS:]} ‹{isolate(token)}› {after[:CONTEXT_CHARACTERS]}".strip()


def histogram_figure(before: Array, after: Array, theme: Theme = "light") -> go.Figure:
    """The shares of hidden features (tokens, d_ff) in bars of equal width, before and after the nonlinearity.

    The lowest and the highest 0.1% count to the bars at the ends.
    """
    low, high = np.quantile(np.concatenate([before.ravel(), after.ravel()]), [0.001, 0.999])
    edges = np.linspace(low, high, 61)
    middles = (edges[1:] + edges[:-1]) / 2
    fig = go.Figure()
    for values, name, role in ((before, "before", "masked_text"), (after, "after", "value")):
        counts = np.histogram(np.clip(values, low, high), edges)[0]
        fig.add_bar(x=middles, y=counts / values.size, name=name, marker_color=colour(role, theme), opacity=0.7)
    apply_style(fig, theme, height=300)
    fig.update_layout(barmode="overlay", bargap=0, legend={"orientation": "h", "y": -0.3})
    fig.update_xaxes(title_text="value")
    fig.update_yaxes(title_text="share", type="log", dtick=1)
    return fig
