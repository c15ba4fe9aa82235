from __future__ import annotations

import numpy as np

from viz.models.drift import drift_figure, way_figure
from viz.shared.style import COLOURS


def test_each_line_has_its_numbers_and_the_row_is_marked() -> None:
    figure = drift_figure(np.array([2.0, 3.0, 5.0]), np.array([0.9, -0.2]), row=1, theme="dark")
    lengths, cosines = figure.data
    assert (list(lengths.x), list(lengths.y)) == ([0, 1, 2], [2.0, 3.0, 5.0])
    assert (list(cosines.x), list(cosines.y)) == ([1, 2], [0.9, -0.2])
    assert figure.layout.yaxis2.range[0] < -0.2
    assert [shape.x0 for shape in figure.layout.shapes] == [1, 1]
    assert figure.layout.shapes[0].line.color == COLOURS["dark"]["key"]


def test_the_way_goes_from_the_embedding_to_the_output_with_names_that_have_room() -> None:
    places = np.array([[0.0, 0.0], [0.01, 0.01], [0.02, 0.0], [4.0, 3.0]])
    way, ring = way_figure(places, [0.75, 0.2], row=1).data
    assert list(way.x) == [0.0, 0.01, 0.02, 4.0]
    assert list(way.text) == ["embedding", "", "", "layer 2 = output"]
    assert list(way.hovertext) == ["embedding", "layer 0", "layer 1", "layer 2 = output"]
    assert (ring.x[0], ring.y[0]) == (0.01, 0.01)
    assert "75%" in way_figure(places, [0.75, 0.2]).layout.xaxis.title.text


def test_a_way_without_length_has_a_picture() -> None:
    figure = way_figure(np.zeros((3, 2)), [0.0, 0.0])
    assert figure.layout.xaxis.range[0] < 0 < figure.layout.xaxis.range[1]
