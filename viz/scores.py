"""Pictures of the Scores page: the steps of attention as matrices, the scale, the temperature, the geometry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.panels import Array, Scale, as_bytes
from viz.payload import pack
from viz.style import COLOURS, Theme, apply_style, plotly_text
from viz.tokens import shortened


@dataclass(frozen=True)
class Matrix:
    """One matrix of a step. `row` and `column` say what its axes are: query, key or feature. Matrices drawn `together`
    share one signed scale."""

    symbol: str
    values: Array
    row: str
    column: str
    role: str = "text"
    scale: Scale = "signed"
    together: bool = False


@dataclass(frozen=True)
class StepPicture:
    """One step: a b = c ("product"), or c made from a cell by cell ("scale", "mask", "softmax", "rotate", "concat")."""

    kind: str
    matrices: Mapping[str, Matrix]  # a, b, c, and d: the sum that c is part of
    sign: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # numbers for the header
    arrays: Mapping[str, Array] = field(default_factory=dict)


PROJECTIONS = {
    "q": ("Q", "W_Q", "query", "query"),
    "k": ("K", "W_K", "key", "key_text"),
    "v": ("V", "W_V", "key", "value_text"),
}


def step_picture(step: str, head: Mapping[str, Array], of: str, number_of_head: int, divisor: float) -> StepPicture:
    """The picture of one step of a head. `head` has the arrays of `model.head_steps.HeadSteps` by name; `of` is the
    projection that the first two steps show: q, k or v. KeyError for another step."""
    symbol, weight, axis, role = PROJECTIONS[of]
    d_k = head["q"].shape[-1]
    scaled = "÷ " + (f"√{d_k}" if divisor != 1 else "1")
    signed: dict[str, Any] = {"row": "query", "column": "key", "together": True}

    def project() -> StepPicture:
        source = "X" if of == "q" or head["memory"] is head["x"] else "Z"
        bias = head[f"b_{of}"]
        return StepPicture(
            "product",
            {
                "a": Matrix(
                    source,
                    head["x" if of == "q" else "memory"],
                    "query" if of == "q" else axis,
                    "feature",
                    "residual_text",
                ),
                "b": Matrix(weight, head[f"w_{of}"], "feature", "feature", "muted"),
                "c": Matrix(symbol, head["v" if of == "v" else f"{of}_unrotated"], axis, "feature", role),
            },
            arrays={} if bias is None else {"bias": bias},
        )

    def rotate() -> StepPicture:
        before, after = head[f"{of}_unrotated"], head[of]
        return StepPicture(
            "rotate",
            {
                "a": Matrix(f"{symbol} before", before, axis, "feature", role, together=True),
                "c": Matrix(f"{symbol} turned", after, axis, "feature", role, together=True),
            },
            "→",
            {"speeds": [round(float(speed), 9) for speed in head["speeds"]]},
            {"cos": head["cos"], "sin": head["sin"]},
        )

    def mask() -> StepPicture:
        return StepPicture(
            "mask",
            {
                "a": Matrix("S", head["scores"], **signed),
                "b": Matrix("M", head["mask"], **signed, role="masked_text"),
                "c": Matrix("S + M", head["masked"], **signed),
            },
            "+",
        )

    def product(a: Matrix, b: Matrix, c: Matrix, **more: Any) -> StepPicture:
        return StepPicture("product", {"a": a, "b": b, "c": c} | more.pop("also", {}), **more)

    queries = Matrix("Q", head["q"], "query", "feature", "query")
    keys = Matrix("Kᵀ", head["k"].T, "feature", "key", "key_text")
    weights = Matrix("A", head["weights"], "query", "key", "text", "sequential")
    mixed = Matrix("H = A V", head["mixed"], "query", "feature", "value_text")
    raw = Matrix("Q Kᵀ", head["raw_scores"], "query", "key")
    makers = {
        "project": project,
        "rotate": rotate,
        "scores": lambda: product(queries, keys, raw),
        "scale": lambda: StepPicture(
            "scale",
            {"a": Matrix("Q Kᵀ", head["raw_scores"], **signed), "c": Matrix("S", head["scores"], **signed)},
            scaled,
            {"divisor": divisor},
        ),
        "mask": mask,
        "softmax": lambda: StepPicture(
            "softmax", {"a": Matrix("S + M", head["masked"], "query", "key"), "c": weights}, "softmax"
        ),
        "mix": lambda: product(weights, Matrix("V", head["v"], "key", "feature", "value_text"), mixed),
        "concat": lambda: StepPicture(
            "concat",
            {
                "a": Matrix(
                    f"H, head {number_of_head}", head["mixed"], "query", "feature", "value_text", together=True
                ),
                "c": Matrix("all heads", head["concat"], "query", "feature", "value_text", together=True),
            },
            "→",
        ),
        "output": lambda: product(
            Matrix(f"H, head {number_of_head}", head["mixed"], "query", "feature", "value_text"),
            Matrix(f"W_O, rows of head {number_of_head}", head["w_o"], "feature", "feature", "muted"),
            Matrix("what this head adds", head["part"], "query", "feature", "residual_text", together=True),
            also={"d": Matrix("attention output", head["out"], "query", "feature", "residual_text", together=True)},
            extra={"others": "the other heads" + ("" if head["b_o"] is None else " and the bias")},
        ),
    }
    return makers[step]()


def pack_step(
    picture: StepPicture,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    identity: str,
    step: int,
    steps: Sequence[str],
    of: str,
    choices: Sequence[str],
    head: int,
    selected: tuple[int, int],
) -> bytes:
    """A step for the component matrix_steps. `steps` are the titles on the rail, `choices` the projections to choose
    from (q, k, v)."""
    arrays = {name: as_bytes(matrix.values) for name, matrix in picture.matrices.items()}
    arrays |= {name: as_bytes(values) for name, values in picture.arrays.items()}
    about = {
        name: {
            "symbol": matrix.symbol,
            "role": matrix.role,
            "row": matrix.row,
            "column": matrix.column,
            "scale": matrix.scale,
            "together": matrix.together,
        }
        for name, matrix in picture.matrices.items()
    }
    header = {
        "id": identity,
        "kind": picture.kind,
        "matrices": about,
        "sign": picture.sign,
        "tokens": {"query": list(queries), "key": list(keys)},
        "step": step,
        "steps": list(steps),
        "of": of,
        "choices": [
            {"key": c, "symbol": PROJECTIONS[c][0], "role": PROJECTIONS[c][3], "title": _TITLES[c]} for c in choices
        ],
        "head": head,
        "query": selected[0],
        "key": selected[1],
        **picture.extra,
    }
    return pack(header, **arrays)


_TITLES = {"q": "Queries", "k": "Keys", "v": "Values"}


def scale_figure(
    widths: Array, lines: Mapping[str, Array], here: int, theme: Theme = "light", variance: bool = False
) -> go.Figure:
    """Measures over d_k, (widths,) each, by name: "sample" beside "theory", or "without scale" beside "÷ √d_k". `here`
    is the width that is marked. Variances stand on a logarithmic axis, all else starts at 0."""
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
                hovertemplate=f"d_k = %{{x}}<br>{name} %{{y:.3g}}<extra></extra>",
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
    """Several pictures of `scale_figure`, by title, side by side, as one figure with one legend."""
    fig = make_subplots(1, len(pictures), subplot_titles=list(pictures), horizontal_spacing=0.09)
    named: set[str] = set()
    for column, lines in enumerate(pictures.values(), start=1):
        one = scale_figure(widths, lines, here, theme, variance="theory" in lines)
        for trace in one.data:
            fig.add_trace(trace.update(showlegend=trace.name not in named), 1, column)
            named.add(trace.name)
        fig.add_vline(x=here, line=one.layout.shapes[0].line, row=1, col=column)
        for update, axis in ((fig.update_xaxes, one.layout.xaxis), (fig.update_yaxes, one.layout.yaxis)):
            kept = {name: axis[name] for name in ("type", "tickvals", "dtick", "rangemode") if axis[name] is not None}
            update(**kept, title_text=axis.title.text, row=1, col=column)
    apply_style(fig, theme, height=290)
    fig.update_annotations(font={"size": 12, "color": COLOURS[theme]["muted"]})
    return fig.update_layout(legend={"orientation": "h", "y": -0.2, "x": 0}, margin={"t": 30})


def rows_figure(plain: Array, scaled: Array, theme: Theme = "light") -> go.Figure:
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
                hovertemplate="%{y:.3f}<extra></extra>",
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
                hovertemplate="%{y:.3f}<extra>" + label + "</extra>",
            )
            for label, values, colour in (("as in the model", usual, c["masked"]), (name, tempered, c["query"]))
        ]
    )
    shown = [plotly_text(shortened(key, 13)) for key in keys]
    every = -(-len(keys) // 40)
    angle = -45 if len(keys) > 8 else 0
    fig.update_xaxes(tickvals=places[::every], ticktext=shown[::every], tickangle=angle, showgrid=False, zeroline=False)
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
    """Queries (queries, 3) and keys (keys, 3) as points; a line from the chosen query to its best key. Keys that the
    mask hides from it (`visible` False), and the other queries, are grey."""
    c = COLOURS[theme]
    fig = go.Figure()
    key_colours = [c["key"] if seen else c["masked"] for seen in visible]
    query_colours = [c["query"] if i == chosen else c["masked"] for i in range(len(queries))]
    query_sizes = [8 if i == chosen else 4 for i in range(len(queries))]
    for points, labels, colours, sizes, name, shape in (
        (keys, words[1], key_colours, [6] * len(keys), "keys", "circle"),
        (queries, words[0], query_colours, query_sizes, "queries", "diamond"),
    ):
        named = [plotly_text(label) for label in labels]
        shown = [label if name == "keys" or i == chosen else "" for i, label in enumerate(named)]
        fig.add_trace(
            go.Scatter3d(
                **_xyz(points),
                mode="markers+text",
                text=shown,
                customdata=named,
                hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
                textposition="top center",
                textfont={"size": 12, "color": c["key_text"] if name == "keys" else c["query"]},
                marker={"size": sizes, "color": colours, "symbol": shape, "opacity": 1, "line": {"width": 0}},
                name=name,
            )
        )
    if best is not None:
        both = np.stack((queries[chosen], keys[best]))
        fig.add_trace(
            go.Scatter3d(
                **_xyz(both), mode="lines", line={"color": c["text"], "width": 5}, name="best match", hoverinfo="skip"
            )
        )
    axis = {
        "backgroundcolor": c["background"],
        "showbackground": True,
        "gridcolor": c["grid"],
        "zerolinecolor": c["border"],
        "showticklabels": False,
        "color": c["muted"],
    }
    scene = {
        f"{letter}axis": axis | {"title": {"text": f"component {i + 1}: {100 * float(explained[i]):.0f}%"}}
        for i, letter in enumerate("xyz")
    }
    apply_style(fig, theme, height=520)
    return fig.update_layout(
        scene=scene
        | {
            "camera": {"eye": {"x": 1.5, "y": 1.5, "z": 0.8}, "center": {"x": 0, "y": 0, "z": -0.1}},
            "aspectmode": "cube",
        },
        legend={"orientation": "h", "y": 1.02, "x": 0},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )


def _xyz(points: Array) -> dict[str, Array]:
    return {axis: np.asarray(points[:, i], np.float32) for i, axis in enumerate("xyz")}
