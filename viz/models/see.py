"""Figures of a vision model: its grid over a picture, patches as rows, filters, positions, maps over the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.arrays import Array
from model.numerals import large
from viz.shared.pictures import Pixels, enlarge_pixels, mosaic, paint, picture_figure
from viz.shared.style import AXIS_PERCENT, SERIES, Theme, apply_style, colour, score_noun, write_score
from viz.shared.told import END, told

MIN_SIDE_PIXELS = 448  # of a picture in a figure


def enlarge_picture(square: Pixels) -> Pixels:
    """The picture that a model reads, enlarged so that no viewer blurs it."""
    return enlarge_pixels(square, MIN_SIDE_PIXELS)


def grid_figure(square: Pixels, side: int, chosen: int, theme: Theme = "light") -> go.Figure:
    """The picture cut into `side` x `side` patches. The patch at `chosen`, row by row from 0, has a frame."""
    rgb = enlarge_picture(square)
    step = len(rgb) / side
    fig = picture_figure(rgb, theme, 420, shapes=patch_frame(chosen, side, step, theme), showlegend=False)
    ends = [value for n in range(side + 1) for value in (n * step - 0.5, n * step - 0.5, None)]
    lengths = [-0.5, len(rgb) - 0.5, None] * (side + 1)
    line = {"color": "rgba(255,255,255,0.55)", "width": 1}
    return fig.add_traces(
        [go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", line=line) for x, y in ((ends, lengths), (lengths, ends))]
    )


def patch_frame(chosen: int, side: int, step: float, theme: Theme) -> list[dict[str, Any]]:
    """A frame in the query's colour around one patch, as shapes of a layout. The class token, -1, has none."""
    if chosen < 0:
        return []
    row, column = divmod(chosen, side)
    left, top = column * step - 0.5, row * step - 0.5
    line = {"color": colour("query", theme), "width": 3}
    return [{"type": "rect", "x0": left, "x1": left + step, "y0": top, "y1": top + step, "line": line}]


def flattened_patches_figure(patches: Array, chosen: int, theme: Theme = "light") -> go.Figure:
    """The flattened patches (N, D'), one a row: blue above the mean colour, orange below. `chosen` has a frame."""
    reach = float(np.abs(patches).max())
    values = patches if len(patches) > 60 else patches.repeat(6, 0)
    repeats = len(values) // len(patches)
    width, top = patches.shape[1], chosen * repeats - 0.5
    tone, bare = colour("query", theme), {"showticklabels": False, "showgrid": False}
    frame = {"type": "rect", "x0": -0.5, "x1": width - 0.5, "y0": top, "y1": top + repeats}
    mark = {"x": -0.5, "y": top + repeats / 2, "xanchor": "right", "text": "▶", "showarrow": False}
    return picture_figure(
        paint(values, theme, signed=True, reach=reach),
        theme,
        420,
        xaxis={"range": [-0.5, width - 0.5], "title": {"text": "D' values of a patch"}} | bare,
        yaxis={
            "range": [len(values) - 0.5, -0.5],
            "title": {"text": "patches, row by row"},
            "scaleanchor": False,  # Plotly keeps the pixels of images square
        }
        | bare,
        shapes=[frame | {"line": {"color": tone, "width": 2}}],
        annotations=[mark | {"font": {"size": 14, "color": tone}}],
    )


def filters_figure(filters: Array, columns: int, theme: Theme = "light") -> go.Figure:
    """Rows of the projection (n, C, P, P) as small pictures, each scaled by its own largest weight.

    Grey is 0, and what is not finite.
    """
    finite = np.where(np.isfinite(filters), filters, 0)
    largest = np.abs(finite).max((1, 2, 3), keepdims=True)
    shares = finite / np.where(largest == 0, 1, largest)
    if filters.shape[1] == 1:
        tiles = np.stack([paint(each[0], theme, signed=True) for each in shares])
    else:
        tiles = np.rint((shares * 0.5 + 0.5) * 255).astype(np.uint8).transpose(0, 2, 3, 1)
    repeats = max(1, round(28 / tiles.shape[1]))
    return picture_figure(mosaic(tiles.repeat(repeats, 1).repeat(repeats, 2), columns, theme, gap=5), theme, 260)


def positions_figure(similarity: Array, side: int, theme: Theme = "light") -> go.Figure:
    """One map for each patch, at the patch's place: the cosines of its position vector with all others (N, N).

    Dosovitskiy et al. (2021), figure 7, centre.
    """
    tiles = paint(similarity, theme, signed=True).reshape(-1, side, side, 3)
    repeats = max(1, round(16 / side))
    return picture_figure(mosaic(tiles.repeat(repeats, 1).repeat(repeats, 2), side, theme, 2), theme, 420)


