"""Two figures on one scale: what is measured reaches as far in both, and places of tokens stay."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from viz.shared.one_scale import put_on_one_scale


def bars(values: list[float], **axis: object) -> go.Figure:
    figure = go.Figure(go.Bar(x=values, y=[0, 1], orientation="h"))
    return figure.update_xaxes(**axis).update_yaxes(range=[1.5, -0.5])


def test_bars_of_both_end_at_the_longest() -> None:
    figure = put_on_one_scale(bars([1.0, -2.0]), bars([5.0, 0.5]))
    assert np.allclose(figure.layout.xaxis.range, [-2 - 0.28, 5 + 0.28])
    assert figure.layout.yaxis.range == (1.5, -0.5), "its rows are no measured numbers"


def test_ranges_that_a_figure_has_are_joined() -> None:
    figure = put_on_one_scale(bars([1.0, 2.0], range=[0, 2.5]), bars([9.0, 2.0], range=[-1, 9.5]))
    assert figure.layout.xaxis.range == (-1, 9.5)


def test_lines_and_cells() -> None:
    first, second = (
        go.Figure([go.Scatter(y=[0.0, top], mode="lines+markers"), go.Scatter(y=[50, 60], mode="markers")])
        for top in (1.0, 3.0)
    )
    assert np.allclose(put_on_one_scale(first, second).layout.yaxis.range, [0, 3.12])
    upwards = [go.Figure(go.Scatter(x=[0.0, top], y=[0, 1], mode="lines", orientation="h")) for top in (1.0, 3.0)]
    layout = put_on_one_scale(*upwards).layout
    assert np.allclose(layout.xaxis.range, [0, 3.12])
    assert layout.yaxis.range is None
    cells = [
        go.Figure(go.Heatmap(z=[[0.5, -reach]], zmin=-reach, zmax=reach, colorbar={"tickvals": [-reach, 0, reach]}))
        for reach in (1.0, 4.0)
    ]
    for pair in (cells, cells[::-1]):
        drawn = put_on_one_scale(*map(go.Figure, pair)).data[0]
        assert (drawn.zmin, drawn.zmax, drawn.colorbar.tickvals) == (-4.0, 4.0, (-4.0, 0, 4.0))
    codes = [go.Figure(go.Heatmap(z=np.zeros((2, 2), np.uint8), zmin=0, zmax=top)) for top in (100, 254)]
    assert put_on_one_scale(*codes).data[0].zmax == 100, "codes of a figure have its own scale"


def test_a_figure_of_other_things_stays() -> None:
    before = bars([1.0, 2.0])
    assert put_on_one_scale(go.Figure(before), go.Figure(go.Scatter(y=[3.0], mode="markers"))) == before
