"""The map of a run for print (Matplotlib): what enters, the shown layer's attention and neurons, what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from viz.home.map import Array, Map, Outcome, StackData, chips, strongest, strongest_neurons
from viz.print.files import set_fonts
from viz.shared.payload import pool
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme, percent

WIDE, TALL = 9.0, 2.3  # inches: of the map, and of one stack's row
SIDE = 40  # queries or keys of one small attention picture


def map_picture(shown: Map, title: str, *, theme: Theme = "light") -> Figure:
    """One row a stack, from left to right: its input, the heads of its attentions, its neurons, the size of its
    residual stream; and what came out at the end of the last row."""
    ink = COLOURS[theme]
    figure = Figure(figsize=(WIDE, TALL * len(shown.stacks) + 0.5), facecolor=ink["background"])
    figure.suptitle(title, x=0.01, y=0.995, ha="left", fontsize=10, color=ink["muted"])
    rows = figure.subfigures(len(shown.stacks), 1, squeeze=False).flat
    for place, (row, stack) in enumerate(zip(rows, shown.stacks, strict=True)):
        row.set_facecolor("none")
        _row(row, stack, shown.outcome if place == len(shown.stacks) - 1 else None, theme)
    return set_fonts(figure)


def _row(figure: Any, stack: StackData, outcome: Outcome | None, theme: Theme) -> None:
    """One stack."""
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
    words, left_out = chips(stack.tokens)
    if left_out:
        words.insert(len(words) // 2 + 1, "…")
    _matrix(parts[0], stack.embedding, f"{stack.title or 'Input'}: tokens × {stack.embedding.shape[1]}", theme)
    rows = strongest(stack.embedding).shape[0]
    places = np.linspace(0, rows - 1, len(words))
    parts[0].set_yticks(places, words, fontsize=7, color=ink["text"])
    parts[0].tick_params(length=0)
    for axes, attention in zip(parts[1:], stack.attentions, strict=False):
        _heads(axes, attention.weights, attention.framed, theme)
        _named(axes, attention.title.replace(" · ", f"\nlayer {stack.layer}, "), ink["query"])
    neurons, _ = strongest_neurons(stack.activated)
    _matrix(parts[-3], neurons, f"{neurons.shape[1]} of {stack.activated.shape[1]:,}\nneurons", theme)
    tones = [ink["residual" if layer == stack.layer else "masked"] for layer in range(stack.n_layers)]
    parts[-2].barh(range(stack.n_layers), stack.sizes, color=tones)
    parts[-2].invert_yaxis()
    _named(parts[-2], f"|residual|\n{stack.n_layers} layers", ink["residual_text"])
    if outcome is not None:
        _outcome(parts[-1], outcome, theme)


def _matrix(axes: Any, values: Array, name: str, theme: Theme) -> None:
    drawn = strongest(values)
    reach = np.percentile(np.abs(drawn), 99) or np.abs(drawn).max() or 1.0
    tones = LinearSegmentedColormap.from_list("signed", list(SIGNED[theme]))
    axes.imshow(drawn, cmap=tones, vmin=-reach, vmax=reach, aspect="auto", interpolation="nearest")
    _named(axes, name, COLOURS[theme]["muted"])


def _heads(axes: Any, weights: Array, framed: int, theme: Theme) -> None:
    """Every head as a small picture, as many in a row as there are rows; round one of them a frame."""
    heads, queries, keys = pool(weights, SIDE).shape
    across = int(np.ceil(np.sqrt(heads)))
    gap = max(1, keys // 10)
    sheet = np.full((-(-heads // across) * (queries + gap), across * (keys + gap)), np.nan)
    for head, matrix in enumerate(pool(weights, SIDE)):
        y, x = head // across * (queries + gap), head % across * (keys + gap)
        sheet[y : y + queries, x : x + keys] = matrix
    corner = framed % across * (keys + gap) - 1, framed // across * (queries + gap) - 1
    tone = COLOURS[theme]["key"]
    axes.add_patch(Rectangle(corner, keys + 1, queries + 1, fill=False, color=tone, linewidth=1.2, clip_on=False))
    tones = LinearSegmentedColormap.from_list("weights", list(SEQUENTIAL[theme]))
    axes.imshow(sheet, cmap=tones, vmin=0, vmax=1, interpolation="nearest")


def _outcome(axes: Any, outcome: Outcome, theme: Theme) -> None:
    ink = COLOURS[theme]
    if outcome.vectors is not None:
        _matrix(axes, outcome.vectors, f"{outcome.title}\n{outcome.note}", theme)
        return
    places = range(len(outcome.shares))
    axes.barh(places, outcome.shares, color=ink["query"])
    for place, (label, share) in enumerate(zip(outcome.labels, outcome.shares, strict=True)):
        axes.text(0.02, place, f"{label}  {percent(share)}", va="center", fontsize=8, color=ink["text"])
    axes.set_xlim(0, 1)
    axes.invert_yaxis()
    for bar in axes.patches:
        bar.set_alpha(0.35)
    _named(axes, f"{outcome.title}\n{outcome.note}", ink["muted"])


def _named(axes: Any, name: str, tone: str) -> None:
    axes.set_title(name, fontsize=8, color=tone, loc="left")
