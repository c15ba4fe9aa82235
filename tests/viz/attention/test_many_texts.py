"""All heads over many texts: the small histograms count, and the points have the numbers that they were given."""

from __future__ import annotations

import numpy as np

from viz.attention.many_texts import BINS, LEVELS, HeadNumbers, histogram_tiles, scatter_figure


def test_a_histogram_counts_by_hand() -> None:
    values = np.array([[[0.0, 0.01, 1.0, np.nan], [0.5, 0.5, 0.5, 0.5]]])  # one layer, two heads, four texts
    tiles = histogram_tiles(values)
    assert tiles.shape == (1, 2, LEVELS, BINS)
    first, second = tiles[0].sum(1)  # heights: (bins,) of each head
    assert first[0] == LEVELS, "two texts in the first bin, which is the highest"
    assert first[-1] == LEVELS / 2, "one in the last, at its end"
    assert first[1:-1].sum() == 0
    assert second[BINS // 2] == LEVELS
    assert second.sum() == LEVELS
    assert not tiles[0, 0, 0, 1:].any(), "columns stand at the bottom"


def test_equal_values_have_one_column() -> None:
    assert histogram_tiles(np.zeros((1, 1, 3)))[0, 0].sum() == LEVELS


def test_the_points_and_their_colours_are_the_numbers() -> None:
    layers = HeadNumbers("layer", np.array([[0.0, 0.0], [1.0, 1.0]]), is_count=True)
    up = HeadNumbers("induction", np.array([[0.1, np.nan], [0.3, 0.2]]))
    figure = scatter_figure(HeadNumbers("previous", np.array([[0.5, 0.6], [0.7, 0.8]])), up, layers, (1, 0), "dark")
    points, ring = figure.data
    assert list(points.x) == [0.5, 0.6, 0.7, 0.8]
    assert list(points.marker.color) == [0, 0, 1, 1]
    assert list(points.marker.colorbar.ticktext) == ["0", "1"]
    assert points.hovertext[2] == "layer 1, head 0<br>previous: 0.700<br>induction: 0.300<br>layer: 1"
    assert (ring.x[0], ring.y[0]) == (0.7, 0.3)


def test_no_name_stands_on_another() -> None:
    across = HeadNumbers("previous", np.array([[0.0, 0.90, 0.92, 1.0]]))
    up = HeadNumbers("induction", np.array([[1.0, 0.50, 0.51, 0.0]]))
    points, _ = scatter_figure(across, up, across, (0, 1)).data
    assert list(points.text) == ["0.0", "0.1", "", "0.3"], "the chosen head has its name first"
