"""Sheets of small maps: each stands in its place, with empty cells between."""

from __future__ import annotations

import numpy as np

from viz.shared.sheet import grid_figure, maps_figure


def test_maps_lie_beside_each_other_in_their_order() -> None:
    maps = np.random.default_rng(0).random((2, 3, 4, 5)).astype(np.float32)
    figure = maps_figure(maps, ["a", "b", "c"], ["head 0", "head 1"], list("qrst"), list("klmno"))
    sheet = np.asarray(figure.data[0].z)
    assert sheet.shape == (2 * 5 - 1, 3 * 6 - 1)
    np.testing.assert_allclose(sheet[5:9, 6:11], maps[1, 1], atol=1e-3)
    assert np.isnan(sheet[4]).all()
    assert np.isnan(sheet[:, 5]).all()
    assert [note.text for note in figure.layout.annotations] == ["a", "b", "c", "head 0", "head 1"]
    assert list(figure.layout.xaxis.ticktext) == list("klmno") * 3


def test_heads_stand_in_two_columns_each_below_its_title() -> None:
    maps = np.random.default_rng(0).random((4, 3, 3)).astype(np.float32)
    figure = grid_figure(maps, ["0: <b>", "1", "2", "3"], list("qrs"), list("klm"))
    sheet = np.asarray(figure.data[0].z)
    assert sheet.shape == (2 * 5 - 2, 2 * 4 - 1)
    np.testing.assert_allclose(sheet[5:8, 4:7], maps[3], atol=1e-3)
    titles = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert titles["3"] == (5, 4.4)
    assert not any("<b>" in text for text in titles)
