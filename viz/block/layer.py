"""Figures of one layer: tensors as heatmaps, the residual stream by layer, norms, hidden features, gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.shared.payload import pack, signed_codes
from viz.shared.style import SEQUENTIAL, SIGNED, Theme, apply_style, colour, isolate, number, plotly_scale, plotly_text

Matrix = NDArray[Any]
THUMBNAIL_FEATURES = 64  # columns of a small picture
CONTEXT_CHARACTERS = 16  # characters of a sentence on either side of a token


def pack_flow(steps: Sequence[Mapping[str, str]], tensors: Sequence[Matrix], chosen: int, label: str) -> bytes:
    """What the component `block_flow` draws: steps (name, does, role) and a small picture of each (tokens, features).

    A picture shows every n-th feature, not a mean, so that its colours are values of the tensor.
    """
    pictures = {}
    described = []
    for place, (step, tensor) in enumerate(zip(steps, tensors, strict=True)):
        pictures[f"picture{place}"] = signed_codes(thin(tensor))
        described.append({**step, "shape": f"{tensor.shape[0]} × {tensor.shape[1]:,}"})
    return pack({"steps": described, "chosen": chosen, "label": label}, **pictures)


def thin(tensor: Matrix) -> Matrix:
    """Every n-th feature of (tokens, features), as many as a small picture has columns."""
    return tensor[:, :: max(1, tensor.shape[1] // THUMBNAIL_FEATURES)][:, :THUMBNAIL_FEATURES]


def tensor_figure(matrix: Matrix, tokens: Sequence[str], theme: Theme = "light") -> go.Figure:
    """A tensor (tokens, features) on the signed scale, in 255 shades."""
    fig = go.Figure(
        go.Heatmap(
            z=signed_codes(matrix), zmin=0, zmax=254, colorscale=plotly_scale(SIGNED, theme), showscale=False,
            hovertemplate="token %{y}, feature %{x}<extra></extra>",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=int(min(90 + 26 * len(tokens), 720)))
    _token_rows(fig, tokens)
    fig.update_xaxes(title_text="features")
    return fig


def layers_figure(
    matrix: Matrix, tokens: Sequence[str], title: str, *, signed: bool = False, theme: Theme = "light"
) -> go.Figure:
    """One number a layer and token (layers, tokens): a length from 0 up, or a cosine on the signed scale.

    The colours of lengths end at the 95th percentile: one token hundreds of times longer would leave the rest blank.
    """
    top = 1.0 if signed else float(np.quantile(matrix, 0.95)) or 1.0
    fig = go.Figure(
        go.Heatmap(
            z=np.round(matrix, 3).astype(np.float32), zmin=-1 if signed else 0, zmax=top,
            colorscale=plotly_scale(SIGNED if signed else SEQUENTIAL, theme),
            colorbar={"thickness": 8, "len": 0.7, "outlinewidth": 0},
            text=[[plotly_text(token) for token in tokens]] * len(matrix),
            hovertemplate="layer %{y}, %{text}: %{z}<extra></extra>",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=int(110 + 14 * max(len(matrix), 8)))
    fig.update_layout(title={"text": title, "font": {"size": 14}, "x": 0}, margin={"t": 34})
    fig.update_xaxes(tickvals=list(range(len(tokens))), ticktext=[plotly_text(t) for t in tokens], tickangle=-45)
    fig.update_yaxes(title_text="layer", autorange="reversed")
    return fig


def neurons_figure(values: Sequence[float], neurons: Sequence[int], theme: Theme = "light") -> go.Figure:
    """The strongest hidden features of a token as bars, the strongest on top."""
    fig = go.Figure(
        go.Bar(
            x=list(values), y=[f"{neuron}" for neuron in neurons], orientation="h",
            marker_color=[colour("query" if value >= 0 else "key", theme) for value in values],
            text=[number(value) for value in values], hoverinfo="skip",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=70 + 26 * len(neurons))
    fig.update_yaxes(type="category", autorange="reversed", title_text="neuron")
    fig.update_xaxes(title_text="activation")
    return fig


def excited_figure(found: Sequence[Mapping[str, Any]], theme: Theme = "light") -> go.Figure:
    """The places that excite a hidden feature most: each token between its neighbours, the strongest on top. `found`:
    rows of `activation`, `before`, `token` and `after`."""
    names = [
        plotly_text(
            f"{each['before'][-CONTEXT_CHARACTERS:]} ‹{isolate(each['token'])}› {each['after'][:CONTEXT_CHARACTERS]}".strip()
        )
        for each in found
    ]
    fig = go.Figure(
        go.Bar(
            x=[each["activation"] for each in found], y=list(range(len(found))), orientation="h",
            marker_color=[colour("query" if each["activation"] >= 0 else "key", theme) for each in found],
            text=[number(each["activation"]) for each in found], hoverinfo="skip",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=70 + 26 * len(found))
    fig.update_yaxes(tickvals=list(range(len(found))), ticktext=names, autorange="reversed", showgrid=False)
    ends = [1.2 * pick([0.0, *(each["activation"] for each in found)]) for pick in (min, max)]
    fig.update_xaxes(title_text="activation", range=ends if ends[0] < ends[1] else None)
    return fig


def histogram_figure(before: Matrix, after: Matrix, theme: Theme = "light") -> go.Figure:
    """How the hidden features of all tokens (tokens, d_ff) are spread before and after the nonlinearity, in shares."""
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


def _token_rows(fig: go.Figure, tokens: Sequence[str]) -> None:
    fig.update_yaxes(
        tickvals=list(range(len(tokens))), ticktext=[plotly_text(token) for token in tokens], autorange="reversed"
    )
