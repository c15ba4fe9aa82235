"""Pictures of the account of a logit: its parts by layer, the largest ones, and what is behind a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from model.other_names import lens_name, short_name
from viz.shared.colour_bars import ABOVE_PIXELS, bar_above
from viz.shared.labels import PLOT_WIDTH, fit_rows, names_beside, text_width, token_axis
from viz.shared.style import SERIES, SIGNED, Theme, apply_style, colour, number, plotly_scale, plotly_text

ROW_PIXELS, LEAST_MAP_PIXELS = 11, 260
MAP_WIDTH = 360  # pixels of the map of parts, beside its running total
BAR_PIXELS = 26  # the height of one bar
SCATTER_PIXELS, PHONE_PIXELS = 400, 280  # the height of the scatter, and its width on a phone
NAME_SIZE = 11  # pixels of the type of names in a picture
ATTENTIONS = {"self_attn": "head", "cross_attn": "cross head"}
BIASES = {"attn_norm": "norm after attention", "cross_norm": "norm after cross-attention", "ffn_norm": "last norm"}


def part_title(name: str) -> str:
    """The name of a part of an account in words: "layer 9, head 2" for "decoder.9.self_attn.heads.2"."""
    match name.removeprefix("decoder.").removeprefix("encoder.").split("."):
        case ["embed", "tokens"]:
            return "the token's embedding"
        case ["embed", "positions"]:
            return "its position"
        case ["embed", "segments"]:
            return "its segment"
        case ["embed", "norm", "bias"]:
            return "bias of the embedding's norm"
        case ["final_norm", "bias"]:
            return "bias of the final norm"
        case ["transform", "norm", "bias"]:
            return "bias of the norm before the answer"
        case ["transform", "bias"]:
            return "bias of the step before the answer"
        case ["logits", "bias"]:
            return "bias of the output layer"
        case [layer, "ffn"]:
            return f"layer {layer}, feed-forward"
        case [layer, "ffn", "experts", expert]:
            return f"layer {layer}, expert {expert}"
        case [layer, "ffn", "shared"]:
            return f"layer {layer}, shared expert"
        case [layer, "ffn", "edit"]:
            return f"layer {layer}, edit of feed-forward"
        case [layer, part, "heads", head]:
            return f"layer {layer}, {ATTENTIONS[part]} {head}"
        case [layer, "self_attn" | "cross_attn", "bias"]:
            return f"layer {layer}, bias of W_O" + (" (cross)" if "cross_attn" in name else "")
        case [layer, "resid_in", "edit"]:
            return f"layer {layer}, edit of the stream"
        case [layer, "self_attn" | "cross_attn", "edit"]:
            return f"layer {layer}, edit of attention" + (" (cross)" if "cross_attn" in name else "")
        case [layer, _, "norm", "bias"]:
            return f"layer {layer}, bias of the norm before attention"
        case [layer, _, "query" | "key" | "value" as side, "bias"]:
            return f"layer {layer}, bias of W_{side[0].upper()}"
        case [layer, _, "query" | "key" | "value" as side, "edit"]:
            return f"layer {layer}, edit of the {side}"
        case [layer, norm, "bias"] if norm in BIASES:
            return f"layer {layer}, bias of the {BIASES[norm]}"
    return name


@dataclass(frozen=True)
class PartMap:
    """The parts of an account as a table: rows are the embedding, each layer and the output, bottom to top.

    `names` has the part of a cell, or "" where a cell is a sum of several or empty. `values` is NaN where a cell is
    empty. `running` is the sum of all rows so far. `has_hooks`: TransformerLens calls the layers blocks, as it does
    where a model has one stack.
    """

    rows: list[str]
    columns: list[str]
    names: list[list[str]]
    values: Array  # (rows, columns)
    running: Array  # (rows,)
    has_hooks: bool


def part_map(parts: Mapping[str, float], n_layers: int) -> PartMap:
    """The table of an account's parts, by their names. Its last column is for what is no head and no feed-forward."""
    columns: dict[str, int] = {}
    places: dict[str, tuple[int, str]] = {}
    for name in parts:
        pieces = name.removeprefix("decoder.").removeprefix("encoder.").split(".")
        row = int(pieces[0]) + 1 if pieces[0].isdigit() else 0 if pieces[0] == "embed" else n_layers + 1
        column = "ffn" if pieces[-1] == "ffn" else "other"
        if "ffn" in pieces and pieces[-1] != "edit":
            column = _ffn_column(pieces, len([at for at in places.values() if at[0] == row and "ffn" in at[1]]))
        if "heads" in pieces:
            column = f"{'' if pieces[1] == 'self_attn' else 'c'}{pieces[-1]}"
        places[name] = (row, column)
        columns.setdefault(column, 0)
    ffns = sorted(column for column in columns if "ffn" in column) or ["ffn"]
    order = [*(column for column in columns if column not in (*ffns, "other")), *ffns, "other"]
    names = [["" for _ in order] for _ in range(n_layers + 2)]
    values = np.full((n_layers + 2, len(order)), np.nan)
    for name, (row, column) in places.items():
        at = order.index(column)
        names[row][at] = name if np.isnan(values[row, at]) else ""
        values[row, at] = np.nan_to_num(values[row, at]) + parts[name]
    rows = ["embedding", *(f"layer {layer}" for layer in range(n_layers)), "output"]
    running = np.nancumsum(np.nansum(values, axis=1))
    return PartMap(rows, order, names, values, running, has_hooks="embed.tokens" in parts)


