from __future__ import annotations

import math

import pytest
import torch
from hypothesis import assume, example, given
from hypothesis import strategies as st
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinPLogitsWarper,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from model.errors import SamplingError
from model.generation.sampling import (
    Sampling,
    at_temperature,
    draw,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    ranking,
    stages,
)

HALVES = torch.tensor([0.5, 0.25, 0.125, 0.125])
logits_of_any_size = st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=40).map(torch.tensor)
temperatures = st.floats(0.01, 10)


def test_temperature_by_hand() -> None:
    logits = torch.log(torch.tensor([0.8, 0.2]))
    squared = torch.tensor([0.64, 0.04]) / 0.68  # p^(1/T), T = 1/2
    torch.testing.assert_close(at_temperature(logits, 0.5), squared)
    torch.testing.assert_close(at_temperature(logits, 2.0), torch.tensor([2 / 3, 1 / 3]))  # roots: 2 to 1


def test_temperature_zero_is_the_likeliest_token() -> None:
    assert at_temperature(torch.tensor([1.0, 3.0, 2.0]), 0).tolist() == [0, 1, 0]
    assert at_temperature(torch.tensor([1.0, 3.0, 2.0]), 1e-40).tolist() == [0, 1, 0]
    assert at_temperature(torch.tensor([1.0, 3.0, 2.0]), 5e-324).tolist() == [0, 1, 0], "float32 makes it 0"


def test_top_k_by_hand() -> None:
    torch.testing.assert_close(keep_top_k(HALVES, 2), torch.tensor([2 / 3, 1 / 3, 0, 0]))
    assert keep_top_k(HALVES, 3).tolist()[3] == 0, "of equal tokens the lower id counts first"
    for everything in (0, 4, 99):
        assert keep_top_k(HALVES, everything) is HALVES


def test_top_p_by_hand() -> None:
    torch.testing.assert_close(keep_top_p(HALVES, 0.5), torch.tensor([1.0, 0, 0, 0]))
    torch.testing.assert_close(keep_top_p(HALVES, 0.51), torch.tensor([2 / 3, 1 / 3, 0, 0]))
    torch.testing.assert_close(keep_top_p(HALVES, 0.8), torch.tensor([4 / 7, 2 / 7, 1 / 7, 0]))
    assert keep_top_p(HALVES, 0).tolist() == [1, 0, 0, 0], "the likeliest token always stays"
    assert keep_top_p(HALVES, 1) is HALVES


def test_min_p_by_hand() -> None:
    torch.testing.assert_close(keep_min_p(HALVES, 0.5), torch.tensor([2 / 3, 1 / 3, 0, 0]))
    torch.testing.assert_close(keep_min_p(HALVES, 0.51), torch.tensor([1.0, 0, 0, 0]))
    assert keep_min_p(HALVES, 1).tolist() == [1, 0, 0, 0], "the likeliest token always stays"
    assert keep_min_p(HALVES, 0) is HALVES


@given(logits_of_any_size, temperatures, st.integers(0, 12), st.floats(0.01, 1), st.floats(0, 1))
@example(torch.tensor([-1.1755e-38, 0.0]), 1.0, 0, 0.25, 0.5)
def test_the_filters_are_those_of_transformers(logits, temperature, k, p, share) -> None:
    """In their order. A token at the very edge of a filter stays or goes by rounding, so those are passed over."""
    warpers = LogitsProcessorList([TemperatureLogitsWarper(temperature)])
    if k:
        warpers.append(TopKLogitsWarper(k))
    warpers += [TopPLogitsWarper(p), MinPLogitsWarper(share)]
    assume(len(set(logits.tolist())) == len(logits))
    theirs = warpers(torch.zeros(1, 1, dtype=torch.long), logits[None].clone())[0].softmax(-1)
    made = stages(logits, Sampling(temperature, k, p, share))
    falling = made.top_k.sort(descending=True).values.double()
    edges = (falling.cumsum(0) - p).abs().min(), (made.top_p / made.top_p.max() - share).abs().min()
    assume(min(map(float, edges)) > 1e-5)
    stays = made.min_p > 0
    assume(stays.all() or made.temperature[stays].min() != made.temperature[~stays].max())  # equally likely ones
    torch.testing.assert_close(made.min_p, theirs, atol=1e-5, rtol=1e-4)


