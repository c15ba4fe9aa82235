from __future__ import annotations

import numpy as np
import pytest

from viz.models.circuits import Curve, Earlier, composition_figure, kernel_figure

MEASURED = Curve(np.array([0, 1, 2]), np.array([0.5, 0.25, 0.125]))
POSITIONAL = Curve(np.array([-1, 0, 1]), np.array([0.5, -2.0, 1.0]))


def test_both_kernels_stand_side_by_side() -> None:
    figure = kernel_figure(POSITIONAL, MEASURED)
    line, bars = figure.data
    assert (line.xaxis, bars.xaxis) == ("x", "x2")
    assert list(line.y) == [0.5, -2.0, 1.0]
    assert list(line.hovertext) == ["1 ahead: 0.500", "itself: −2.000", "1 back: 1.000"]
    assert list(bars.y) == [0.5, 0.25, 0.125]


def test_without_positions_the_weights_stand_alone() -> None:
    (bars,) = kernel_figure(None, MEASURED, "dark").data
    assert bars.type == "bar"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_side_is_a_panel_on_one_scale_with_its_strongest_head_framed(theme: str) -> None:
    strong, weak = np.array([[0.0, 0.1], [0.5, -0.25]]), np.array([[0.2, 0.0], [0.0, 0.0]])
    rows = ["layer 0", "layer 1"]
    figure = composition_figure([Earlier("q", rows, strong), Earlier("k", rows, weak)], theme)  # type: ignore[arg-type]
    assert [(panel.zmin, panel.zmax) for panel in figure.data] == [(-0.5, 0.5)] * 2
    assert [note.text for note in figure.layout.annotations] == ["by its queries", "by its keys"]
    first, second = figure.layout.shapes
    assert (first.x0, first.y0, first.xref) == (-0.5, 0.5, "x")
    assert (second.x0, second.y0, second.xref) == (-0.5, -0.5, "x2")
    assert figure.data[0].hovertext[1][1] == "layer 1, head 1: −0.250"
    assert not any(figure.layout.yaxis2.ticktext), "the same rows are named once"


def test_other_rows_have_their_own_names() -> None:
    sides = [Earlier("q", ["layer 0", "cross 0"], np.ones((2, 2))), Earlier("k", ["encoder 0"], np.ones((1, 2)))]
    figure = composition_figure(sides)
    assert list(figure.layout.yaxis2.ticktext) == ["encoder 0"]


def test_a_side_without_earlier_heads_is_empty() -> None:
    figure = composition_figure([Earlier("q", [], np.zeros((0, 4)))])
    assert not figure.layout.shapes