def _ffn_column(pieces: list[str], before: int) -> str:
    """The column of a feed-forward, or of an expert: the best one of a token first, a shared one last."""
    if pieces[-1] == "ffn":
        return "ffn"
    return "ffn shared" if pieces[-1] == "shared" else f"ffn {before + 1}"


def account_figure(table: PartMap, opened: str = "", theme: Theme = "light") -> go.Figure:
    """The map of all parts on the signed scale, layers upwards, and beside it the running total along depth.

    A click on a cell gives x, its column, and y, its row. The part `opened` is framed.
    """
    height = 70 + max(LEAST_MAP_PIXELS, ROW_PIXELS * len(table.rows))
    fig = make_subplots(1, 2, shared_yaxes=True, column_widths=[0.66, 0.34], horizontal_spacing=0.04)
    side = min((height - 70) / len(table.rows), MAP_WIDTH / len(table.columns))  # of a cell that a pointer can find
    fig.add_traces([_cells(table, theme), _cell_hover(table, side)], rows=1, cols=1)
    steps = [f"{row}: {number(value)}" for row, value in zip(table.rows, table.running.tolist(), strict=True)]
    fig.add_scatter(
        x=table.running, y=list(range(len(table.rows))), orientation="h", mode="lines+markers", row=1, col=2,
        hovertext=steps, hoverinfo="text", line={"color": colour("residual", theme), "width": 2}, marker={"size": 5},
        showlegend=False,
    )  # fmt: skip
    apply_style(fig, theme, height=height + ABOVE_PIXELS)
    fig.update_layout(margin_t=ABOVE_PIXELS)
    shown = fit_rows(table.rows, height - 70)
    rows = {"tickvals": shown.places, "ticktext": shown.texts, "range": [-0.6, len(table.rows) - 0.4]}
    fig.update_yaxes(**rows, showgrid=False, zeroline=False)
    fig.update_xaxes(**token_axis(table.columns, MAP_WIDTH), title_text="heads, feed-forward, biases", row=1, col=1)
    fig.update_xaxes(title_text="the sum so far", row=1, col=2)
    for y, names in enumerate(table.names):
        if opened and opened in names:
            x = names.index(opened)
            frame = {"color": colour("key", theme), "width": 2.5}
            fig.add_shape(type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5, line=frame, row=1, col=1)
    return fig


def _cells(table: PartMap, theme: Theme) -> go.Heatmap:
    reach = float(np.nanmax(np.abs(table.values), initial=0.0)) or 1.0
    return go.Heatmap(
        z=table.values, zmin=-reach, zmax=reach, colorscale=plotly_scale(SIGNED, theme), xgap=1, ygap=1,
        hoverinfo="skip", colorbar=bar_above(table.values, -reach, reach),
    )  # fmt: skip


def _cell_hover(table: PartMap, side: float) -> go.Scatter:
    """Transparent squares with the text of each cell, `side` pixels wide. They take clicks, as Streamlit reports none
    of a heatmap."""
    ys, xs = np.nonzero(~np.isnan(table.values))
    texts = []
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        part = table.names[y][x]
        title = part_title(part) if part else f"{table.rows[y]}, {table.columns[x]}"
        others = _other_names(part) if table.has_hooks else ""
        texts.append(f"{title}: {number(float(table.values[y, x]))}{others}")
    square = {"symbol": "square", "size": side, "opacity": 0}
    return go.Scatter(x=xs, y=ys, mode="markers", marker=square, hovertext=texts, hoverinfo="text", showlegend=False)


def _other_names(part: str) -> str:
    """A line with the names that papers and TransformerLens have for a part, where they have one."""
    hook = lens_name(part)
    return f"<br>{short_name(part)}, {hook}" if hook else ""


def bars_figure(
    parts: Mapping[str, float], axis: str, *, quiet: Sequence[str] = (), theme: Theme = "light"
) -> go.Figure:
    """Signed bars by name, the first on top. Those of `quiet`, which stand for many, are grey. A click gives y."""
    values = np.array(list(parts.values()), np.float64)
    tones = [
        colour("masked" if name in quiet else "query" if value >= 0 else "key", theme) for name, value in parts.items()
    ]
    fig = go.Figure(
        go.Bar(
            x=values, y=list(range(len(values))), orientation="h", marker={"color": tones}, hoverinfo="text",
            hovertext=[f"{plotly_text(name)}: {number(value)}" for name, value in parts.items()],
            text=[number(value, 2) for value in values.tolist()], textposition="outside", cliponaxis=False,
        )
    )  # fmt: skip
    apply_style(fig, theme, height=60 + BAR_PIXELS * len(values))
    low, high = min(values.min(initial=0.0), 0.0), max(values.max(initial=0.0), 0.0)
    span = (high - low) or 1.0  # with room for the numbers at the ends of the bars, to the left beside the names
    fig.update_xaxes(title_text=axis, range=[low - 0.4 * span * (low < 0), high + 0.22 * span * (high > 0)])
    fig.update_yaxes(
        tickvals=list(range(len(values))), ticktext=[plotly_text(name) for name in parts],
        range=[len(values) - 0.5, -0.5], showgrid=False, tickfont={"color": colour("text", theme)},
    )  # fmt: skip
    return fig


