"""The figures of what heads do, by their data."""

import numpy as np

from viz.attention.head_work import harm_figure, maps_figure


def test_a_map_holds_its_measure_on_its_own_scale() -> None:
    shares = np.array([[0.25, 1.0], [0.0, 0.5], [0.125, 0.75]])
    fig = maps_figure({"Share": shares, "Bits": 3 * shares}, {"Share": 1.0, "Bits": 3.0})
    assert (fig.data[0].z == shares).all()
    assert [each.zmax for each in fig.data] == [1, 3]
    assert [note.text for note in fig.layout.annotations] == ["Share", "Bits"]


def test_harm_is_centred_on_zero_and_the_unknown_stays_empty() -> None:
    half_done = np.array([[0.5, -0.25], [np.nan, np.nan]])
    fig = harm_figure({"Self": half_done, "Cross": np.full((2, 2), np.nan)})
    assert fig.data[0].zmin == -fig.data[0].zmax < 0
    assert fig.data[0].zmax == fig.data[1].zmax
    assert np.isnan(fig.data[0].z[1]).all()
    assert fig.data[0].z[0].tolist() == [0.5, -0.25]


def test_a_harm_of_nothing_has_a_scale() -> None:
    fig = harm_figure({"Self": np.zeros((1, 2))})
    assert fig.data[0].zmax == 1
