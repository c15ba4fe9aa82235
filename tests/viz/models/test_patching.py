from __future__ import annotations

import numpy as np

from viz.models.patching import next_tokens_figure, patching_figure

MEASURED = np.array([[0.0, 1.0, -0.25], [np.nan, np.nan, np.nan]])
ESTIMATE = np.array([[0.1, 0.9, -0.2], [0.0, 0.3, 0.5]])


def test_both_maps_have_the_numbers_on_one_signed_scale() -> None:
    figure = patching_figure({"measured": MEASURED, "estimated": ESTIMATE}, ["a", "b / c", "d"], "token")
    cells = [trace for trace in figure.data if trace.type == "heatmap"]
    np.testing.assert_allclose(cells[0].z, MEASURED)
    np.testing.assert_allclose(cells[1].z, ESTIMATE)
    assert {(trace.zmin, trace.zmax) for trace in cells} == {(-1, 1)}
    assert [note.text for note in figure.layout.annotations] == ["measured", "estimated"]


def test_only_measured_cells_can_be_pointed_at() -> None:
    figure = patching_figure({"measured": MEASURED}, ["a", "b", "<i>"], "token", selected=(0, 1))
    (hover,) = (trace for trace in figure.data if trace.type == "scatter")
    assert list(hover.y) == [0, 0, 0]
    assert hover.hovertext[2] == "layer 0, &lt;i&gt;<br>measured: −0.250"
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.y0) == (0.5, -0.5)


def test_the_next_tokens_of_several_runs() -> None:
    shares = {"your sentence": np.array([0.9, 0.1]), "patched": np.array([0.4, 0.6])}
    figure = next_tokens_figure(shares, ["Paris", "<b>"])
    assert [(bar.name, list(bar.x)) for bar in figure.data] == [("your sentence", [0.9, 0.1]), ("patched", [0.4, 0.6])]
    assert list(figure.layout.yaxis.ticktext) == ["Paris", "&lt;b&gt;"]
