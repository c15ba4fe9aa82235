"""The rule of token labels: which are shown, how they lie, and how wide they are."""

from __future__ import annotations

import html
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.viz.shared.label_boxes import overlaps
from viz.shared.labels import (
    AROUND_NUMBER,
    GAP,
    TICK_SIZE,
    end_of_bars,
    fit_labels,
    fit_rows,
    least_width,
    line_height,
    names_beside,
    shown_places,
    text_width,
    texts_above,
    token_axis,
    token_rows,
    uncrowded,
)

CASES = json.loads((Path(__file__).parents[2] / "assets" / "label_cases.json").read_text(encoding="utf-8"))
TEXT = "The quick brown fox jumps over the lazy dog because it was extraordinarily tired ."
WORDS = TEXT.split()


def sentence(length: int) -> list[str]:
    return (WORDS * (length // len(WORDS) + 1))[:length]


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_the_same_places_as_in_javascript(case: dict[str, Any]) -> None:
    assert shown_places(case["count"], case["space"], case["least"], case["chosen"]) == case["places"]


@given(st.integers(1, 300), st.floats(0.5, 60), st.floats(1, 30), st.integers(0, 299))
def test_no_two_labels_are_nearer_than_they_need(count: int, space: float, least: float, chosen: int) -> None:
    places = shown_places(count, space, least, [chosen])
    assert all((after - before) * space >= least - 1e-6 for before, after in pairwise(places))
    assert chosen in places or chosen >= count
    reach = least / space
    assert 0 in places or chosen < reach
    assert count - 1 in places or min(abs(count - 1 - chosen), count - 1) < reach


def test_labels_lie_level_then_slant_then_stand_upright() -> None:
    assert fit_labels(["a"] * 30, 800).angle == 0
    assert fit_labels(sentence(8), 800).angle == 0
    assert fit_labels(sentence(30), 800).angle == -45
    assert fit_labels(sentence(56), 820).angle == -90
    assert len(fit_labels(sentence(56), 820).places) == 56
    few = fit_labels(sentence(256), 820, chosen=(100,))
    assert few.places[0] == 0
    assert few.places[-1] == 255
    assert 100 in few.places
    assert len(few.places) < 70


@given(st.lists(st.text("aWi<&ہ", min_size=1, max_size=20), min_size=1, max_size=120), st.floats(60, 1200))
def test_fitted_labels_do_not_cover_each_other(labels: list[str], room: float) -> None:
    fitted = fit_labels(labels, room)
    points = [((place + 0.5) * room / len(labels), 0.0) for place in fitted.places]
    assert overlaps(fitted.texts, points, fitted.angle, TICK_SIZE) == []


@given(st.integers(1, 300), st.floats(40, 900), st.integers(0, 299))
def test_rows_have_a_line_each(count: int, room: float, chosen: int) -> None:
    labels = sentence(count)
    fitted = fit_rows(labels, room, chosen=(chosen,))
    line = line_height(labels, TICK_SIZE)
    assert all((after - before) * room / count >= line - 1e-6 for before, after in pairwise(fitted.places))


def test_an_axis_writes_each_label_as_it_is_and_whole_words_of_urdu() -> None:
    axis = token_axis(["<b>x", "ہوں", "a" * 30])
    assert [html.unescape(label) for label in axis["ticktext"]] == ["<b>x", "\u2068ہوں\u2069", "a" * 12 + "…"]
    assert axis["range"] == [-0.5, 2.5]
    assert token_rows(["&"], 20)["ticktext"] == ["&amp;"]


def test_urdu_needs_higher_lines() -> None:
    assert line_height(["ہوں"], 10) > line_height(["world", "⟨U+0007⟩"], 10)


def test_wide_letters_are_counted_as_wide() -> None:
    assert text_width("iii", 10) < text_width("aaa", 10) < text_width("WWW", 10)
    assert text_width("i", 10, mono=True) == text_width("W", 10, mono=True)
    assert text_width("世", 10) > 10
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_of_crowded_points_the_first_keep_their_names() -> None:
    boxes = [(0.0, 0.0, 10.0, 10.0), (5.0, 0.0, 15.0, 10.0), (10.0, 0.0, 20.0, 10.0)]
    assert uncrowded(boxes) == [0, 2]
    assert uncrowded(boxes, first=[1]) == [1]
    assert names_beside([(0, 0), (1, 1), (90, 0)], ["one", "two", "three"], 12, first=[1]) == ["", "two", "three"]
    assert texts_above(["10"] * 200, [5.0] * 200, 12, first=[199])[-1] == "10"
    assert "" in texts_above(["10"] * 200, [5.0] * 200, 12)


def test_a_number_does_not_stand_on_a_higher_bar_beside_its_own() -> None:
    heights = [5.0, 50.0] * 40
    assert [bool(text) for text in texts_above(["1,234"] * 80, heights, 12)][::2] == [False] * 40
    assert texts_above(["1,234"] * 80, heights, 12, first=[4])[4] == "1,234"
    assert texts_above(["1"] * 4, [5.0, 50.0] * 2, 12) == ["1"] * 4


@pytest.mark.parametrize("text", ["31%", "under 0.1%", "over 99.9%"])
def test_there_is_room_beside_the_longest_bar_for_its_text_on_a_phone(text: str) -> None:
    plot = 280
    assert plot / end_of_bars([text, ""]) + text_width(text, TICK_SIZE) + GAP <= plot


def test_the_width_that_a_figure_needs() -> None:
    figure = go.Figure(go.Bar(y=[1, 2]), {"xaxis": token_axis(["one", "three"])})
    two = text_width("one", TICK_SIZE) / 2 + text_width("three", TICK_SIZE) / 2 + GAP
    assert least_width(figure) == pytest.approx(2 * two + 50)
    assert least_width(go.Figure(go.Bar(y=[1, 2]))) == 0


def test_the_texts_in_the_cells_of_a_map_need_their_width() -> None:
    texts = go.Scatter(x=[0, 1, 2], y=[0, 0, 0], mode="text", text=["1", "−0.85", "2"], textfont={"size": 12})
    figure = go.Figure([go.Heatmap(z=[[1, 2, 3]], showscale=False), texts])
    assert least_width(figure) == pytest.approx(3 * (text_width("−0.85", 12) + AROUND_NUMBER) + 50)
    assert least_width(go.Figure(go.Heatmap(z=[[1, 2, 3]]))) == 0
