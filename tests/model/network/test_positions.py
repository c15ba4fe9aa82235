from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.errors import ConfigError
from model.network.positions import (
    angles,
    frequencies,
    product_terms,
    rotate,
    rotation,
    shift_matrix,
    shift_pairs,
    sinusoidal,
)
from tests.model.networks import ids, network

WIDTHS = st.integers(1, 32).map(lambda half: 2 * half)
BASES = st.floats(1.5, 1e6)
PLACES = st.integers(0, 4096)


def vector(t: float, d: int, base: float) -> torch.Tensor:
    return sinusoidal(torch.tensor([t], dtype=torch.float64), d, base)[0]


def test_i_am_a_robot() -> None:
    """Shamsi's example, d = 4, n = 100."""
    expected = [
        [0, 1, 0, 1],
        [0.8415, 0.5403, 0.0998, 0.9950],
        [0.9093, -0.4161, 0.1987, 0.9801],
        [0.1411, -0.9900, 0.2955, 0.9553],
    ]
    table = sinusoidal(torch.arange(4), 4, 100.0)
    torch.testing.assert_close(table, torch.tensor(expected, dtype=torch.float64), atol=1e-4, rtol=0)


def test_frequencies_fall_from_one_turn_per_six_tokens() -> None:
    torch.testing.assert_close(frequencies(4, 100.0), torch.tensor([1.0, 0.1], dtype=torch.float64))
    assert angles(torch.tensor([0, 3]), frequencies(4, 100.0)).tolist() == [[0, 0], pytest.approx([3, 0.3])]


@given(WIDTHS, BASES, PLACES, st.floats(-500, 500))
def test_a_shift_is_one_rotation_whatever_the_place(d: int, base: float, t: int, phi: float) -> None:
    moved = shift_matrix(phi, d, base) @ vector(t, d, base)
    torch.testing.assert_close(moved, vector(t + phi, d, base), atol=1e-8, rtol=0)


def test_a_pair_turns_clockwise() -> None:
    turned = shift_matrix(torch.pi / 2, 2) @ torch.tensor([1.0, 0.0], dtype=torch.float64)
    torch.testing.assert_close(turned, torch.tensor([0.0, -1.0], dtype=torch.float64))


@given(WIDTHS, BASES, PLACES)
def test_every_position_is_as_long(d: int, base: float, t: int) -> None:
    assert vector(t, d, base).square().sum().item() == pytest.approx(d / 2)


@given(WIDTHS, BASES, PLACES, PLACES, st.integers(0, 512))
def test_dot_products_depend_on_the_shift_only(d: int, base: float, t: int, s: int, phi: int) -> None:
    at_t = vector(t, d, base) @ vector(t + phi, d, base)
    assert at_t.item() == pytest.approx((vector(s, d, base) @ vector(s + phi, d, base)).item(), abs=1e-7)
    assert at_t.item() == pytest.approx((frequencies(d, base) * phi).cos().sum().item(), abs=1e-7)


@given(WIDTHS, BASES, PLACES, PLACES, st.integers(0, 4096), st.integers(0, 2**16))
def test_rotary_scores_depend_on_the_distance_only(d: int, base: float, t: int, s: int, c: int, seed: int) -> None:
    q, k = torch.randn(2, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)

    def score(t: int, s: int) -> float:
        at_t, at_s = (rotation(torch.tensor([place]), frequencies(d, base), torch.float64) for place in (t, s))
        return (rotate(q[None], at_t) @ rotate(k[None], at_s).mT).item()

    assert score(t + c, s + c) == pytest.approx(score(t, s), abs=1e-6)


def test_rotation_keeps_lengths_and_leaves_the_first_token() -> None:
    x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0))
    turned = rotate(x, rotation(torch.arange(5), frequencies(8, 10000.0), x.dtype))
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))
    assert turned[:, 0].equal(x[:, 0])
    assert not turned[:, 1:].allclose(x[:, 1:])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_vectors_of_half_width_are_turned_too(dtype: torch.dtype) -> None:
    x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0)).to(dtype)
    turned = rotate(x, rotation(torch.arange(5), frequencies(8, 10000.0), dtype))
    assert turned.dtype == dtype
    exact = rotate(x.double(), rotation(torch.arange(5), frequencies(8, 10000.0), torch.float64))
    torch.testing.assert_close(turned.double(), exact, atol=0.03, rtol=0.01)


def test_far_positions_stay_exact() -> None:
    """Angles are taken in float64: in float32, position 100,000 would be off by 0.01 of a turn."""
    turn = rotation(torch.tensor([100_003]), frequencies(2, 10000.0), torch.float32)
    assert turn.real.item() == pytest.approx(torch.tensor(100_003.0, dtype=torch.float64).cos().item(), abs=1e-6)


@pytest.mark.parametrize("d", [0, 1, 7])
def test_an_odd_width_is_an_error(d: int) -> None:
    with pytest.raises(ConfigError, match="even number"):
        frequencies(d)


@pytest.mark.parametrize("base", [1.0, 0.0, -3.0, float("nan")])
def test_a_base_that_does_not_slow_down_is_an_error(base: float) -> None:
    with pytest.raises(ConfigError, match="greater than 1"):
        frequencies(4, base)


def test_without_positions_the_encoder_is_permutation_equivariant() -> None:
    words = ids(6)
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    blind, seeing = network("encoder", positions="none"), network("encoder")
    torch.testing.assert_close(blind(words[order]), blind(words)[order], atol=1e-5, rtol=1e-5)
    assert not seeing(words[order]).allclose(seeing(words)[order], atol=1e-2)


def test_both_ways_to_shift_a_position_agree_pair_by_pair() -> None:
    turned, shifted = shift_pairs(3, 2.5, 6, 50.0)
    torch.testing.assert_close(turned, shifted)
    torch.testing.assert_close(shifted.flatten(), sinusoidal(torch.tensor([5.5], dtype=torch.float64), 6, 50.0)[0])


def test_the_terms_of_a_product_add_up_to_it() -> None:
    p = sinusoidal(torch.tensor([9, 4]), 8, 100.0)
    torch.testing.assert_close(product_terms(5, 8, 100.0).sum(), p[0] @ p[1])
