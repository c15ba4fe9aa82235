"""Figures of training: means of stretches, marks, gaps."""

from __future__ import annotations

import numpy as np
import pytest

from viz.learning.training import MAX_POINTS, forcing_figure, loss_figure, measures_figure, scores_figure, thin_line


def test_means_of_a_long_line_keep_its_mean() -> None:
    values = np.random.default_rng(0).normal(size=4200)
    steps, means = thin_line(list(values))
    assert len(steps) <= MAX_POINTS
    assert steps[-1] == 4200
    assert np.average(means, weights=np.diff(steps, prepend=0)) == pytest.approx(values.mean())
    assert [len(part) for part in thin_line([])] == [0, 0]


def test_the_mark_stands_on_the_held_out_curve() -> None:
    figure = loss_figure([(1, 3.0), (10, 1.0)], {0: 4.0, 10: 1.5}, shown=10)
    mark = next(trace for trace in figure.data if trace.name == "shown")
    assert (mark.x[0], mark.y[0]) == (10, 1.5)
    assert figure.layout.shapes[0].x0 == 10


def test_the_best_head_and_the_end_stand_out() -> None:
    scores = np.zeros((3, 2, 2))
    scores[-1, 1, 0] = 0.9
    figure = scores_figure([0, 10, 20], scores, 10, (1, 0), "induction")
    widths = {trace.line.width for trace in figure.data if trace.mode == "lines"}
    best = next(trace for trace in figure.data if trace.mode == "lines+markers")
    assert best.line.width > max(widths)
    assert best.y[-1] == pytest.approx(0.9)
    bars = measures_figure({"bank": 0.2}, {"bank": 1.0})
    assert (bars.data[0].x[0], bars.data[1].x[0]) == (0.2, 1.0)


def test_the_figure_marks_wrong_tokens_and_the_shift() -> None:
    figure = forcing_figure(["<SOS>", "a"], ["a", "b"], ["a", "z"], [0.1, 2.0])
    assert list(figure.data[0].y) == pytest.approx([0.1, 2.0])
    guesses = next(trace for trace in figure.data if list(trace.text or ()) == ["a", "z"])
    assert guesses.textfont.color[0] != guesses.textfont.color[1]
    shift = [trace for trace in figure.data[1:] if trace.mode == "lines"]
    assert [list(trace.x) for trace in shift] == [[0, 1]]
