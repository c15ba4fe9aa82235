"""A figure for a lecture room: sizes in pixels grow, sizes in units of the data stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.viz.shared.label_boxes import axis_overlaps
from viz.inputs.positions import joined_figure
from viz.shared.enlargement import enlarge
from viz.shared.style import FONT_SIZE, apply_style


def figure(**layout: Any) -> go.Figure:
    drawn = go.Figure(
        [
            go.Scatter(x=[1, 2], y=[3, 4], marker={"size": np.array([6, 9])}, line={"width": 2}, textfont={"size": 12}),
            go.Histogram(x=[1, 2, 3], xbins={"size": 0.5}),
            go.Heatmap(z=[[0.1, 0.9]], colorbar={"thickness": 10, "len": 0.5}),
        ]
    )
    drawn.add_annotation(text="here", x=1, y=3, ax=20, ay=-30, font={"size": 10})
    drawn.add_annotation(text="there", x=1, y=3, ax=2, ay=4, axref="x", ayref="y")
    return apply_style(drawn, "light", 200).update_layout(**layout)


def test_type_marks_lines_margins_and_arrows_grow() -> None:
    before = figure(xaxis={"title": {"text": "x", "standoff": 4}, "tickfont": {"size": 11}}, margin={"t": 30})
    after = enlarge(before, 2, 1000)
    points, _, map_ = after.data
    assert list(points.marker.size) == [12, 18]
    assert (points.line.width, points.textfont.size, map_.colorbar.thickness) == (4, 24, 20)
    assert after.layout.template.layout.font.size == 2 * FONT_SIZE
    assert after.layout.template.layout.xaxis.tickfont.size == 2 * (FONT_SIZE - 1)
    assert (after.layout.xaxis.tickfont.size, after.layout.xaxis.title.standoff) == (22, 8)
    assert (after.layout.margin.t, after.layout.height) == (60, 400)
    here = after.layout.annotations[0]
    assert (here.ax, here.ay, here.font.size) == (40, -60, 20)
    assert before == figure(xaxis={"title": {"text": "x", "standoff": 4}, "tickfont": {"size": 11}}, margin={"t": 30})


def test_sizes_in_units_of_the_data_stay() -> None:
    before = figure()
    after = enlarge(before, 3, 1000)
    assert list(after.data[0].x) == [1, 2]
    assert after.data[1].xbins.size == 0.5
    assert (after.data[2].colorbar.len, np.asarray(after.data[2].z).tolist()) == (0.5, [[0.1, 0.9]])
    there = after.layout.annotations[1]
    assert (there.x, there.ax, there.ay) == (1, 2, 4)


@given(height=st.integers(50, 2000), scale=st.floats(1, 4), tallest=st.integers(100, 1500))
def test_a_figure_grows_as_far_as_the_screen_allows_and_shrinks_little(height: int, scale: float, tallest: int) -> None:
    after = enlarge(go.Figure(layout={"height": height}), scale, tallest).layout.height
    assert 0.85 * height <= after + 1e-6 <= max(height, min(height * scale, tallest)) + 2e-6
    if height <= 1.2 * tallest:
        assert after == pytest.approx(max(height, min(height * scale, tallest)))
    else:
        assert after == pytest.approx(max(0.85 * height, 1.2 * tallest))


def test_a_figure_without_a_height_gets_none() -> None:
    assert enlarge(go.Figure(), 2, 500).layout.height is None


@pytest.mark.slow
@given(st.integers(1, 256), st.floats(1, 2.5))
def test_larger_labels_of_rows_do_not_cover_each_other(count: int, scale: float) -> None:
    drawn = joined_figure({"e": np.ones((count, 2))}, [2], ["token"] * count, 6)
    assert axis_overlaps(enlarge(drawn, scale, 540), 1200) == []
