"""What the printed picture of a run keeps of a large tensor."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as anything

from viz.home import map


def test_a_wide_picture_keeps_the_strongest_of_each_block() -> None:
    values = np.zeros((2, 960), np.float32)
    values[0, 13], values[1, 959] = -5, 3
    shown = map.strongest(values)
    assert shown.shape == (2, 96)
    assert shown[0, 1] == -5
    assert shown[1, 95] == 3
    assert np.count_nonzero(shown) == 2


def test_a_long_sentence_keeps_the_strongest_of_neighbouring_tokens() -> None:
    values = np.zeros((256, 10), np.float32)
    values[5, 2], values[255, 9] = 4, -7
    shown = map.strongest(values, rows=64)
    assert shown.shape == (64, 10)
    assert shown[1, 2] == 4
    assert shown[63, 9] == -7


def test_the_strongest_neurons_stay_in_their_order() -> None:
    activated = np.array([[0.1, -9.0, 2.0, 0.0], [0.1, 9.0, 2.0, 0.0]], np.float32)
    shown, numbers = map.strongest_neurons(activated, 2)
    assert numbers.tolist() == [1, 2]
    assert shown.tolist() == [[-9.0, 2.0], [9.0, 2.0]]


@given(anything.integers(1, 300))
def test_chips_lose_no_token_uncounted(count: int) -> None:
    shown, left_out = map.chips([f"t{i}" for i in range(count)])
    assert len(shown) + left_out == count
    assert len(shown) <= map.MAX_CHIPS
    assert shown[0] == "t0"
    assert shown[-1] == f"t{count - 1}"
