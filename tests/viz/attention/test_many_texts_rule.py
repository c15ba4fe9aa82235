"""The bars and the map of a rule."""

from __future__ import annotations

import numpy as np
import pytest

from viz.attention.many_texts_rule import BEST, CHANCE, CHOSEN, ShareBar, rule_bars_figure, rule_map_figure
from viz.shared.style import Theme, colour

BARS = [ShareBar(0.16, "layer 9, head 2", CHOSEN), ShareBar(0.54, "<b>best</b>", BEST), ShareBar(0.0, "chance", CHANCE)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_bar_has_its_share_and_whose_it_is(theme: Theme) -> None:
    fig = rule_bars_figure({"weight": BARS, "hits": BARS[:2]}, theme=theme)
    assert [list(trace.x) for trace in fig.data] == [[0.16, 0.54, 0.0], [0.16, 0.54]]
    assert list(fig.data[0].text) == ["16%  layer 9, head 2", "54%  &lt;b&gt;best&lt;/b&gt;", "0%  chance"]
    assert fig.data[0].marker.color[0] == colour("query", theme)
    assert [note.text for note in fig.layout.annotations] == ["weight", "hits"]
    titled = rule_bars_figure({"weight": BARS}, "Layer 9, head 2 looks <there>", theme)
    assert titled.layout.annotations[1].text == "<b>Layer 9, head 2 looks &lt;there&gt;</b>"
    assert titled.layout.height > rule_bars_figure({"weight": BARS}, theme=theme).layout.height
    assert fig.layout.xaxis.range[1] > 1, "there is room for the text beside a bar of 100%"


def test_the_chosen_head_is_framed_in_the_map() -> None:
    shares = np.array([[0.1, 0.2, 0.0], [0.3, 0.4, 0.1]])
    fig = rule_map_figure(shares, (1, 0))
    np.testing.assert_allclose(fig.data[0].z, shares, atol=1e-6)
    assert fig.data[1].hovertext[3] == "layer 1, head 0: 30%"
    assert (fig.data[1].x[3], fig.data[1].y[3]) == (0, 1)
    assert (fig.layout.shapes[0].x0, fig.layout.shapes[0].y0) == (-0.5, 0.5)
    assert fig.layout.annotations[0].text == "each head, from 0 to 40%"
    assert rule_map_figure(np.zeros((2, 3)), (0, 0)).data[0].zmax > 0
