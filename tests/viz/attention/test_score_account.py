from __future__ import annotations

import numpy as np

from viz.attention.score_account import pairs_figure

PAIRS = np.array([[1.0, -4.0], [0.5, 2.0]])
TITLES = (["layer 1, head 0", "all others"], ["layer 2, head 3", "all others"])


def test_cells_have_their_numbers_on_one_scale_centred_on_zero() -> None:
    figure = pairs_figure(PAIRS, ["L1H0", "others"], ["L2H3", "others"], TITLES)
    cells, hover, *texts = figure.data
    assert (cells.zmin, cells.zmax) == (-4, 4)
    assert list(cells.colorbar.ticktext) == ["−4.000", "0", "4.000"]
    assert {text for trace in texts for text in trace.text} == {"1.00", "−4.00", "0.50", "2.00"}
    assert "query: all others<br>key: layer 2, head 3<br>0.5" in hover.hovertext[2]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5], "the first part stands on top"
