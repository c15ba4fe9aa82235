"""Pictures of prediction: the player's data, the logit lens, surprise, and the race of two caches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from model.numerals import large, milliseconds
from viz.shared.ink import cell_texts
from viz.shared.labels import text_width, texts_above, token_axis
from viz.shared.payload import pack, printed_codes
from viz.shared.style import (
    AXIS_PERCENT,
    MONO,
    SEQUENTIAL,
    Theme,
    apply_style,
    colour,
    isolate,
    number,
    percent,
    plotly_scale,
    plotly_text,
)
from viz.shared.tokens import shorten

MAX_CELL_CHARACTERS = 9  # of a token in a cell of the lens
CELL_SIZE = 11  # pixels of its type
LENS_WIDTH = 460  # pixels of all cells side by side
RANK_SIZE = 11  # pixels of the type above the bars of surprise
# The model's probability and the filtered one: their names, columns and colours.
FILTERED = (("the model", "model", "query"), ("after the filters", "after min-p", "key"))
SURPRISE_HEIGHT = 200  # pixels of the highest of these bars


def candidates(
    labels: Sequence[str], ids: Sequence[int], logits: Array, model: Array, drawn: Array, chosen: int | None
) -> list[dict[str, Any]]:
    """Rows for the player: each token's logit, the model's probability and the filtered one; (tokens,) each."""
    return [
        {
            "id": int(id),
            "label": label,
            "logit": float(logit),
            "p": float(p),  # not rounded: words beside the player write the same number
            "drawn": float(kept),
            "chosen": chosen is not None and int(id) == chosen,
        }
        for label, id, logit, p, kept in zip(labels, ids, logits, model, drawn, strict=True)
    ]


def pack_player(
    prompt: Sequence[Mapping[str, Any]],
    written: Sequence[Mapping[str, Any]],
    steps: Sequence[Mapping[str, Any]],
    attention: Array,
    *,
    identity: str,
    step: int,
    place: str,
    ended: str,
    is_whole: bool = False,
) -> bytes:
    """The player's data.

    `prompt` and `written` are chips (`viz.shared.tokens.chips`). `steps` has one entry more than `written`. Each entry
    has `candidates`, and the `rank` and `p` of the chosen token; the last has no chosen token. `attention` (steps,
    tokens) is where the last token looks at each step, drawn as a tint. `place` names the head. `ended` says why no
    more tokens follow. `is_whole`: a whole bar is 100%, not the largest one of its step.
    """
    header = {
        "id": identity,
        "prompt": list(prompt),
        "written": list(written),
        "steps": list(steps),
        "step": step,
        "place": place,
        "ended": ended,
        "whole": is_whole,
    }
    return pack(header, attention=printed_codes(attention))


def lens_figure(
    labels: Sequence[Sequence[str]],
    probabilities: Array,
    columns: Sequence[str],
    *,
    selected: tuple[int, int] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """The logit lens: the likeliest token after every layer (rows, the last one on top) at every position (columns).

    `labels` and `probabilities` (layers + 1, positions). A click gives x, the column, and y, the row.
    """
    cells = np.asarray(probabilities, np.float32)
    rows = len(cells)
    font = {"family": MONO, "size": CELL_SIZE}
    words = cell_texts(_cell_texts(labels, len(columns)), cells, SEQUENTIAL, theme, font)
    fig = go.Figure([_lens_cells(cells, theme), *words, _lens_hover(labels, cells, columns)])
    apply_style(fig, theme, height=110 + 21 * rows)
    chosen = () if selected is None else selected[1:]
    fig.update_xaxes(
        **token_axis(columns, LENS_WIDTH, mono=True, chosen=chosen, most=MAX_CELL_CHARACTERS),
        side="top",
        tickfont={"family": MONO},
    )
    fig.update_yaxes(
        tickvals=list(range(rows)),
        ticktext=[layer_name(row, rows) for row in range(rows)],
        showgrid=False,
        zeroline=False,
        range=[-0.5, rows - 0.5],
    )
    if selected is not None:
        y, x = selected
        frame = {"color": colour("key", theme), "width": 2.5}
        fig.add_shape(type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5, line=frame)
    return fig


def _lens_cells(probabilities: Array, theme: Theme) -> go.Heatmap:
    return go.Heatmap(
        z=probabilities,
        zmin=0,
        zmax=1,
        colorscale=plotly_scale(SEQUENTIAL, theme),
        xgap=1,
        ygap=1,
        hoverinfo="skip",
        colorbar={"title": {"text": "probability"}, "thickness": 10, "outlinewidth": 0, "dtick": 0.5},
    )


def _cell_texts(labels: Sequence[Sequence[str]], columns: int) -> list[list[str]]:
    """The tokens in the cells, as many letters of each as fit. No texts where not even three letters do."""
    most = min(int(LENS_WIDTH / columns / text_width("n", CELL_SIZE, mono=True)), MAX_CELL_CHARACTERS)
    return [[plotly_text(shorten(label, most)) if most >= 3 else "" for label in row] for row in labels]


def _lens_hover(labels: Sequence[Sequence[str]], probabilities: Array, columns: Sequence[str]) -> go.Scatter:
    """Transparent squares with the text of each cell. They take clicks, since Streamlit reports none of a heatmap."""
    ys, xs = (each.ravel() for each in np.indices(probabilities.shape))
    hover_texts = [
        f"{plotly_text(columns[x])}, {layer_name(y, len(labels))}: "
        f"{plotly_text(labels[y][x])} {percent(float(probabilities[y, x]))}"
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
    ]
    return go.Scatter(
        x=xs,
        y=ys,
        mode="markers",
        marker={"symbol": "square", "size": 22, "opacity": 0},
        hovertext=hover_texts,
        hoverinfo="text",
        showlegend=False,
    )


def lens_measures_figure(
    entropy: Array, divergence: Array, ranks: Array, *, row: int = -1, theme: Theme = "light"
) -> go.Figure:
    """What a lens measures at one position, (layers + 1,) each: entropy, divergence from the output, and the rank of
    its first token. Layers go to the right. A line marks the row that is chosen."""
    panels = {
        "entropy, bits": entropy, "divergence, bits": divergence, "rank": ranks,
    }  # fmt: skip
    fig = make_subplots(1, len(panels), subplot_titles=list(panels), horizontal_spacing=0.08)
    for column, (name, values) in enumerate(panels.items(), 1):
        texts = [f"{layer_name(each, len(values))}: {number(value)}" for each, value in enumerate(values.tolist())]
        fig.add_scatter(
            y=values, mode="lines+markers", showlegend=False, hovertext=texts, hoverinfo="text", row=1, col=column,
            line={"color": colour("residual", theme), "width": 2}, marker={"size": 5}, name=name,
        )  # fmt: skip
        if row >= 0:
            fig.add_vline(x=row, line={"color": colour("key", theme), "width": 1.5, "dash": "dot"}, row=1, col=column)
    apply_style(fig, theme, height=230)
    fig.update_xaxes(title_text="layers after it", showgrid=False)
    fig.update_yaxes(rangemode="tozero", col=1).update_yaxes(rangemode="tozero", col=2)
    fig.update_yaxes(type="log", dtick=1, exponentformat="power", col=3)
    fig.update_annotations(font={"size": 13, "color": colour("muted", theme)})
    return fig.update_layout(margin={"t": 30})


def layer_name(row: int, rows: int) -> str:
    """Row 0 is the embedding, the last row the model's own prediction."""
    return "embedding" if row == 0 else f"layer {row - 1}" + (" = output" if row == rows - 1 else "")


