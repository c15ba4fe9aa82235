"""Figures of one head over many texts hold the numbers that they were given."""

from __future__ import annotations

import numpy as np
import pytest

from viz.attention.many_texts_head import BINS, Spread, bars_figure, distance_figure, histograms_figure


def test_each_name_has_its_bar_and_the_mark_beside_it() -> None:
    figure = bars_figure(["poems", "<b>code</b>"], [0.4, 0.1], "weight", beside=[0.2, 0.3], beside_name="mean")
    bars, marks = figure.data
    assert (bars.x, marks.x, marks.y) == ((0.4, 0.1), (0.2, 0.3), (0, 1))
    assert list(figure.layout.yaxis.ticktext) == ["poems", "&lt;b&gt;code&lt;/b&gt;"]
    assert figure.layout.xaxis.range[1] > 0.4
    assert len(bars_figure([], [], "weight").data) == 1, "no bars are a figure, too"


def test_names_that_are_alike_keep_their_bars() -> None:
    assert bars_figure(["a → b", "a → b"], [2.0, 1.0], "weight").data[0].x == (2.0, 1.0)


def test_each_distance_has_its_share() -> None:
    bars = distance_figure(np.array([1, 2, 3]), np.array([0.5, 0.25, 0.25]), ["one", "two", "three"]).data[0]
    assert (bars.x, bars.y) == ((1, 2, 3), (0.5, 0.25, 0.25))
    assert bars.hovertext[1] == "two: 25%"


@pytest.mark.parametrize("mark", [0.3, 2.0, None])
def test_a_histogram_counts_all_texts_and_marks_the_sentence(mark: float | None) -> None:
    values = np.random.default_rng(0).random(50)
    figure = histograms_figure([Spread("first", values, mark), Spread("other", np.empty(0), None)])
    first, other = figure.data
    assert sum(first.y) == 50
    assert len(first.y) == BINS
    assert sum(other.y) == 0
    assert [shape.x0 for shape in figure.layout.shapes] == ([] if mark is None else [mark])
