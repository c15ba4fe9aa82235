"""Colour bars that end before their values do say so."""

from __future__ import annotations

import numpy as np
import pytest

from viz.attention.combine import parts_figure
from viz.block.layer import layers_figure
from viz.print.from_plotly import to_matplotlib
from viz.shared.colour_bars import bar_ticks


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0, 290.0], ["0", "145.0", "290.0"]),
        ([0.0, 21_931.0], ["0", "145.0", "≥ 290.0"]),
        ([-1.0, 290.0], ["≤ 0", "145.0", "290.0"]),
        ([0.0, np.inf, np.nan], ["0", "145.0", "290.0"]),
        ([], ["0", "145.0", "290.0"]),
    ],
)
def test_an_end_that_values_lie_beyond_says_so(values: list[float], expected: list[str]) -> None:
    assert bar_ticks(np.array(values), 0, 290)["ticktext"] == expected


def test_lengths_and_sums_beyond_their_scale_are_told_on_the_page() -> None:
    lengths = np.ones((4, 30))
    lengths[2, 0] = 21_931
    bar = layers_figure(lengths, ["a"] * 30, "lengths").data[0].colorbar
    assert bar.ticktext[-1].startswith("≥ ")
    assert layers_figure(np.ones((4, 30)), ["a"] * 30, "lengths").data[0].colorbar.ticktext[-1] == "1.000"
    parts = np.zeros((3, 400))
    parts[0, 7] = -500.0
    parts[1, :100] = 1.0
    assert parts_figure(parts, parts.sum(0), None).data[0].colorbar.ticktext[0].startswith("≤ ")


def test_print_says_so_too() -> None:
    lengths = np.ones((4, 30))
    lengths[2, 0] = 21_931
    drawn = to_matplotlib(layers_figure(lengths, ["a"] * 30, "lengths"))
    texts = [label.get_text() for axes in drawn.axes for label in axes.get_yticklabels()]
    assert any(text.startswith("≥ ") for text in texts)
