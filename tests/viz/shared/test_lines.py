"""Lines by their data: order, colours, axes and gaps."""

from __future__ import annotations

import numpy as np
import pytest

from viz.print.from_plotly import to_matplotlib
from viz.shared.lines import MAX_MARKED_POINTS, by_place, lines_figure
from viz.shared.style import COLOURS, SERIES


def test_lines_keep_their_values_and_their_order() -> None:
    figure = lines_figure({"a": ([1, 2], [3.0, 4.0]), "<b>": ([2, 4], [5.0, 6.0])}, "tokens", "count", log="xy")
    assert [list(line.y) for line in figure.data] == [[3, 4], [5, 6]]
    assert [list(line.x) for line in figure.data] == [[1, 2], [2, 4]]
    assert [line.name for line in figure.data] == ["a", "&lt;b&gt;"]
    assert [line.line.color for line in figure.data] == list(SERIES["light"][:2])
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert to_matplotlib(figure).axes


def test_a_line_has_gaps_where_a_value_is_not_finite() -> None:
    figure = lines_figure(by_place({"loss": [1.0, np.nan, 2.0]}), "step", "loss", log="y")
    assert list(figure.data[0].x) == [0, 1, 2]
    assert np.isnan(figure.data[0].y[1])
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == (None, "log")


def test_axes_include_zero_and_may_end_at_a_top() -> None:
    figure = lines_figure(by_place({"cosine": [0.9, 0.95]}), "layer", "cosine")
    assert figure.layout.yaxis.rangemode == "tozero"
    share = lines_figure(by_place({"right": [1.0] * 3}), "step", "share", top=1.0)
    assert list(share.layout.yaxis.range) == [-0.02, 1.02]


def test_the_quiet_line_is_grey_and_behind_the_others() -> None:
    figure = lines_figure(by_place({"so far": [1.0], "to come": [1.0, 2.0]}), "step", "rate", quiet="to come")
    assert figure.data[1].line.color == COLOURS["light"]["masked"]
    assert figure.data[1].zorder < figure.data[0].zorder


@pytest.mark.parametrize(("points", "mode"), [(MAX_MARKED_POINTS - 1, "lines+markers"), (MAX_MARKED_POINTS, "lines")])
def test_the_points_of_short_lines_are_marked(points: int, mode: str) -> None:
    figure = lines_figure(by_place({"long": [0.0] * points, "begun": [0.0]}), "x", "y")
    assert [line.mode for line in figure.data] == [mode, "lines+markers"]  # one point alone makes no line