def candidates_figure(
    rows: Sequence[Mapping[str, Any]],
    read: str,
    theme: Theme = "light",
    sides: Sequence[tuple[str, str, str]] = FILTERED,
) -> go.Figure:
    """Next tokens after the text `read`, with two probabilities each. `sides`: the name of each, its column in `rows`
    and its colour."""
    fig = go.Figure()
    places = list(range(len(rows)))
    for name, column, role in sides:
        shares = np.array([row[column] for row in rows], np.float32)
        fig.add_trace(
            go.Bar(x=shares, y=places, orientation="h", name=plotly_text(name), marker={"color": colour(role, theme)})
        )
    apply_style(fig, theme, height=70 + 30 * len(rows))
    fig.update_xaxes(title="probability", rangemode="tozero", tickformat=AXIS_PERCENT)
    fig.update_yaxes(
        tickvals=places, ticktext=[isolate(plotly_text(row["token"])) for row in rows], autorange="reversed",
        tickfont={"color": colour("text", theme)}, showgrid=False,
    )  # fmt: skip
    end = read if len(read) <= 60 else "…" + read[-59:]
    return fig.update_layout(title={"text": plotly_text(end), "font": {"size": 13}}, margin={"t": 40}, barmode="group")


def surprise_figure(
    labels: Sequence[str], bits: Array, ranks: Sequence[int], given: int, *, theme: Theme = "light"
) -> go.Figure:
    """The surprise of each token in bits, with its rank as the bar's text. bits: (tokens,).

    The first `given` tokens are the reader's. The others are the model's own, and fainter.
    """
    xs = list(range(len(labels)))
    heights = (np.asarray(bits, float) * SURPRISE_HEIGHT / (float(np.max(bits)) or 1.0)).tolist()
    fig = go.Figure(
        go.Bar(
            x=xs,
            y=np.asarray(bits, np.float32),
            marker={
                "color": colour("query", theme),
                "opacity": [1.0 if i < given else 0.4 for i in xs],
            },
            text=texts_above(
                [f"#{rank:,}" for rank in ranks], heights, RANK_SIZE, (int(np.argmax(bits)), 0, len(labels) - 1)
            ),
            textposition="outside",
            textfont={"size": RANK_SIZE, "color": colour("muted", theme)},
            textangle=0,
            constraintext="none",
            cliponaxis=False,
            hovertext=[
                f"{plotly_text(label)}: {number(float(bit), 2)} bits, rank {rank:,}"
                for label, bit, rank in zip(labels, bits, ranks, strict=True)
            ],
            hoverinfo="text",
        )
    )
    apply_style(fig, theme, height=320)
    fig.update_xaxes(**token_axis(labels, mono=True), tickfont={"family": MONO})
    fig.update_yaxes(title="surprise in bits", rangemode="tozero", automargin=True)
    fig.update_layout(bargap=0.25, margin={"l": 8, "r": 8, "t": 24, "b": 8})
    return fig