def sources_figure(
    parts: Array,
    tokens: Sequence[str],
    theme: Theme = "light",
    *,
    axis: str = "part of the logit",
    room: float = PLOT_WIDTH,
) -> go.Figure:
    """A number for each token, (tokens,), such as what it gives, as signed bars above and below zero.

    `room`: the pixels that the picture has to the right.
    """
    values = np.asarray(parts, np.float64)
    tones = [colour("query" if value >= 0 else "key", theme) for value in values.tolist()]
    texts = [f"{plotly_text(token)}: {number(value)}" for token, value in zip(tokens, values.tolist(), strict=True)]
    fig = go.Figure(
        go.Bar(x=list(range(len(values))), y=values, marker={"color": tones}, hovertext=texts, hoverinfo="text")
    )
    apply_style(fig, theme, height=260)
    fig.update_xaxes(**token_axis(tokens, room))
    fig.update_yaxes(title_text=axis)
    return fig


def measures_figure(shares: Mapping[str, Array], tokens: Sequence[str], theme: Theme = "light") -> go.Figure:
    """Several measures of what each token does, (tokens,) each, side by side. The sizes of a measure sum to 1."""
    fig = go.Figure()
    for tone, (name, values) in zip(SERIES[theme], shares.items(), strict=False):
        texts = [
            f"{plotly_text(token)}, {name}: {number(value)}"
            for token, value in zip(tokens, values.tolist(), strict=True)
        ]
        fig.add_bar(
            x=list(range(len(tokens))), y=values, name=name, marker={"color": tone}, hovertext=texts, hoverinfo="text"
        )
    apply_style(fig, theme, height=360)
    fig.update_xaxes(**token_axis(tokens))
    fig.update_yaxes(title_text="share of the measure")
    return fig.update_layout(barmode="group", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})


def cause_figure(
    titles: Sequence[str],
    direct: Array,
    fall: Array,
    named: Sequence[int],
    theme: Theme = "light",
    loses: str = "the logit loses",
) -> go.Figure:
    """Each part as a point: what leaves the account when it is taken away, and what the logit or the lead really loses.

    On the diagonal the two agree. The points of `named` have their names beside them, the first ones before the others.
    `loses`: that of an `AskedNumber`.
    """
    values = np.concatenate([direct, fall, np.zeros(1)])
    low, high = float(values.min()), float(values.max())
    rim = 0.06 * ((high - low) or 1.0)
    ends = [low - rim, high + rim]
    texts = [
        f"{plotly_text(title)}<br>direct: {number(x)}<br>{loses}: {number(y)}"
        for title, x, y in zip(titles, direct.tolist(), fall.tolist(), strict=True)
    ]
    sides = _sides(direct, ends)
    fig = go.Figure()
    line = {"color": colour("masked", theme), "width": 1.5, "dash": "dot"}
    fig.add_scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    fig.add_scatter(
        x=direct, y=fall, mode="markers+text", hovertext=texts, hoverinfo="text", showlegend=False,
        marker={"size": 8, "color": colour("query", theme), "opacity": 0.75},
        text=_names(titles, direct, fall, named, sides, ends), textposition=sides,
        textfont={"size": NAME_SIZE, "color": colour("text", theme)}, cliponaxis=False,
    )  # fmt: skip
    apply_style(fig, theme, height=SCATTER_PIXELS)
    fig.update_xaxes(title_text="its direct part", range=ends)
    fig.update_yaxes(title_text=f"what {loses} without it", range=ends)
    return fig


def _sides(direct: Array, ends: list[float]) -> list[str]:
    """Where the name of each point stands: near an edge of the picture on the other side, else in the middle."""
    places = (direct - ends[0]) / (ends[1] - ends[0])
    return ["top right" if place < 0.25 else "top left" if place > 0.75 else "top center" for place in places.tolist()]


def _names(
    titles: Sequence[str], direct: Array, fall: Array, named: Sequence[int], sides: Sequence[str], ends: list[float]
) -> list[str]:
    """The names that have room on a phone, and "" for the other points."""
    low, high = ends
    right = PHONE_PIXELS * (direct - low) / (high - low)
    down = SCATTER_PIXELS * (high - fall) / (high - low)
    shifts = {"top right": 0.5, "top left": -0.5, "top center": 0.0}  # of the width of a name
    points = [(float(right[i]) + shifts[sides[i]] * text_width(titles[i], NAME_SIZE), float(down[i])) for i in named]
    texts = names_beside(points, [titles[i] for i in named], NAME_SIZE, range(len(named)))
    by_place = dict(zip(named, texts, strict=True))
    return [plotly_text(by_place.get(i, "")) for i in range(len(titles))]
