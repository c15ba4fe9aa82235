"""The map of a run for print (Matplotlib): its input, the attention and neurons of one layer, its output."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path

from model.arrays import Array
from viz.home.map import Map, Outcome, StackData, chips, strongest, strongest_neurons
from viz.print.files import set_fonts
from viz.shared.payload import pool
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme, write_score

WIDTH_INCHES = 9.0
ROW_INCHES = 2.3  # height of one stack's row
MAX_TOKENS = 40  # queries or keys of one small attention picture


def map_picture(run_map: Map, title: str, *, theme: Theme = "light") -> Figure:
    """One row for each stack: its input, the heads of its attentions, its neurons, the size of its residual stream.

    The last row ends with the output of the run.
    """
    ink = COLOURS[theme]
    figure = Figure(figsize=(WIDTH_INCHES, ROW_INCHES * len(run_map.stacks) + 0.5), facecolor=ink["background"])
    figure.suptitle(title, x=0.01, y=0.995, ha="left", fontsize=10, color=ink["muted"])
    rows = figure.subfigures(len(run_map.stacks), 1, squeeze=False).flat
    above: dict[str, Any] | None = None
    for place, (row, stack) in enumerate(zip(rows, run_map.stacks, strict=True)):
        row.set_facecolor("none")
        parts = _draw_row(row, stack, run_map.outcome if place == len(run_map.stacks) - 1 else None, theme)
        if above is not None and "cross_attn" in parts:
            _draw_memory(figure, above["sizes"], parts["cross_attn"], 1 - place / len(run_map.stacks), theme)
        above = parts
    return set_fonts(figure)


def _draw_memory(figure: Figure, source: Any, target: Any, border: float, theme: Theme) -> None:
    """The arrow from the upper stack's end to the cross-attention that reads it.

    It runs along the `border` of the two rows, a share of the figure's height.
    """
    to_figure = figure.transFigure.inverted()
    x, top = to_figure.transform(source.transAxes.transform((0.3, -0.03)))
    end, bottom = to_figure.transform(target.transAxes.transform((0.93, 1.08)))
    path = Path([(x, top), (x, border), (end, border), (end, bottom)])
    figure.add_artist(
        FancyArrowPatch(
            path=path, transform=figure.transFigure, arrowstyle="-|>", mutation_scale=9, linewidth=1.4,
            color=COLOURS[theme]["value"],
        )
    )  # fmt: skip


def _draw_row(figure: Any, stack: StackData, outcome: Outcome | None, theme: Theme) -> dict[str, Any]:
    """One stack. Returns the axes of its attentions by their `part`, and of the residual stream as "sizes"."""
    ink = COLOURS[theme]
    attentions = len(stack.attentions)
    grid = figure.add_gridspec(
        1, 4 + attentions, width_ratios=[1.3, *[1.5] * attentions, 1.2, 0.7, 1.1], left=0.12, right=0.97, bottom=0.12,
        top=0.74, wspace=0.28,
    )  # fmt: skip
    parts = [figure.add_subplot(grid[0, i], facecolor="none") for i in range(4 + attentions)]
    for axes in parts:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    labels, n_left_out = chips(stack.tokens)
    if n_left_out:
        labels.insert(len(labels) // 2 + 1, "…")
    _draw_matrix(parts[0], stack.embedding, f"{stack.title or 'Input'}: tokens × {stack.embedding.shape[1]}", theme)
    rows = strongest(stack.embedding).shape[0]
    places = np.linspace(0, rows - 1, len(labels))
    parts[0].set_yticks(places, labels, fontsize=7, color=ink["text"])
    parts[0].tick_params(length=0)
    for axes, attention in zip(parts[1:], stack.attentions, strict=False):
        _draw_heads(axes, attention.weights, attention.framed, theme)
        _set_title(axes, attention.title.replace(" · ", f"\nlayer {stack.layer}, "), ink["query"])
    neurons, _ = strongest_neurons(stack.activated)
    _draw_matrix(parts[-3], neurons, f"{neurons.shape[1]} of {stack.activated.shape[1]:,}\nneurons", theme)
    bar_colours = [ink["residual" if layer == stack.layer else "masked"] for layer in range(stack.n_layers)]
    parts[-2].barh(range(stack.n_layers), stack.sizes, color=bar_colours)
    parts[-2].invert_yaxis()
    _set_title(parts[-2], f"|residual|\n{stack.n_layers} layers", ink["residual_text"])
    if outcome is not None:
        _draw_outcome(parts[-1], outcome, theme)
    attended = {attention.part: axes for axes, attention in zip(parts[1:], stack.attentions, strict=False)}
    return {"sizes": parts[-2]} | attended


def _draw_matrix(axes: Any, values: Array, name: str, theme: Theme) -> None:
    cells = strongest(values)
    largest = np.percentile(np.abs(cells), 99) or np.abs(cells).max() or 1.0
    colours = colormap(SIGNED[theme])
    axes.imshow(cells, cmap=colours, vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest")
    _set_title(axes, name, COLOURS[theme]["muted"])


def _draw_heads(axes: Any, weights: Array, framed: int, theme: Theme) -> None:
    """Every head as a small picture, in a square grid. One of them has a frame."""
    heads, queries, keys = pool(weights, MAX_TOKENS).shape
    across = int(np.ceil(np.sqrt(heads)))
    gap = max(1, keys // 10)
    sheet = np.full((-(-heads // across) * (queries + gap), across * (keys + gap)), np.nan)
    for head, matrix in enumerate(pool(weights, MAX_TOKENS)):
        y, x = head // across * (queries + gap), head % across * (keys + gap)
        sheet[y : y + queries, x : x + keys] = matrix
    corner = framed % across * (keys + gap) - 1, framed // across * (queries + gap) - 1
    tone = COLOURS[theme]["key"]
    axes.add_patch(Rectangle(corner, keys + 1, queries + 1, fill=False, color=tone, linewidth=1.2, clip_on=False))
    colours = colormap(SEQUENTIAL[theme])
    axes.imshow(sheet, cmap=colours, vmin=0, vmax=1, interpolation="nearest")


def _draw_outcome(axes: Any, outcome: Outcome, theme: Theme) -> None:
    ink = COLOURS[theme]
    if outcome.vectors is not None:
        _draw_matrix(axes, outcome.vectors, f"{outcome.title}\n{outcome.note}", theme)
        return
    places = range(len(outcome.shares))
    axes.barh(places, outcome.shares, color=ink["query"])
    for place, (label, share) in enumerate(zip(outcome.labels, outcome.shares, strict=True)):
        axes.text(
            0.02, place, f"{label}  {write_score(share, outcome.kind)}", va="center", fontsize=8, color=ink["text"]
        )
    if outcome.kind != "none":
        axes.set_xlim(0, 1)
    axes.invert_yaxis()
    for bar in axes.patches:
        bar.set_alpha(0.35)
    _set_title(axes, f"{outcome.title}\n{outcome.note}", ink["muted"])


def _set_title(axes: Any, name: str, tone: str) -> None:
    axes.set_title(name, fontsize=8, color=tone, loc="left")
