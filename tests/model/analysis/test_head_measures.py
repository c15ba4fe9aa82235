"""Measures of heads on matrices made by hand."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.head_measures import (
    CROSS_KINDS,
    KINDS,
    distance,
    first_token,
    measure,
    previous_token,
    same_token,
    self_token,
    spread,
    strongest,
)

PREVIOUS = torch.tensor([[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
FIRST = torch.tensor([[1.0, 0, 0, 0]] * 4)
ITSELF = torch.eye(4)
EVEN = torch.tensor([[1.0, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4])
HEADS = torch.stack([PREVIOUS, FIRST, ITSELF, EVEN])  # (heads, queries, keys)
IDS = [5, 9, 5, 5]


def test_previous_token_by_hand() -> None:
    assert previous_token(HEADS).tolist() == pytest.approx([1, 1 / 3, 0, (1 / 2 + 1 / 3 + 1 / 4) / 3])


def test_first_token_by_hand() -> None:
    assert first_token(HEADS).tolist() == pytest.approx([1 / 3, 1, 0, (1 / 2 + 1 / 3 + 1 / 4) / 3])


def test_self_token_by_hand() -> None:
    assert self_token(HEADS).tolist() == pytest.approx([0, 0, 1, (1 / 2 + 1 / 3 + 1 / 4) / 3])


def test_same_token_by_hand() -> None:
    """Queries 2 and 3 see an earlier 5: key 0, and keys 0 and 2. Query 1 (a 9) has no other, query 0 is left out."""
    assert same_token(HEADS, IDS).tolist() == pytest.approx([1 / 2, 1, 0, (1 / 3 + 2 / 4) / 2])


def test_same_token_is_0_where_no_token_repeats() -> None:
    assert same_token(HEADS, [1, 2, 3, 4]).tolist() == [0, 0, 0, 0]


def test_same_token_wants_an_id_for_every_token() -> None:
    with pytest.raises(ValueError, match="4, 4, 3"):
        same_token(HEADS, IDS[:3])


def test_spread_by_hand() -> None:
    """Even rows have the largest entropy of what they can see, one-key rows none."""
    assert spread(HEADS).tolist() == pytest.approx([0, 0, 0, 1], abs=1e-6)
    half = torch.tensor([[0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25]])
    assert float(spread(half)) == pytest.approx((math.log(2) / math.log(2) + 1) / 2)


@pytest.mark.parametrize("is_causal", [True, False])
def test_measures_of_a_long_text_are_those_of_the_definitions(is_causal: bool) -> None:
    """More queries than are measured at once, with words that repeat."""
    count, made = 150, torch.Generator().manual_seed(0)
    scores = torch.randn(3, count, count, generator=made, dtype=torch.float64)
    hidden = torch.ones(count, count, dtype=torch.bool).triu(1) if is_causal else torch.zeros(count, count).bool()
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
    ids = torch.randint(0, 20, (count,), generator=made).tolist()
    for head, found in zip(weights.tolist(), measure(weights, ids)["same"].tolist(), strict=True):
        others = [[j for j in range(count) if ids[j] == ids[i] and j != i and head[i][j]] for i in range(1, count)]
        shares = [sum(head[i][j] for j in places) for i, places in enumerate(others, start=1) if places]
        assert found == pytest.approx(sum(shares) / len(shares))
    for head, found in zip(weights.tolist(), spread(weights).tolist(), strict=True):
        seen = [[weight for weight in row if weight] for row in head]
        even = [-sum(w * math.log(w) for w in row) / math.log(len(row)) for row in seen if len(row) > 1]
        assert found == pytest.approx(sum(even) / len(even))


def test_strongest_by_hand() -> None:
    assert strongest(HEADS).tolist() == pytest.approx([1, 1, 1, (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4])


def test_measure_has_every_kind() -> None:
    assert measure(HEADS, IDS).keys() == {kind.key for kind in KINDS}
    assert measure(HEADS).keys() == {kind.key for kind in CROSS_KINDS}


def test_layers_are_measured_as_one_by_one() -> None:
    layers = torch.stack([HEADS, HEADS.flip(0)])
    together = measure(layers, IDS)
    for i in range(2):
        alone = measure(layers[i], IDS)
        for key, values in together.items():
            assert values[i].tolist() == pytest.approx(alone[key].tolist()), key


@given(st.integers(1, 7), st.integers(0, 2**31), st.booleans())
def test_measures_lie_between_0_and_1(tokens: int, seed: int, causal: bool) -> None:
    scores = torch.randn(3, tokens, tokens, generator=torch.Generator().manual_seed(seed))
    if causal:
        scores = scores.masked_fill(torch.ones(tokens, tokens).triu(1).bool(), -torch.inf)
    ids = torch.randint(0, 3, (tokens,), generator=torch.Generator().manual_seed(seed)).tolist()
    for name, values in measure(scores.softmax(-1), ids).items():
        assert values.shape == (3,), name
        assert ((values >= 0) & (values <= 1 + 1e-5)).all(), name


def test_one_token_is_no_reason_to_fail() -> None:
    only = torch.ones(2, 1, 1)
    assert all(values.tolist() == [0, 0] for values in measure(only, [3]).values())


def test_distance_by_hand() -> None:
    # Rows 1 to 3. PREVIOUS: 1 each; FIRST: 1, 2, 3; ITSELF: 0; EVEN: 1/2, 1, 3/2.
    torch.testing.assert_close(distance(HEADS), torch.tensor([1.0, 2.0, 0.0, 1.0]))
    assert distance(torch.ones(1, 1)) == 0  # one token
