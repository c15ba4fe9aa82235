"""The pictures of Before attention by their data."""

from __future__ import annotations

import numpy as np
import pytest

from model.numerals import number
from viz.learning.before_attention import (
    alignment_figure,
    blank_figure,
    bottleneck_figure,
    heads_figure,
    length_figure,
    reach_figure,
    shape_figure,
)
from viz.print.from_plotly import to_matplotlib

WEIGHTS = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], np.float32)


def test_the_bottleneck_keeps_every_number_in_its_order() -> None:
    vector = np.linspace(-1, 1, 64, dtype=np.float32)
    heatmap = bottleneck_figure(vector).data[0]
    assert np.array_equal(np.asarray(heatmap.z).ravel(), vector)
    assert np.asarray(heatmap.text).ravel().tolist() == list(range(64))
    assert heatmap.customdata[0][0] == number(-1)
    assert (heatmap.zmin, heatmap.zmax) == (-1, 1)


def test_rows_that_are_not_written_yet_are_empty() -> None:
    figure = alignment_figure(WEIGHTS, 2, ["a", "<b>"], ["x", "y", "z"])
    cells = np.asarray(figure.data[0].z)
    assert np.array_equal(cells[:2], WEIGHTS[:2])
    assert np.isnan(cells[2]).all()
    assert figure.layout.xaxis.ticktext[1] == "&lt;b&gt;"
    frame = figure.layout.shapes[0]
    assert (frame.y0, frame.y1) == (0.5, 1.5)


def test_each_head_has_its_panel() -> None:
    figure = heads_figure(np.stack([WEIGHTS, WEIGHTS[::-1], WEIGHTS]), 3, ["a", "b"], ["x", "y", "z"])
    sheet = np.asarray(figure.data[0].z)  # one below another, two empty rows between: three heads make no two columns
    rows, columns = WEIGHTS.shape
    np.testing.assert_allclose(sheet[rows + 2 : 2 * rows + 2, :columns], WEIGHTS[::-1], atol=1e-3)


def test_a_curve_lies_within_its_interval() -> None:
    figure = length_figure({"one": [(2, 0.9, 0.8, 0.95), (4, 0.5, 0.4, 0.6)]})
    band, line = figure.data
    assert list(line.y) == [0.9, 0.5]
    assert list(band.y) == [0.95, 0.6, 0.4, 0.8]


def test_trained_is_solid_and_fresh_dotted_in_one_colour() -> None:
    curve = np.array([1.0, 0.1])
    figure = reach_figure({"RNN, trained": (curve, True), "RNN, fresh": (curve, False), "LSTM, trained": (curve, True)})
    trained, fresh, other = figure.data
    assert trained.line.color == fresh.line.color != other.line.color
    assert (trained.line.dash, fresh.line.dash) == ("solid", "dot")
    assert figure.layout.yaxis.type == "log"


def test_bars_of_each_reader() -> None:
    figure = blank_figure(["very", "not"], {"forward": [0.4, 0.3], "both": [1.0, 0.0]})
    assert [list(bar.x) for bar in figure.data] == [[0.4, 0.3], [1.0, 0.0]]


def test_a_shape_has_a_box_for_every_input_state_and_output() -> None:
    assert len(shape_figure((0,), (0, 1, 2), 3).layout.shapes) == 1 + 3 + 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_picture_can_be_printed(theme) -> None:
    figures = (
        bottleneck_figure(np.zeros(64, np.float32), theme),
        alignment_figure(WEIGHTS, 2, ["a", "b"], ["x", "y", "z"], theme),
        heads_figure(WEIGHTS[None], 3, ["a", "b"], ["x", "y", "z"], theme),
        length_figure({"one": [(2, 0.9, 0.8, 0.95), (4, 0.5, 0.4, 0.6)]}, theme),
        reach_figure({"RNN, trained": (np.array([1.0, 0.1]), True)}, theme),
        blank_figure(["very"], {"both": [1.0]}, theme),
    )
    for figure in figures:
        assert to_matplotlib(figure).axes
