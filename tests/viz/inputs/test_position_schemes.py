"""The figure of a counter: two lines from 0, with their last values written at the ends."""

from __future__ import annotations

import numpy as np

from viz.inputs.position_schemes import counter_figure


def test_a_counter_grows_without_bound_and_a_normalised_one_does_not() -> None:
    plain = counter_figure(np.arange(32.0), np.arange(64.0))
    normalised = counter_figure(np.linspace(0, 1, 32), np.linspace(0, 1, 64))
    assert [each.text for each in plain.layout.annotations] == [
        "63, the last<br>of 64 words",
        "31, the last<br>of 32 words",
    ]
    assert {each.text[:2] for each in normalised.layout.annotations} == {"1,"}
    assert plain.layout.yaxis.range[1] > 63
    assert 1 < normalised.layout.yaxis.range[1] < 2
