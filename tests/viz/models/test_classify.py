"""The figures of the Classify page, by their data."""

import numpy as np
import pytest

from viz.models.classify import (
    attention_rows_figure,
    classes_figure,
    mask_figure,
    plane_figure,
    similarity_figure,
    token_classes_figure,
    word_cosines_figure,
)


def test_a_mask_is_drawn_as_it_is_and_a_source_is_parted_off() -> None:
    visible = np.tri(4, dtype=bool)
    fig = mask_figure(visible, ["a", "b", "c", "d"], source=1)
    assert (fig.data[0].z == visible).all()
    assert [shape.y0 for shape in fig.layout.shapes if shape.y0 == shape.y1] == [0.5]
    assert not mask_figure(visible, ["a", "b", "c", "d"]).layout.shapes


def test_the_likeliest_class_has_its_own_colour() -> None:
    fig = classes_figure([0.1, 0.7, 0.2], ["x", "y", "z"])
    assert list(fig.data[0].x) == [0.1, 0.7, 0.2]
    shades = fig.data[0].marker.color
    assert shades[0] == shades[2] != shades[1]


def test_words_of_the_reader_are_shown_as_written() -> None:
    fig = token_classes_figure(np.eye(2), ["<b>x", "y"], ["noun", "verb"])
    assert fig.layout.yaxis.ticktext[0] == "&lt;b&gt;x"
    assert fig.data[0].z.shape == (2, 2)


def test_every_head_has_a_row_and_layers_are_parted() -> None:
    rows = np.random.default_rng(0).random((2, 3, 4)).astype(np.float32)
    fig = attention_rows_figure(rows, list("abcd"))
    assert len(fig.data) == 2
    assert fig.data[1].z == pytest.approx(rows[1], abs=1e-4)
    assert fig.data[1].y[0] - fig.data[0].y[-1] > 1
    assert fig.layout.yaxis.ticktext[4] == "layer 1, head 1"


def test_a_plane_holds_the_points_and_names_the_share() -> None:
    fig = plane_figure(np.array([[1.0, 0], [-1, 0]]), (0.5, 0.25), 0, [0, 2])
    assert fig.layout.title.text == "embedding · 75%"
    assert list(fig.data[0].text) == ["1", "3"]
    line = plane_figure(np.array([[2.0], [-2]]), (1.0,), 1, [0, 2])  # two points have one direction
    assert line.layout.title.text == "after layer 0 · 100%"
    assert (list(line.data[0].x), list(line.data[0].y)) == ([2, -2], [0, 0])


def test_a_word_keeps_its_colour_from_plane_to_line() -> None:
    points = plane_figure(np.eye(2), (1.0, 0.0), 0, [1, 3]).data[0].marker.color
    lines = word_cosines_figure({"in 2": [1, 0.5], "in 4": [1, 0.25]}, [1, 3]).data
    assert [line.line.color for line in lines] == list(points)


def test_the_similarity_table_is_written_out() -> None:
    fig = similarity_figure(np.array([[1.0, -0.25], [-0.25, 1.0]]))
    written = {(x, y): text for trace in fig.data[1:] for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)}
    assert written == {(0, 0): "1.00", (1, 0): "−0.25", (0, 1): "−0.25", (1, 1): "1.00"}
    assert fig.layout.xaxis.ticktext == ("1", "2")
    assert (fig.data[0].zmin, fig.data[0].zmax) == (-1, 1)
