"""The head and the pair that are shown first, on weights worked out by hand."""

from __future__ import annotations

import pytest
import torch

from model import load
from model.analysis.telling import largest_other_weight, last_word, telling_head_at, telling_key, telling_weights


def test_the_last_word_is_no_special_token() -> None:
    tokens = load("minilm-l6").tokens_of("the dog sleeps")
    assert tokens[-1].special
    assert last_word(tokens) == len(tokens) - 2
    assert last_word([token for token in tokens if token.special]) == 1, "all are special"


def test_the_telling_key_is_no_sink_and_no_neighbour() -> None:
    row = torch.tensor([0.5, 0.0, 0.1, 0.0, 0.3, 0.1])
    assert telling_key(row, query=5) == 2
    assert telling_key(row, query=5, cross=True) == 0


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


def test_the_largest_other_weight_leaves_out_the_first_token_and_itself() -> None:
    weights = torch.tensor([[1.0, 0, 0], [0.2, 0.8, 0], [0.7, 0.1, 0.2]])
    assert largest_other_weight(weights) == (2, 1)
    assert largest_other_weight(torch.tensor([[1.0, 0], [1, 0]])) == (0, 0)
    assert largest_other_weight(torch.tensor([[0.4, 0.6], [0.3, 0.7], [0.1, 0.9]])) == (2, 1)
