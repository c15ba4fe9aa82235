"""A translation for print (Matplotlib): the source above, the translation below, and lines of cross-attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from model.arrays import Array
from viz.models.translate import whole_words
from viz.print.files import set_fonts
from viz.print.head_pictures import make_sheet
from viz.shared.style import COLOURS, Theme
from viz.shared.tokens import TokenLike

WORD_INCHES = 0.95
LEAST_WEIGHT = 0.02  # of a line that is drawn


def word_weights(weights: Array, source: Sequence[dict[str, Any]], written: Sequence[dict[str, Any]]) -> Array:
    """Token weights (targets, sources) by words of `whole_words`: sums over source words, means over written words."""
    columns = np.stack([weights[:, word["first"] : word["last"] + 1].sum(1) for word in source], 1)
    return np.stack([columns[word["first"] : word["last"] + 1].mean(0) for word in written])


def lines_picture(
    source: Sequence[TokenLike],
    written: Sequence[TokenLike],
    weights: Array,
    step: int,
    title: str,
    *,
    leftwards: bool = True,
    theme: Theme = "light",
) -> Figure:
    """Cross-attention (targets, sources) of the first `step` written tokens, as lines between words.

    With `leftwards`, Urdu words stand from right to left, as they are read. Else all words stand in the order of
    writing.
    """
    ink = COLOURS[theme]
    source_words, written_words = whole_words(source), whole_words(written)
    figure, axes = make_sheet(WORD_INCHES * max(len(source_words), len(written_words), 3), 2.4, theme)
    lines = word_weights(weights, source_words, written_words)
    is_mirrored = leftwards and any(word["rtl"] for word in written_words)
    places = [len(written_words) - 1 - i if is_mirrored else i for i in range(len(written_words))]
    shift = (len(source_words) - len(written_words)) / 2
    t = np.linspace(0, 1, 30)
    ease = t * t * (3 - 2 * t)
    for i, word in enumerate(written_words):
        if word["last"] >= step:
            break
        x = places[i] + shift
        axes.text(x, 1.08, word["text"], ha="center", va="top", fontsize=12, color=ink["text"])
        for j, weight in enumerate(lines[i]):
            if weight >= LEAST_WEIGHT:
                axes.plot(
                    x + (j - x) * ease, 1 - t, color=ink["query"], linewidth=0.5 + 3 * weight,
                    alpha=min(0.12 + 0.8 * float(weight), 1), solid_capstyle="round",
                )  # fmt: skip
    for j, word in enumerate(source_words):
        axes.text(j, -0.08, word["text"], ha="center", va="bottom", fontsize=12, color=ink["key_text"])
    edges = min(0, shift), max(len(source_words), len(written_words) + shift) - 1
    axes.set_xlim(edges[0] - 0.6, edges[1] + 0.6)
    axes.set_ylim(1.3, -0.3)
    axes.set_axis_off()
    axes.set_title(title, fontsize=10, color=ink["muted"])
    return set_fonts(figure)
