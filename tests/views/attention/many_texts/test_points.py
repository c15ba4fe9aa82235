"""Points of a head on many texts: their colours, what a point tells, and what a click takes."""

from __future__ import annotations

import numpy as np
import pytest

from model.surveys.points import SIDES
from model.surveys.reading import Reading
from views.attention.many_texts.points import FIRST_SHARE, PointsOfTexts, points_of_texts
from views.head_of_run import HeadOfRun
from views.parts import Chart
from views.view import DEPTHS


@pytest.fixture(scope="module")
def view(one_head: HeadOfRun, few_texts: Reading) -> PointsOfTexts:
    return points_of_texts(one_head, few_texts, "queries", "kind")


def beside(view: PointsOfTexts, side: str, colour: str) -> PointsOfTexts:
    return PointsOfTexts(view.head, view.reading, view.points, side, colour)


def test_each_kind_has_a_colour_and_all_points_are_there(view: PointsOfTexts) -> None:
    figure = view.picture().draw(theme="dark")
    assert {trace.name for trace in figure.data} == {"bank", "repetition"}
    drawn = np.concatenate([np.stack([trace.x, trace.y], 1) for trace in figure.data])
    np.testing.assert_array_equal(np.sort(drawn, 0), np.sort(view.shown.along, 0))
    assert f"{view.told()[FIRST_SHARE]:.0%}" in figure.layout.xaxis.title.text


def test_of_many_tokens_the_most_frequent_have_colours(view: PointsOfTexts) -> None:
    figure = beside(view, "keys", "token").picture().draw()
    first, *others = figure.data
    assert "other tokens" in first.name
    assert len(others) == 8
    assert [len(trace.x) for trace in others] == sorted((len(trace.x) for trace in others), reverse=True)
    assert sum(len(trace.x) for trace in figure.data) == len(view.words)


@pytest.mark.parametrize("side", SIDES)
def test_a_click_makes_the_text_the_sentence_at_this_token(view: PointsOfTexts, side: str) -> None:
    shown = beside(view, side, "text")
    pick = shown.picture().pick
    assert pick is not None
    number, place = int(shown.shown.numbers[3]), int(shown.shown.places[3])
    keys = pick({"customdata": [number, place]})
    assert keys["text"] == view.reading.collection.texts[number].content
    assert keys["key" if side == "keys" else "query"] == place
    model = view.head.run.model
    assert model.tokens_of(keys["text"])[place].id == shown.points.ids(side)[3]


def test_a_point_tells_its_token_between_those_beside_it(view: PointsOfTexts) -> None:
    figure = view.picture().draw()
    told = [text for trace in figure.data for text in trace.hovertext]
    assert any(text.startswith("bank: ") and "[" in text for text in told)


def test_what_tells_where_a_point_lies_is_said(view: PointsOfTexts) -> None:
    caption = view.caption()
    assert "Which token it is tells" in caption
    assert "The kind of its text tells" in caption
    assert "without the first one of each" in caption


def test_all_depths_have_their_parts(view: PointsOfTexts) -> None:
    parts = {depth: view.at(depth) for depth in DEPTHS}
    assert any(isinstance(part, Chart) for part in parts["Picture"])
    table = view.table().make()
    assert len(table) == len(view.words)
    assert list(table.columns[:3]) == ["token", "place", "kind"]
    assert parts["Formula"]
    assert parts["Code"]
    assert points_of_texts(view.head, view.reading, "queries", "kind") == view
