"""The map of biases by distance."""

from __future__ import annotations

import numpy as np

from viz.inputs.relative_positions import bias_figure

TABLES = {
    "Encoder": (np.arange(-2, 3), np.array([[1.0, 2, 3, 4, 5], [-6, 0, 0, 0, 0.5]])),
    "Decoder": (np.arange(-2, 1), np.array([[1.0, 2, 3], [0, 0, 0]])),
}


def test_each_stack_has_a_map_with_its_distances_and_all_share_one_signed_scale() -> None:
    figure = bias_figure(TABLES)
    encoder, decoder = figure.data
    assert [list(each.x) for each in figure.data] == [[-2, -1, 0, 1, 2], [-2, -1, 0]]
    assert np.allclose(encoder.z, TABLES["Encoder"][1])
    assert np.allclose(decoder.z, TABLES["Decoder"][1])
    assert {(each.zmin, each.zmax) for each in figure.data} == {(-6.0, 6.0)}
    assert [each.showscale for each in figure.data] == [True, False]
    assert [note.text for note in figure.layout.annotations] == ["Encoder", "Decoder"]


def test_head_0_stands_on_top_and_every_head_that_fits_has_a_number() -> None:
    axis = bias_figure(TABLES).layout.yaxis
    assert axis.range[0] > axis.range[1]
    assert list(axis.ticktext) == ["0", "1"]


def test_a_table_of_zeros_is_drawn() -> None:
    figure = bias_figure({"Decoder": (np.arange(-1, 1), np.zeros((3, 2)))}, "dark")
    assert (figure.data[0].zmin, figure.data[0].zmax) == (-1.0, 1.0)
