"""A view in a notebook: charts as figures, all else in a frame that needs no network and no kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from views.notebook.show import Frame, outputs
from views.parts import Chart, Controls
from views.view import View
from viz.documents.page_parts import Group, Text


def bars(theme: str = "light") -> go.Figure:
    return go.Figure(go.Bar(y=[1, 2]))


@dataclass(frozen=True)
class Bars(View):
    def picture_parts(self) -> Sequence[Any]:
        chart = Chart(bars, "two bars")
        return [Text("above"), Group([Text("beside"), chart]), Controls("window"), Text("<b>below</b>")]


def test_charts_are_figures_and_the_rest_stands_in_frames() -> None:
    first, chart, last = outputs(Bars())
    assert [type(each) for each in (first, chart, last)] == [Frame, go.Figure, Frame]
    assert "above" in first.page
    assert "beside" in first.page
    assert list(chart.data[0].y) == [1, 2]
    assert "&lt;b&gt;below" in last.page


def test_a_frame_holds_its_page_as_text() -> None:
    html = Frame('<p title="x">1 & 2</p>')._repr_html_()
    assert 'srcdoc="&lt;p title=&quot;x&quot;&gt;1 &amp; 2&lt;/p&gt;"' in html
