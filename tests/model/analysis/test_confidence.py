"""Wilson's interval, by hand."""

from __future__ import annotations

import pytest

from model.analysis.confidence import wilson_interval


def test_wilsons_interval_by_hand() -> None:
    low, high = wilson_interval(0.5, 100)  # (0.5 + 0.0192) / 1.0384 -+ 0.0962
    assert (low, high) == pytest.approx((0.4038, 0.5962), abs=1e-4)


def test_the_interval_stays_within_0_and_1() -> None:
    assert wilson_interval(1.0, 10)[1] == 1.0
    assert wilson_interval(0.0, 10)[0] == 0.0


def test_more_items_make_it_narrower() -> None:
    few, many = (wilson_interval(0.3, count) for count in (20, 2000))
    assert few[0] < many[0] < 0.3 < many[1] < few[1]