def pack_race(
    labels: Sequence[str],
    prompt: int,
    sides: Sequence[Mapping[str, Any]],
    *,
    identity: str,
) -> bytes:
    """The race's data. `labels` are all tokens; the first `prompt` of them are the reader's.

    Each side (with the cache, without) has a `title` and `steps`. A step has `computed`, `multiplications`, `bytes`
    and, once it is measured, `seconds`.
    """
    return pack({"id": identity, "labels": list(labels), "prompt": prompt, "sides": list(sides)})


def race_figure(sides: Sequence[Mapping[str, Any]], theme: Theme = "light") -> go.Figure:
    """The race as bars: at every step the tokens found in the cache, and those computed with their cost.

    The cost is the number of multiplications and, once it is measured, the time. `sides` are those of `pack_race`.
    """
    count = len(sides[0]["steps"])
    fig = make_subplots(
        1, len(sides), subplot_titles=[side["title"] for side in sides], shared_yaxes=True, horizontal_spacing=0.04
    )
    longest = max(step["computed"] + step["reused"] for side in sides for step in side["steps"])
    for place, side in enumerate(sides):
        for name, column, role in (("found in the cache", "reused", "masked"), ("computed", "computed", "query")):
            fig.add_bar(
                x=[step[column] for step in side["steps"]], y=list(range(1, count + 1)), orientation="h", name=name,
                legendgroup=name, showlegend=place == 0, marker={"color": colour(role, theme)},
                text=[_describe_cost(step) for step in side["steps"]] if column == "computed" else None,
                textposition="outside", cliponaxis=False, row=1, col=place + 1,
            )  # fmt: skip
    apply_style(fig, theme, height=130 + 24 * count)
    fig.update_xaxes(title_text="tokens", range=[0, 1.45 * longest])
    fig.update_yaxes(autorange="reversed", tickvals=list(range(1, count + 1)), showgrid=False, zeroline=False)
    fig.update_yaxes(title_text="step", col=1)
    fig.update_annotations(font={"size": 13, "color": colour("muted", theme)})
    return fig.update_layout(
        barmode="stack", margin={"t": 30}, legend={"orientation": "h", "y": -0.1, "yanchor": "top", "x": 0}
    )


def _describe_cost(step: Mapping[str, Any]) -> str:
    time = f", {milliseconds(step['seconds'])}" if "seconds" in step else ""
    return large(step["multiplications"]) + time
