"""Words on coloured cells and bars can be read, and numbers stand in cells that have room for them."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.shared.ink import (
    BLACK,
    LEAST_LETTERS,
    MOST_LETTERS,
    WHITE,
    cell_texts,
    colour_at,
    contrast,
    has_cell_texts,
    ink_on,
    letters_in_cells,
    number_texts,
)
from viz.shared.labels import text_width
from viz.shared.style import SEQUENTIAL, SIGNED, Theme


def test_contrasts_are_those_of_wcag() -> None:
    assert contrast(BLACK, WHITE) == 21
    assert contrast("#767676", WHITE) == pytest.approx(4.54, abs=0.005)
    assert contrast(WHITE, "#777777") == pytest.approx(4.48, abs=0.005)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_words_on_any_colour_can_be_read(hue: float, lightness: float, saturation: float) -> None:
    channels = colorsys.hls_to_rgb(hue, lightness, saturation)
    colour = "#" + "".join(f"{round(255 * each):02x}" for each in channels)
    assert contrast(ink_on(colour), colour) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_place_of_a_scale_has_the_colour_of_its_stop_or_between_two(theme: Theme) -> None:
    for scale in (SEQUENTIAL[theme], SIGNED[theme]):
        assert [colour_at(scale, place) for place, _ in scale] == [colour for _, colour in scale]
    assert colour_at(((0, "#000000"), (1, "#ff8000")), 0.5) == "#804000"
    assert colour_at(SEQUENTIAL[theme], 7) == SEQUENTIAL[theme][-1][1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_text_has_the_ink_of_its_cell_also_after_a_click(theme: Theme) -> None:
    places = np.linspace(0, 1, 12).reshape(3, 4)
    texts = [[f"{row}{column}" for column in range(4)] for row in range(3)]
    traces = cell_texts(texts, places, SEQUENTIAL, theme, {"size": 9})
    assert sum(len(trace.text) for trace in traces) == 12
    for trace in traces:
        assert has_cell_texts(trace)
        assert trace.unselected.textfont.color == trace.textfont.color == trace.meta["inks"][theme]
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True):
            assert text == texts[y][x]
            for each, ink in trace.meta["inks"].items():
                assert contrast(ink, colour_at(SEQUENTIAL[each], places[y, x])) >= 4.5


def test_cells_without_a_text_have_none() -> None:
    assert cell_texts([["", ""]], np.zeros((1, 2)), SEQUENTIAL, "light", {}) == []
    assert number_texts(np.array([[0.25, 0.0, 0.001, np.nan, -np.inf, -1.5]])) == [
        ["0.25", "0", "0.00", "", "", "−1.50"]
    ]


@given(st.floats(5, 90), st.floats(5, 90), st.sampled_from(["0.25", "−12.34", "1"]))
def test_numbers_fit_into_their_cells_and_are_large_enough_to_be_read(width: float, height: float, text: str) -> None:
    size = letters_in_cells([[text]], width, height)
    if size is None:
        assert min((width - 4) / text_width(text, 1), 0.45 * height) < LEAST_LETTERS
    else:
        assert LEAST_LETTERS <= size <= MOST_LETTERS
        assert text_width(text, size) <= width
        assert size < height
