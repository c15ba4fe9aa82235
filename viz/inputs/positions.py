"""Figures of positions: rotary heads, joined vectors, order, and models that differ in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from model.numerals import large, number, percent
from viz.shared.labels import TICK_SIZE, token_rows
from viz.shared.style import (
    MINUS,
    MONO,
    SIGNED,
    Theme,
    apply_style,
    colour,
    make_figure,
    plotly_scale,
    plotly_text,
    with_alpha,
)
from viz.shared.told import told

MAX_JOINED_ROWS = 24  # a picture of more tokens is no higher


def rotary_figure(before: Array, after: Array, labels: tuple[str, str], pair: int, theme: Theme = "light") -> go.Figure:
    """One pair of features of a query and a key as arrows, before and after rotation: (2, 2) each, rows q and k."""
    fig = make_subplots(
        1, 2, subplot_titles=(f"pair {pair} before rotation", "after rotation"), horizontal_spacing=0.06
    )
    reach = 1.15 * float(np.hypot(*np.concatenate((before, after)).T).max()) or 1.0
    ring = np.linspace(0, 2 * np.pi, 73)
    for column, ends in ((1, before), (2, after)):
        for (x, y), role, label in zip(ends, ("query", "key"), labels, strict=True):
            size, tone = np.hypot(x, y), colour(role, theme)
            fig.add_scatter(
                x=size * np.cos(ring),
                y=size * np.sin(ring),
                mode="lines",
                line={"color": with_alpha(tone, 0.3), "width": 1},
                hoverinfo="skip",
                row=1,
                col=column,
            )
            fig.add_scatter(
                x=[0, x],
                y=[0, y],
                mode="lines+markers",
                name=label,
                marker={"symbol": "arrow", "size": 13, "angleref": "previous", "color": tone},
                line={"color": tone, "width": 3},
                hovertemplate=f"{plotly_text(label)}<br>({number(x)}, {number(y)})<extra></extra>",
                row=1,
                col=column,
            )
    axis = {"range": [-reach, reach], "zeroline": True, "showgrid": False, "fixedrange": True, "showline": False}
    apply_style(fig, theme, height=340)
    fig.update_xaxes(**axis, title_text=f"feature {2 * pair}", nticks=5, constrain="domain")
    fig.update_yaxes(**axis, scaleanchor="x", scaleratio=1, constrain="domain", nticks=5)
    fig.update_yaxes(title_text=f"feature {2 * pair + 1}", col=1)
    fig.update_yaxes(scaleanchor="x2", col=2)
    fig.update_annotations(font={"size": 13, "color": colour("muted", theme)})
    return fig.update_layout(showlegend=False, margin={"t": 30})


def distance_figure(
    distances: Array, scores: Array, here: tuple[int, float], theme: Theme = "light", height: int = 280
) -> go.Figure:
    """The score of fixed content by distance, (distances,) each, with a point for the query and key of the sentence."""
    fig = go.Figure()
    fig.add_scatter(
        x=distances,
        y=scores,
        mode="lines",
        line={"color": colour("text", theme), "width": 1.75},
        **told(scores, "%{x} tokens apart: ", axis="y"),
    )
    fig.add_scatter(
        x=[here[0]],
        y=[here[1]],
        mode="markers",
        marker={"size": 11, "color": colour("key", theme), "line": {"color": colour("background", theme), "width": 2}},
        hovertemplate=f"here, %{{x}} apart: {number(here[1])}<extra></extra>",
    )
    apply_style(fig, theme, height=height)
    fig.update_xaxes(title_text="distance t − s, in tokens", zeroline=True)
    fig.update_yaxes(title_text="q · k / √d<sub>k</sub>", zeroline=True)
    return fig.update_layout(showlegend=False)


def contributions_figure(parts: Array, chosen: int, theme: Theme = "light", height: int = 280) -> go.Figure:
    """The part of each pair in one score: (pairs,), fast pairs first. The chosen pair is framed."""
    tones = [colour("query" if part >= 0 else "key", theme) for part in parts]
    fig = go.Figure(
        go.Bar(
            x=np.arange(len(parts)),
            y=parts,
            marker={
                "color": tones,
                "line": {
                    "color": colour("text", theme),
                    "width": [2 if pair == chosen else 0 for pair in range(len(parts))],
                },
            },
            **told(parts, "pair %{x}: ", axis="y"),
        )
    )
    apply_style(fig, theme, height=height)
    fig.update_xaxes(title_text="pair k, fast to slow", showgrid=False)
    fig.update_yaxes(title_text="added to the score", zeroline=True)
    return fig


def joined_figure(
    parts: Mapping[str, Array], widths: Sequence[int], labels: Sequence[str], total: int, theme: Theme = "light"
) -> go.Figure:
    """Matrices (tokens, features) side by side, as wide as their true `widths` in features.

    `parts` have the first features of each matrix, by name ("e", "+ p", "= x"). `total` features fill the figure, so
    figures of the same `total` draw e equally wide. The scale ends at the 98th percentile, so that one outlier does not
    hide the rest.
    """
    gap = 0.03
    unit = (1 - 2 * gap) / max(total, sum(widths))
    starts = np.cumsum([0.0, *(unit * width + gap for width in widths)]).tolist()
    reach = float(np.quantile(np.abs(np.concatenate([part.ravel() for part in parts.values()])), 0.98)) or 1.0
    count = sum(part.size for part in parts.values())
    layout: dict[str, Any] = {"annotations": []}
    heatmaps = []
    # Make the figure in one step. Adding to it piece by piece takes several times as long.
    for n, ((name, part), start, width) in enumerate(zip(parts.items(), starts, widths, strict=False)):
        place = str(n + 1) if n else ""
        heatmaps.append(_joined_part(part, reach, place, count, theme))
        layout |= _joined_axes(place, start, min(start + unit * width, 1))
        layout["annotations"].append(_joined_title(f"<b>{plotly_text(name)}</b>  {len(part)} × {width}", start, theme))
    high = 20 * min(len(labels), MAX_JOINED_ROWS)
    layout["yaxis"] |= token_rows(labels, high, most=16) | {
        "showticklabels": True,
        "tickfont": {"family": MONO, "size": TICK_SIZE, "color": colour("text", theme)},
    }
    return make_figure(heatmaps, theme, 54 + high, margin={"t": 26, "b": 14}, **layout)


def _joined_part(part: Array, reach: float, place: str, count: int, theme: Theme) -> go.Heatmap:
    """One matrix on its own axes, x and y of that `place` ("", "2", "3"). The figure has `count` numbers."""
    return go.Heatmap(
        z=part.astype(np.float32),
        zmin=-reach,
        zmax=reach,
        colorscale=plotly_scale(SIGNED, theme),
        showscale=False,
        **told(part, "token %{y}, feature %{x}: ", count=count),
        xaxis=f"x{place}",
        yaxis=f"y{place}",
    )


def _joined_axes(place: str, start: float, end: float) -> dict[str, Any]:
    hidden = {"showticklabels": False, "showgrid": False, "zeroline": False, "ticks": "", "showline": False}
    return {
        f"xaxis{place}": hidden | {"domain": [start, end], "anchor": f"y{place}"},
        f"yaxis{place}": hidden | {"autorange": "reversed", "anchor": f"x{place}"},
    }


def _joined_title(text: str, start: float, theme: Theme) -> dict[str, Any]:
    return {
        "text": text,
        "x": start,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": colour("muted", theme)},
    }


def cost_figure(titles: Sequence[str], parameters: Sequence[int], theme: Theme = "light") -> go.Figure:
    """Parameters of each way to join e and p. The others are compared with the first, which adds."""
    tones = [colour("query" if i == 0 else "masked_text", theme) for i in range(len(titles))]
    shares = [count / parameters[0] - 1 for count in parameters]
    text = [
        large(count) + ("" if i == 0 else f"<br>({'+' if share >= 0 else ''}{percent(share)})")
        for i, (count, share) in enumerate(zip(parameters, shares, strict=True))
    ]
    fig = go.Figure(
        go.Bar(
            x=list(parameters),
            y=[title.replace(", ", ",<br>") for title in titles],  # a phone has no room for them in one line
            orientation="h",
            marker_color=tones,
            text=text,
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:,} parameters<extra></extra>",
        )
    )
    apply_style(fig, theme, height=56 + 40 * len(titles))
    fig.update_xaxes(showticklabels=False, showgrid=False, zeroline=False, range=[0, 1.6 * max(parameters)])
    fig.update_yaxes(
        autorange="reversed", tickfont={"size": 13, "color": colour("text", theme)}, ticksuffix="  ", showgrid=False
    )
    return fig.update_layout(bargap=0.35)


def order_figure(labels: Sequence[str], without: Array, present: Array, theme: Theme = "light") -> go.Figure:
    """The change of each token's output by shuffling the words, without positions and with them: (tokens,) each.

    Both stand on one log scale.
    """
    floor = 1e-9  # for a difference of exactly 0, which has no place on a log scale
    rows = np.arange(len(labels))
    fig = go.Figure()
    fig.add_scatter(
        x=np.column_stack((np.maximum(without, floor), np.maximum(present, floor), np.full(len(rows), np.nan))).ravel(),
        y=np.repeat(rows, 3),
        mode="lines",
        line={"color": colour("border", theme), "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, values, role in (("without positions", without, "masked_text"), ("with positions", present, "query")):
        fig.add_scatter(
            x=np.maximum(values, floor),
            y=rows,
            mode="markers",
            name=name,
            marker={"size": 10, "color": colour(role, theme)},
            **told(values, f"{name}: "),
        )
    apply_style(fig, theme, height=90 + 24 * len(labels))
    fig.update_xaxes(
        type="log",
        range=[-8, 0.6],
        tickvals=[1e-8, 1e-6, 1e-4, 1e-2, 1],
        ticktext=[f"10<sup>{MINUS}{power}</sup>" for power in (8, 6, 4, 2)] + ["1"],
        title_text="|f(PX) − P f(X)| / |P f(X)|",
        side="top",
    )
    fig.update_yaxes(
        **token_rows(labels, 24 * len(labels), most=16),
        autorange="reversed",
        tickfont={"family": MONO, "size": TICK_SIZE, "color": colour("text", theme)},
    )
    return fig.update_layout(legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0})


def variants_figure(
    titles: Sequence[str], skills: Mapping[str, tuple[Sequence[float], Sequence[float]]], theme: Theme = "light"
) -> go.Figure:
    """Shares 0..1 of right answers of several models, with the words in order and shuffled. A panel for each skill."""
    columns = min(3, len(skills))
    fig = make_subplots(
        -(-len(skills) // columns),
        columns,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=list(skills),
        horizontal_spacing=0.04,
        vertical_spacing=0.12,
    )
    rows = np.arange(len(titles))
    for place, (ordered, shuffled) in enumerate(skills.values()):
        where = {"row": place // columns + 1, "col": place % columns + 1}
        fig.add_scatter(
            x=np.column_stack((ordered, shuffled, np.full(len(rows), np.nan))).ravel(),
            y=np.repeat(rows, 3),
            mode="lines",
            line={"color": colour("border", theme), "width": 2},
            hoverinfo="skip",
            showlegend=False,
            **where,
        )
        for name, values, role in (("shuffled", shuffled, "masked_text"), ("in order", ordered, "query")):
            fig.add_scatter(
                x=list(values),
                y=rows,
                mode="markers",
                name=f"words {name}",
                legendgroup=name,
                showlegend=place == 0,
                marker={"size": 9, "color": colour(role, theme)},
                **told(values, f"words {name}: ", write=percent, axis="x"),
                **where,
            )
    apply_style(fig, theme, height=90 + 2 * (40 + 26 * len(titles)))
    fig.update_xaxes(range=[-0.06, 1.06], tickvals=[0, 0.5, 1], zeroline=False)
    fig.update_yaxes(
        range=[len(titles) - 0.5, -0.5], tickvals=rows, ticktext=list(titles), showgrid=False, zeroline=False
    )
    fig.update_annotations(font={"size": 13, "color": colour("muted", theme)})
    return fig.update_layout(margin={"t": 30}, legend={"orientation": "h", "y": -0.06, "yanchor": "top", "x": 0})
