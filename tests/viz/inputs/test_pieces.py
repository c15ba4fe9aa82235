"""Pieces as rows of chips: each piece over the letters that it holds, in the reader's direction."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.inputs.pieces import (
    LEAST_LETTER,
    LINE_CHARACTERS,
    MAX_LINES,
    MAX_STEPS,
    place_pieces,
    readable,
    samples_figure,
    spelling_figure,
    tokenisers_figure,
)
from viz.print.files import file_of
from viz.print.from_plotly import to_matplotlib
from viz.shared.style import COLOURS, Theme, with_alpha

MERGED = [["·", "f", "o", "x"], ["·", "fo", "x"], ["·", "fox"], ["·fox"]]
CUT = [["trans", "formers"], ["trans", "##form", "ers"], ["trans", "##form", "##ers"]]


def edges(steps: list[list[str]]) -> list[list[tuple[float, float]]]:
    return [[(chip.start, chip.end) for chip in row] for row in place_pieces(steps)]


def test_a_merged_piece_stands_over_the_two_that_it_was() -> None:
    first, second, third, last = edges(MERGED)
    assert second[1] == (first[1][0], first[2][1])
    assert third == [first[0], (first[1][0], first[3][1])]
    assert last == [(0, first[3][1])]
    strong = [[chip.label for chip in row if chip.is_new] for row in place_pieces(MERGED)]
    assert strong == [[], ["fo"], ["fox"], ["·fox"]]


def test_a_cut_piece_leaves_its_place_to_its_parts() -> None:
    first, second, last = edges(CUT)
    assert first[0] == second[0] == last[0]
    assert first[1] == (second[1][0], second[2][1])
    assert second == last
    strong = [[chip.label for chip in row if chip.is_new] for row in place_pieces(CUT)]
    assert strong == [[], ["##form", "ers"], []]


@given(st.text("abc", min_size=1, max_size=9), st.data())
def test_every_row_is_whole_and_every_label_has_room(word: str, data: st.DataObject) -> None:
    steps = [list(word)]
    while len(steps[-1]) > 1:
        at = data.draw(st.integers(0, len(steps[-1]) - 2))
        now = steps[-1]
        steps.append([*now[:at], now[at] + now[at + 1], *now[at + 2 :]])
    for row in place_pieces(steps):
        assert row[0].start == 0
        assert all(left.end == pytest.approx(right.start) for left, right in pairwise(row))
        assert all(chip.end - chip.start >= len(chip.label) + 1 - 1e-9 for chip in row)
    assert len({round(row[-1].end, 6) for row in place_pieces(steps)}) == 1


def test_the_spelling_names_its_merges_and_frames_the_step() -> None:
    figure = spelling_figure(MERGED, [None, 7, 1234, 20], 2)
    assert list(figure.layout.yaxis.ticktext) == ["0", "1 · merge 7", "2 · merge 1,234", "3 · merge 20"]
    (frame,) = figure.layout.shapes
    assert (frame.y0, frame.y1, frame.line.color) == (1.5, 2.5, COLOURS["light"]["key"])
    chips, words = figure.data
    assert list(words.text) == [label for step in MERGED for label in step]
    strong = [label for label, tone in zip(words.text, chips.marker.color, strict=True) if tone.endswith(",0.5)")]
    assert strong == ["fo", "fox", "·fox"]
    assert not spelling_figure([["word"]], [None], 0).layout.shapes


def test_of_very_many_steps_the_framed_one_and_both_ends_are_drawn() -> None:
    word = "a" * 200
    steps = [["a" * (i + 1), *"a" * (199 - i)] for i in range(200)]
    figure = spelling_figure(steps, [None, *range(199)], 101)
    names = list(figure.layout.yaxis.ticktext)
    assert len(names) <= MAX_STEPS
    assert (names[0], names[-1]) == ("0", "199 · merge 198")
    assert names[round(figure.layout.shapes[0].y0 + 0.5)] == "101 · merge 100"
    assert figure.data[1].text[-1] == word


def test_urdu_begins_at_the_right() -> None:
    figure = tokenisers_figure({"one": ["میں", "·ہوں"]}, leftwards=True)
    left, right = figure.layout.xaxis.range
    assert left > right
    first, second = figure.data[1].x
    assert first < second, "and so further to the right"
    left, right = tokenisers_figure({"one": ["I", "·am"]}).layout.xaxis.range
    assert left < right


def test_each_tokeniser_has_its_pieces_in_lines_that_fit() -> None:
    many = ["seven··"] * 200
    figure = tokenisers_figure({"<b>": ["I", "·am"], "many": many, "none": []})
    names = list(figure.layout.yaxis.ticktext)
    assert names[:2] == ["&lt;b&gt; · 2 tokens", "many · 200 tokens"]
    assert names[-1] == "none · 0 tokens"
    assert len(names) == 2 + MAX_LINES
    chips, words = figure.data
    assert list(words.text[:2]) == ["I", "·am"]
    n_pieces = MAX_LINES * (LINE_CHARACTERS // 8)
    assert words.text[-1] == f"… {200 - n_pieces} more"
    assert list(words.text[2:-1]) == many[:n_pieces]
    rows = np.array(chips.y)
    assert all(np.diff(np.array(chips.base)[rows == row]).min(initial=1) > 0 for row in set(chips.y))


def test_odd_texts_have_a_bar_a_tokeniser_and_say_what_is_lost() -> None:
    texts = ["a\tb", "ہوں", "<i>" * 20]
    figure = samples_figure(texts, {"one": [1, 2, 30], "two": [3, 4, 50]}, {"one": [0, 1, 0], "two": [0, 0, 0]})
    assert [list(bar.x) for bar in figure.data] == [[1, 2, 30], [3, 4, 50]]
    assert list(figure.data[0].text) == ["1", "2 (1 unknown)", "30"]
    labels = figure.layout.yaxis.ticktext
    assert labels[:2] == ("a⇥b", "\u2068ہوں\u2069")
    assert labels[2].startswith("&lt;i&gt;")
    assert labels[2].endswith("…")
    assert readable("two words\n") == "two words⏎"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_odd_tokens_reach_paper(theme: Theme) -> None:
    figure = spelling_figure([["⏎", "⟨F0⟩", "🙂"], ["⏎⟨F0⟩", "🙂"]], [None, 3], 1, theme=theme)
    assert figure.data[0].marker.color[0] == with_alpha(COLOURS[theme]["query"], 0.16)
    for kind in ("svg", "pdf", "png", "slide"):
        assert file_of(to_matplotlib(figure), kind)


def test_a_word_of_any_length_has_a_picture() -> None:
    """Plotly takes no letters below a pixel."""
    figure = spelling_figure([["⟨F0⟩"] * 300], [None], 0)
    assert figure.data[1].textfont.size == LEAST_LETTER
