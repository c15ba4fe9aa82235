"""Text on coloured cells and bars, black or white, whichever can be read; and the size at which numbers fit into cells.

assets/components/shared/theme.js chooses in the same way (`inkOn`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import AROUND_NUMBER, text_width
from viz.shared.style import Scale, Theme, number

THEMES: tuple[Theme, ...] = get_args(Theme)
BLACK, WHITE = "#000000", "#ffffff"
LEAST_LETTERS, MOST_LETTERS = 9.0, 15.0  # pixels of the type of a number in a cell
LETTERS_OF_CELL = 0.45  # of a cell's height
CELL_TEXTS = "inks"  # in the `meta` of a trace of `cell_texts`: its ink in each theme


def contrast(one: str, other: str) -> float:
    """How much two colours #rrggbb differ in brightness, from 1 to 21. WCAG 2.2, “contrast ratio”."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(background: str) -> str:
    """Black or white, whichever differs more from the colour #rrggbb. Its contrast is at least 4.58 on any colour."""
    return max(BLACK, WHITE, key=lambda ink: contrast(ink, background))


def colour_at(scale: Scale, place: float) -> str:
    """The colour #rrggbb at a place 0..1 of a scale, as Plotly mixes it. Places beyond it have the nearer end's."""
    stops = [stop for stop, _ in scale]
    channels = [[int(colour[i : i + 2], 16) for _, colour in scale] for i in (1, 3, 5)]
    return "#" + "".join(f"{round(np.interp(place, stops, values)):02x}" for values in channels)


def cell_texts(
    texts: Sequence[Sequence[str]], places: Array, scale: Mapping[Theme, Scale], theme: Theme, font: dict[str, Any]
) -> list[go.Scatter]:
    """The `texts` (rows, columns) of a heatmap's cells, each in the ink of its cell. Cells with an empty text
    or without a number have none.

    `places` (rows, columns), 0..1, are those of the cells' values on their `scale`. The texts are a trace for each ink:
    Plotly has one colour for the texts of a heatmap, and fades the texts of a trace after a click unless it is told the
    colour for that. The `meta` of a trace has its ink in each theme, for a saved page that is read in the other one.
    """
    groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for row, column in np.ndindex(*places.shape):
        if texts[row][column] and np.isfinite(places[row, column]):
            inks = tuple(ink_on(colour_at(scale[each], float(places[row, column]))) for each in THEMES)
            groups.setdefault(inks, []).append((row, column))
    return [
        _texts_of(texts, cells, dict(zip(THEMES, inks, strict=True)), theme, font)
        for inks, cells in sorted(groups.items())
    ]


def _texts_of(
    texts: Sequence[Sequence[str]],
    cells: Sequence[tuple[int, int]],
    inks: Mapping[Theme, str],
    theme: Theme,
    font: dict[str, Any],
) -> go.Scatter:
    return go.Scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        text=[texts[row][column] for row, column in cells],
        mode="text",
        textfont={**font, "color": inks[theme]},
        unselected={"textfont": {"color": inks[theme]}},
        meta={CELL_TEXTS: dict(inks)},
        hoverinfo="skip",
        showlegend=False,
    )


def has_cell_texts(trace: Any) -> bool:
    """Whether a trace of a figure holds the texts of cells."""
    return isinstance(trace.meta, Mapping) and CELL_TEXTS in trace.meta


def number_texts(values: Array) -> list[list[str]]:
    """The numbers of cells (rows, columns) with two decimals. A tiny one is 0.00: a power of ten has no room there.

    A value that is not finite has no text: its cell has a look of its own.
    """

    def write(value: float) -> str:
        if not np.isfinite(value):
            return ""
        return "0.00" if 0 < abs(value) < 0.005 else number(value, 2)

    return [[write(float(value)) for value in row] for row in values]


def letters_in_cells(texts: Sequence[Sequence[str]], width: float, height: float) -> float | None:
    """The size of type, in pixels, at which all `texts` fit into cells of a size in pixels; None where it is too small
    to be read."""
    widest = max((text_width(text, 1) for row in texts for text in row), default=0)
    size = min(MOST_LETTERS, LETTERS_OF_CELL * height, (width - AROUND_NUMBER) / max(widest, 0.1))
    return size if size >= LEAST_LETTERS else None
