"""The head and the pair that are shown first, on weights worked out by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from model.analysis.telling import (
    KNOWN_HEADS,
    first_head,
    telling_head,
    telling_head_at,
    telling_pair,
    telling_pairs,
    telling_weights,
)

FAR = torch.zeros(5, 5)
FAR[:, 1] = 1
SINK = torch.zeros(5, 5)
SINK[:, 0] = 1
LAYERS = torch.stack([torch.stack([SINK, torch.eye(5)]), torch.stack([FAR, SINK])])  # (layers, heads, queries, keys)


def test_the_telling_head_looks_far_and_not_at_the_first_token() -> None:
    assert telling_head(LAYERS) == (1, 0)


def test_a_neighbour_on_either_side_is_not_far() -> None:
    next_token, two_on = torch.eye(5).roll(1, dims=-1), torch.eye(5).roll(2, dims=-1)
    assert telling_head([torch.stack([next_token, two_on])]) == (0, 1)


def test_the_first_head_of_an_unknown_model_is_the_telling_one() -> None:
    assert first_head("a model", LAYERS) == (1, 0)


def test_the_first_head_of_a_known_model_needs_no_weights() -> None:
    def no_weights() -> Iterator[Tensor]:
        raise AssertionError("the weights were read")
        yield

    assert first_head("smollm2-135m", no_weights()) == KNOWN_HEADS["smollm2-135m"] == (9, 2)


def test_at_one_query_the_telling_head_looks_past_the_first_token_itself_and_the_one_before() -> None:
    sink = [0.9, 0.0, 0.05, 0.0, 0.05, 0.0]
    previous = [0.0, 0.0, 0.1, 0.0, 0.9, 0.0]
    far = [0.3, 0.0, 0.0, 0.6, 0.05, 0.05]
    weights = torch.tensor([[sink] * 6, [previous] * 6, [far] * 6])
    assert telling_head_at(weights, query=5) == 2
    assert telling_weights(weights[2, 5], query=5).argmax() == 3
    assert telling_head_at(weights, query=5, cross=True) in (0, 1)  # 0.9: no key of another sentence is left out


@pytest.mark.parametrize("count", [1, 2, 4])
def test_short_sentences_have_a_telling_head_too(count: int) -> None:
    weights = torch.full((3, count, count), 1 / count)
    assert telling_head_at(weights, count - 1) == 0
    assert telling_weights(weights[0, -1], count - 1).tolist() == weights[0, -1].tolist()


def test_a_row_without_another_key_stays_as_it_is() -> None:
    row = torch.tensor([0.5, 0.0, 0.0, 0.2, 0.3])
    assert telling_weights(row, 4).tolist() == row.tolist()


def test_the_telling_pair_leaves_out_the_first_token_and_itself() -> None:
    weights = torch.tensor([[1.0, 0, 0], [0.2, 0.8, 0], [0.7, 0.1, 0.2]])
    assert telling_pair(weights) == (2, 1)
    assert telling_pair(torch.tensor([[1.0, 0], [1, 0]])) == (0, 0)
    assert telling_pair(torch.tensor([[0.4, 0.6], [0.3, 0.7], [0.1, 0.9]])) == (2, 1)


def test_the_telling_pairs_of_many_heads_are_those_of_each() -> None:
    weights = torch.rand(3, 4, 5, 5, generator=torch.Generator().manual_seed(0))
    weights[1, 2] = torch.eye(5)
    pairs = telling_pairs(weights)
    for layer, head in itertools.product(range(3), range(4)):
        assert tuple(pairs[layer, head].tolist()) == telling_pair(weights[layer, head])
    assert pairs[1, 2].tolist() == [0, 0], "nothing else has weight"