def test_the_order_is_temperature_then_top_k_then_top_p() -> None:
    logits = torch.log(torch.tensor([0.4, 0.3, 0.2, 0.1]))
    made = stages(logits, Sampling(temperature=1.0, top_k=2, top_p=0.55))
    # Of the two that top-k leaves, 4/7 and 3/7, the first alone reaches 0.55; top-p first would have kept both.
    assert made.top_k.tolist() == pytest.approx([4 / 7, 3 / 7, 0, 0])
    assert made.top_p.tolist() == [1, 0, 0, 0]


@given(logits_of_any_size, temperatures, st.integers(0, 50), st.floats(0, 1))
@example(torch.tensor([-1e-27, 0.0]), 1.0, 0, 0.0)
def test_every_stage_is_a_distribution_over_fewer_tokens(logits, temperature, k, p) -> None:
    made = stages(logits, Sampling(temperature, k, p, p / 2))
    before = len(logits)
    for stage in (made.model, made.temperature, made.top_k, made.top_p, made.min_p):
        assert float(stage.sum()) == pytest.approx(1, abs=1e-5)
        kept = int((stage > 0).sum())
        assert 1 <= kept <= before
        before = kept
    if k:
        assert int((made.top_k > 0).sum()) <= k
    assert made.top_p[made.temperature.argmax()] > 0  # the first of those that are alike once rounded


@given(logits_of_any_size, temperatures, st.floats(0.01, 1))
def test_top_p_keeps_the_smallest_set_that_reaches_p(logits, temperature, p) -> None:
    before = at_temperature(logits, temperature)
    kept = keep_top_p(before, p) > 0
    falling = before[ranking(before)].double()
    needed = int((falling.cumsum(0) < p).sum()) + 1
    assert abs(int(kept.sum()) - min(needed, int((before > 0).sum()))) <= (p > 0.99999)


def test_batches_are_filtered_row_by_row() -> None:
    logits = torch.randn(3, 11, generator=torch.Generator().manual_seed(0))
    together = stages(logits, Sampling(0.7, 5, 0.8, 0.3))
    for row in range(3):
        torch.testing.assert_close(together.min_p[row], stages(logits[row], Sampling(0.7, 5, 0.8, 0.3)).min_p)


def test_draws_follow_the_filtered_distribution() -> None:
    logits = torch.log(torch.tensor([0.3, 0.25, 0.2, 0.15, 0.06, 0.04]))
    probabilities = stages(logits, Sampling(1.3, 5, 0.95)).top_p
    chance, counts, n = torch.Generator().manual_seed(11), torch.zeros(6), 4000
    for _ in range(n):
        counts[draw(probabilities, chance)] += 1
    kept = probabilities > 0
    assert counts[~kept].sum() == 0
    expected = probabilities[kept] * n
    chi_square = float(((counts[kept] - expected) ** 2 / expected).sum())
    assert int(kept.sum()) == 5
    assert chi_square < 13.28, "4 degrees of freedom, 1 in 100"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"temperature": -0.1}, "temperature is -0.1"),
        ({"temperature": math.inf}, "temperature is inf"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"top_k": -1}, "Top-k is -1"),
        ({"top_p": 1.01}, "Top-p is 1.01"),
        ({"top_p": -0.5}, "Top-p is -0.5"),
        ({"top_p": math.nan}, "Top-p is nan"),
        ({"min_p": 1.01}, "Min-p is 1.01"),
        ({"min_p": -0.5}, "Min-p is -0.5"),
        ({"min_p": math.nan}, "Min-p is nan"),
    ],
)
def test_values_out_of_range_are_named(values: dict[str, float], message: str) -> None:
    with pytest.raises(SamplingError, match=message):
        Sampling(**values)  # type: ignore[arg-type]
