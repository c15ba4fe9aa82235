"""plotly.js inside a page: a part of it where that is enough."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from viz.documents.page_html import write_page
from viz.documents.page_parts import Group, Plot, Text
from viz.documents.plotly_script import PLANE, SPACE, read_script, script_for


def plot(*traces: object) -> Plot:
    return Plot(go.Figure(traces).to_json(), "")


def test_the_part_has_the_version_of_the_whole() -> None:
    source, _ = read_script(PLANE)
    assert f"plotly.js (cartesian - minified) v{get_plotlyjs_version()}\n" in source[:200]


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ([Text("words")], ""),
        ([plot()], PLANE),
        ([plot(go.Bar(y=[1])), plot(go.Heatmap(z=[[1]]), go.Scatter(y=[1]), go.Image(z=[[[1, 2, 3]]]))], PLANE),
        ([plot(go.Bar(y=[1])), plot(go.Scatter3d(x=[1], y=[1], z=[1]))], SPACE),
        ([plot(go.Mesh3d(x=[1], y=[1], z=[1]))], SPACE),
    ],
)
def test_a_page_has_the_whole_only_for_figures_in_space(parts: list[Plot | Text], name: str) -> None:
    assert script_for(parts) == name


def test_a_page_of_a_chart_is_small() -> None:
    assert len(write_page("", Group([plot(go.Bar(y=[1]))]), {}, "", "light")) < 800_000