def overlay_pixels(square: Pixels, weights: Array, side: int, theme: Theme = "light") -> Pixels:
    """A pale picture under weights (N,) in the key's colour. The largest weight has the full colour."""
    rgb = enlarge_picture(square).astype(float)
    share = 0.85 * (weights / max(float(weights.max()), 1e-12)).reshape(side, side)
    share = share.repeat(len(rgb) // side, 0).repeat(len(rgb) // side, 1)[..., None]
    grey = 0.3 * rgb + 0.7 * rgb.mean(-1, keepdims=True)
    pale = 0.55 * grey + 0.45 * _rgb(colour("background", theme))
    return (share * _rgb(colour("key", theme)) + (1 - share) * pale).round().astype(np.uint8)


def _rgb(tone: str) -> NDArray[np.float64]:
    return np.array([int(tone[i : i + 2], 16) for i in (1, 3, 5)], float)


def overlay_figure(
    square: Pixels, weights: Array, side: int, chosen: int, theme: Theme = "light", height: int = 360
) -> go.Figure:
    """`overlay_pixels` as a figure, with a frame around the patch that looks (-1: the class token)."""
    rgb = overlay_pixels(square, weights, side, theme)
    return picture_figure(rgb, theme, height, shapes=patch_frame(chosen, side, len(rgb) / side, theme))


def features_figure(colours: Array, side: int, theme: Theme = "light") -> go.Figure:
    """Patches in three colours (N, 3), 0..1."""
    rgb = np.rint(colours.reshape(side, side, 3) * 255).astype(np.uint8)
    return picture_figure(enlarge_pixels(rgb, MIN_SIDE_PIXELS), theme, 360)


def saliency_figure(square: Pixels, saliency: Array, theme: Theme = "light") -> go.Figure:
    """The picture in its colours where `saliency` (H, W) is 1, pale where it is 0."""
    rgb, share = square.astype(float), np.clip(saliency, 0, 1)[..., None]
    pale = 0.22 * rgb.mean(-1, keepdims=True) + 0.78 * _rgb(colour("background", theme))
    return picture_figure(
        enlarge_pixels((share * rgb + (1 - share) * pale).round().astype(np.uint8), MIN_SIDE_PIXELS), theme, 360
    )


def probabilities_figure(
    runs: Mapping[str, Sequence[float]],
    labels: Sequence[str],
    theme: Theme = "light",
    noun: str = "digit",
    kind: str = "softmax",
) -> go.Figure:
    """One bar for each class and run, side by side. The bars of a single run have their values.

    `kind` is that of the scores, a configuration's `label_scores`.
    """
    fig, is_number = go.Figure(), kind == "none"
    for place, (name, values) in enumerate(runs.items()):
        texts = [
            write_score(value, kind) if len(runs) == 1 and (is_number or value >= 0.05) else "" for value in values
        ]
        fig.add_bar(
            x=list(labels), y=list(values), name=name, marker_color=SERIES[theme][place % len(SERIES[theme])],
            text=texts, textposition="outside",
            **told(values, name + ": %{x}, ", write=partial(write_score, kind=kind), axis="y"),
        )  # fmt: skip
    apply_style(fig, theme, height=300)
    fig.update_xaxes(type="category", title_text=noun)
    fig.update_yaxes({} if is_number else {"range": [0, 1.1], "tickformat": AXIS_PERCENT}, title_text=score_noun(kind))
    fig.update_layout(legend={"orientation": "h", "y": 1.18}, margin={"t": 30}, showlegend=len(runs) > 1)
    return fig


def cost_figure(
    sides: Sequence[int], lines: Mapping[str, Sequence[float]], here: tuple[int, float], theme: Theme = "light"
) -> go.Figure:
    """Attention entries against the side of a square picture, one line for each patch size, on logarithmic axes."""
    fig = go.Figure()
    for place, (name, values) in enumerate(lines.items()):
        fig.add_scatter(
            x=list(sides), y=list(values), name=name, mode="lines", line={"width": 2.5, "color": SERIES[theme][place]},
            **told(values, name + "<br>%{x} x %{x} pixels: ", f" entries{END}", write=large, axis="y"),
        )  # fmt: skip
    fig.add_scatter(
        x=[here[0]], y=[here[1]], name="this picture in this model", mode="markers",
        marker={"size": 12, "color": colour("text", theme), "symbol": "diamond"},
        hovertemplate=f"{large(here[1])} entries<extra></extra>",
    )  # fmt: skip
    apply_style(fig, theme, height=400)
    fig.update_xaxes(
        type="log", title_text="side of the picture, pixels", tickvals=list(sides), ticktext=list(map(str, sides)),
        range=[float(np.log10(sides[0] * 0.85)), float(np.log10(sides[-1] * 1.15))],
    )  # fmt: skip
    fig.update_yaxes(type="log", title_text="attention entries of one head", exponentformat="power")
    fig.update_layout(legend={"orientation": "h", "y": -0.22})
    return fig
