"""Pictures of the Scores page: the scale, the temperature, the geometry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.attention.solids import solids_trace
from viz.shared.labels import LINE, names_beside, token_axis
from viz.shared.style import COLOURS, Theme, apply_style, percent, plotly_text
from viz.shared.told import told

SCENE_HEIGHT = 520  # pixels
FIELD_OF_VIEW = 45  # degrees, of Plotly's camera
CAMERA = {  # so far away that all of the cube is in sight on a phone, which is narrower than the figure is high
    "eye": {"x": 2.0, "y": 2.0, "z": 1.07},
    "center": {"x": 0.0, "y": 0.0, "z": -0.1},
}
KEY_RADIUS, CHOSEN_RADIUS, OTHER_RADIUS = 0.013, 0.02, 0.01  # of a key and of queries, as shares of an axis
NAME_SIZE = 12  # pixels
NAME_GROWTH = 1.3  # names in space are drawn larger than they are asked for


def scale_figure(
    widths: Array, lines: Mapping[str, Array], here: int, theme: Theme = "light", variance: bool = False
) -> go.Figure:
    """Measures over d_k, (widths,) each, by name: "sample" beside "theory", or "without scale" beside "÷ √d_k".

    The width `here` is marked. A variance stands on a logarithmic axis. Other measures start at 0.
    """
    c = COLOURS[theme]
    shades = {"theory": c["muted"], "sample": c["text"], "without scale": c["key"]}
    fig = go.Figure(
        [
            go.Scatter(
                x=widths,
                y=np.asarray(values, np.float32),
                name=name,
                mode="lines" if name == "theory" else "lines+markers",
                line={
                    "color": shades.get(name, c["query"]),
                    "dash": "dash" if name == "theory" else "solid",
                    "width": 2,
                },
                marker={"size": 6},
                **told(values, f"d_k = %{{x}}<br>{name} ", axis="y"),
            )
            for name, values in lines.items()
        ]
    )
    fig.add_vline(x=here, line={"color": c["muted"], "width": 1, "dash": "dot"})
    fig.update_xaxes(type="log", tickvals=[1, 4, 16, 64, 256, 1024], title_text="d_k")
    if variance:
        fig.update_yaxes(type="log", dtick=1)
    else:
        fig.update_yaxes(rangemode="tozero")
    apply_style(fig, theme, height=290)
    return fig.update_layout(legend={"orientation": "h", "y": 1.14, "x": 0})


def scales_figure(
    widths: Array, pictures: Mapping[str, Mapping[str, Array]], here: int, theme: Theme = "light"
) -> go.Figure:
    """Several pictures of `scale_figure`, by title, side by side in one figure with one legend."""
    fig = make_subplots(1, len(pictures), subplot_titles=list(pictures), horizontal_spacing=0.09)
    in_legend: set[str] = set()
    for column, lines in enumerate(pictures.values(), start=1):
        one = scale_figure(widths, lines, here, theme, variance="theory" in lines)
        for trace in one.data:
            fig.add_trace(trace.update(showlegend=trace.name not in in_legend), 1, column)
            in_legend.add(trace.name)
        fig.add_vline(x=here, line=one.layout.shapes[0].line, row=1, col=column)
        for update, axis in ((fig.update_xaxes, one.layout.xaxis), (fig.update_yaxes, one.layout.yaxis)):
            names = ("type", "tickvals", "dtick", "rangemode")
            settings = {name: axis[name] for name in names if axis[name] is not None}
            update(**settings, title_text=axis.title.text, row=1, col=column)
    apply_style(fig, theme, height=290)
    fig.update_annotations(font={"size": 12, "color": COLOURS[theme]["muted"]})
    return fig.update_layout(legend={"orientation": "h", "y": -0.2, "x": 0}, margin={"t": 30})


def sorted_weights_figure(plain: Array, scaled: Array, theme: Theme = "light") -> go.Figure:
    """One sampled row of weights (keys,), largest first, without and with the scale."""
    c = COLOURS[theme]
    fig = go.Figure()
    for name, row, colour in (("without scale", plain, c["key"]), ("÷ √d_k", scaled, c["query"])):
        fig.add_trace(
            go.Bar(
                x=np.arange(len(row)),
                y=np.sort(np.asarray(row, np.float32))[::-1],
                name=name,
                marker={"color": colour, "line": {"width": 0}},
                **told(np.sort(np.asarray(row, np.float32))[::-1], "", axis="y"),
            )
        )
    fig.update_xaxes(title_text="keys, the largest weight first", showticklabels=False, showgrid=False, zeroline=False)
    fig.update_yaxes(range=[0, 1.02], title_text="weight")
    apply_style(fig, theme, height=250)
    return fig.update_layout(bargap=0.15, legend={"orientation": "h", "y": 1.16, "x": 0})


def temperature_figure(
    keys: Sequence[str], usual: Array, tempered: Array, name: str, theme: Theme = "light"
) -> go.Figure:
    """One row of weights (keys,) as it is and at another temperature, called `name`. Hidden keys are left out."""
    c = COLOURS[theme]
    places = np.arange(len(keys))
    fig = go.Figure(
        [
            go.Bar(
                x=places,
                y=np.asarray(values, np.float32),
                name=label,
                marker={"color": colour, "line": {"width": 0}},
                **told(values, "", f"<extra>{label}</extra>", axis="y"),
            )
            for label, values, colour in (("as in the model", usual, c["masked"]), (name, tempered, c["query"]))
        ]
    )
    fig.update_xaxes(**token_axis(keys))
    fig.update_yaxes(range=[0, 1.02], title_text="weight")
    apply_style(fig, theme, height=330)
    return fig.update_layout(bargap=0.2, bargroupgap=0.05, legend={"orientation": "h", "y": 1.14, "x": 0})


def geometry_figure(
    queries: Array,
    keys: Array,
    explained: Array,
    words: tuple[Sequence[str], Sequence[str]],
    chosen: int,
    best: int | None,
    visible: Array,
    theme: Theme = "light",
) -> go.Figure:
    """Queries (queries, 3) and keys (keys, 3) as points, with a line from the chosen query to its best key.

    Keys that the mask hides from it (`visible` False) and the other queries are grey. Only the chosen query is named:
    the other queries would hide the keys. Keys are named as far as their names stand apart when the figure opens.
    """
    key_names, query_name = _names_apart(keys, queries[chosen], words[1], words[0][chosen], best, visible)
    every_point = np.concatenate((keys, queries))
    scale = np.ptp(every_point, axis=0)  # (3,): the solids are as wide along each axis on the screen
    shapes = [
        _key_points(keys, words[1], visible, scale, theme),
        _query_points(queries, words[0], chosen, scale, theme),
        *([] if best is None else [_match(queries[chosen], keys[best], theme)]),
        _names(keys, key_names, COLOURS[theme]["key_text"]),
        _names(queries[chosen : chosen + 1], [query_name], COLOURS[theme]["query"], _side(keys, queries[chosen], best)),
    ]
    fig = apply_style(go.Figure(shapes), theme, height=SCENE_HEIGHT)
    return fig.update_layout(
        scene=_scene(explained, theme),
        legend={"orientation": "h", "y": 1.02, "x": 0},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )


def _side(keys: Array, query: Array, best: int | None) -> str:
    """Where the name of the query stands: above its point, but below it where the line to its best key goes up, which
    would cover letters of the name."""
    if best is None:
        return "top center"
    *_, (_, key_down), (_, query_down) = _project(np.concatenate((keys, keys[best : best + 1], query[None])))
    return "bottom center" if key_down < query_down else "top center"


def _names_apart(
    keys: Array, query: Array, words: Sequence[str], query_word: str, best: int | None, visible: Array
) -> tuple[list[str], str]:
    """The name of each key, "" where it would cover another, and the name of the query.

    The query comes first, then its best key, then the keys that it sees.
    """
    *points, (right, down) = _project(np.concatenate((keys, query[None])))
    is_below = _side(keys, query, best) == "bottom center"
    points.append((right, down + 3 * LINE * NAME_SIZE * NAME_GROWTH if is_below else down))
    seen = [place for place in range(len(keys)) if visible[place]]
    first = [len(keys), *([] if best is None else [best]), *seen]
    *names, own = names_beside(points, [*words, query_word], NAME_SIZE * NAME_GROWTH, first)
    return names, own


def _project(points: Array) -> list[tuple[float, float]]:
    """Where points (n, 3) stand on the screen before the reader turns the figure, in pixels (right, down)."""
    low, high = points.min(0), points.max(0)
    places = (points - (low + high) / 2) / np.where(high > low, high - low, 1)
    eye, centre = (np.array([CAMERA[name][axis] for axis in "xyz"]) for name in ("eye", "center"))
    ahead = (centre - eye) / np.linalg.norm(centre - eye)
    right = np.cross(ahead, (0, 0, 1)) / np.linalg.norm(np.cross(ahead, (0, 0, 1)))
    depth = (places - eye) @ ahead
    pixels = SCENE_HEIGHT / (2 * np.tan(np.radians(FIELD_OF_VIEW / 2))) / depth
    across, down = (places - eye) @ right * pixels, -(places - eye) @ np.cross(right, ahead) * pixels
    return list(zip(across.tolist(), down.tolist(), strict=True))


def _key_points(keys: Array, words: Sequence[str], visible: Array, scale: Array, theme: Theme) -> go.Mesh3d:
    c = COLOURS[theme]
    colours = [c["key"] if is_visible else c["masked"] for is_visible in visible]
    radii = np.broadcast_to(KEY_RADIUS * scale, keys.shape)
    return solids_trace("ball", keys, radii, colours, [plotly_text(word) for word in words], "keys", c["key"])


def _query_points(queries: Array, words: Sequence[str], chosen: int, scale: Array, theme: Theme) -> go.Mesh3d:
    c = COLOURS[theme]
    is_chosen = np.arange(len(queries)) == chosen
    colours = [c["query"] if this else c["masked"] for this in is_chosen]
    radii = np.where(is_chosen, CHOSEN_RADIUS, OTHER_RADIUS)[:, None] * scale
    names = [plotly_text(word) for word in words]
    return solids_trace("diamond", queries, radii, colours, names, "queries", c["query"])


def _names(places: Array, names: Sequence[str], tone: str, side: str = "top center") -> go.Scatter3d:
    """`names` above points (n, 3), or at another `side` of them."""
    return go.Scatter3d(
        **_xyz(places),
        mode="text",
        text=[plotly_text(name) for name in names],
        textposition=side,
        textfont={"size": NAME_SIZE, "color": tone},
        hoverinfo="skip",
        showlegend=False,
    )


def _match(query: Array, key: Array, theme: Theme) -> go.Scatter3d:
    line = {"color": COLOURS[theme]["text"], "width": 5}
    return go.Scatter3d(**_xyz(np.stack((query, key))), mode="lines", line=line, name="best match", hoverinfo="skip")


def _scene(explained: Array, theme: Theme) -> dict[str, Any]:
    """Three axes with the share (3,) of the variance that each component keeps.

    They have no walls: a wall would cover the part of a name that reaches behind it.
    """
    c = COLOURS[theme]
    axis = {
        "showbackground": False,
        "gridcolor": c["grid"],
        "zerolinecolor": c["border"],
        "showticklabels": False,
        "color": c["muted"],
    }
    axes = {
        f"{letter}axis": axis | {"title": {"text": f"component {i + 1}: {percent(float(explained[i]))}"}}
        for i, letter in enumerate("xyz")
    }
    return axes | {"camera": CAMERA, "aspectmode": "cube"}


def _xyz(points: Array) -> dict[str, Array]:
    return {axis: np.asarray(points[:, i], np.float32) for i, axis in enumerate("xyz")}
