"""Figures of a published training."""

import numpy as np

from viz.learning.published import likeliest_figure, sentence_loss_figure
from viz.learning.training import place_of, scores_figure

LOSSES = {0: 5.7, 1: 5.6, 2: 5.5, 1000: 2.25}


def test_step_zero_stands_before_step_one() -> None:
    figure = sentence_loss_figure(LOSSES, 1000, 5.704)
    guess, line, mark = figure.data
    assert list(line.x) == [0.5, 1, 2, 1000]
    assert np.allclose(line.y, list(LOSSES.values()))
    assert list(guess.y) == [5.704, 5.704]
    assert (list(mark.x), list(mark.y)) == ([1000], [2.25])
    assert list(figure.layout.xaxis.ticktext) == ["0", "2"]
    assert list(figure.layout.xaxis.tickvals) == [0.5, 2]


def test_without_step_one_step_zero_stands_in_its_place() -> None:
    assert [place_of(step, (0, 30, 48)) for step in (0, 30)] == [1, 30]


def test_many_steps_have_fewer_numbers() -> None:
    pythia = [0, *(2**n for n in range(10)), *(1000 * 2**n for n in range(8)), 143_000]
    figure = scores_figure(pythia, np.zeros((len(pythia), 2, 2)), 0, (0, 0), "induction")
    assert list(figure.layout.xaxis.ticktext) == ["0", "8", "128", "2,000", "32,000"]


def test_the_likeliest_tokens_are_bars_on_the_axis_of_all_steps() -> None:
    figure = likeliest_figure(["a", "<b>"], [0.25, 0.125], 0.5)
    assert list(figure.data[0].x) == [0.25, 0.125]
    assert figure.layout.xaxis.range[1] == 0.525
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext), "a token is no HTML"
