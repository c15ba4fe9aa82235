"""The ladder's figures, by their data."""

from __future__ import annotations

import numpy as np

from viz.inputs.ladder import loss_figure, map_figure, similarity_figure, weight_figure


def test_the_loss_starts_at_step_0() -> None:
    line = loss_figure([4.0, 2.0, 1.0], "step").data[0]
    assert list(line.x) == [0, 1, 2]
    assert list(line.y) == [4, 2, 1]


def test_the_losses_axis_has_round_numbers_and_no_more_than_needed() -> None:
    axis = loss_figure([49.95, 10.0, 2.5], "step").layout.yaxis
    assert list(axis.ticktext) == ["5", "10", "20", "50"]
    assert list(axis.tickvals) == [5, 10, 20, 50]
    assert list(loss_figure([25_000.0, 3.0], "step").layout.yaxis.ticktext) == ["10", "100", "1,000", "10,000"]
    assert loss_figure([0.0], "step").layout.yaxis.tickvals is None


def test_the_pair_is_marked_on_the_weights_curve() -> None:
    curve, mark = weight_figure(np.array([0.0, 100.0]), np.array([0.0, 1.0]), (6.25, 0.125)).data
    assert list(curve.y) == [0, 1]
    assert (mark.x[0], mark.y[0]) == (6.25, 0.125)


def test_the_map_names_the_two_words_and_hides_no_markup() -> None:
    places = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    words, first, second = map_figure(places, ["a", "<b>", "c"], (2, 1)).data
    assert list(words.x) == [0, 2, 4]
    assert (first.x[0], first.y[0], first.text[0]) == (4, 5, "c")
    assert "<b>" not in second.text[0]


def test_a_bar_a_rung() -> None:
    bars = similarity_figure({"One-hot": 0.0, "GloVe": 0.8}).data[0]
    assert list(bars.x) == [0, 0.8]
