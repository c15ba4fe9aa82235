"""The reliability diagram holds its data."""

from __future__ import annotations

import numpy as np
import pytest

from viz.models.reliability import reliability_figure

POINTS = [(0.1, 0.0, 0.0, 0.3, 40), (0.9, 0.8, 0.6, 0.95, 10)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ranges_stand_at_their_confidence_with_their_interval(theme) -> None:
    line, ranges = reliability_figure(POINTS, theme=theme).data
    assert list(line.x) == list(line.y) == [0, 1]
    assert list(ranges.x) == [0.1, 0.9]
    assert list(ranges.y) == [0.0, 0.8]
    assert np.allclose(ranges.error_y.array, [0.3, 0.15])
    assert np.allclose(ranges.error_y.arrayminus, [0.0, 0.2])
    assert list(ranges.customdata) == [40, 10]
    assert ranges.marker.size[0] > ranges.marker.size[1] > 0


def test_the_sentence_on_screen_stands_at_its_own_confidence() -> None:
    figure = reliability_figure(POINTS, now=0.42)
    assert list(figure.data[-1].x) == [0.42, 0.42]
    assert figure.data[-1].name == "this sentence"


def test_without_a_range_only_the_line_is_drawn() -> None:
    assert len(reliability_figure([]).data[1].x) == 0
