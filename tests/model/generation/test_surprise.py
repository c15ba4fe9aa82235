from __future__ import annotations

import math

import pytest
import torch

from model import Model
from model.generation.surprise import surprise, surprise_of


def test_loss_bits_and_rank_by_hand() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]))
    found = surprise(logits, [0, 1])
    assert found.loss.tolist() == pytest.approx([math.log(2), math.log(8)])
    assert found.bits.tolist() == pytest.approx([1, 3])
    assert found.rank.tolist() == [1, 2]
    assert found.perplexity == pytest.approx(4)  # the geometric mean of 2 and 8


def test_the_mean_loss_is_cross_entropy(smollm2: Model) -> None:
    trace = smollm2.trace("The quick brown fox jumps over the lazy piano", keep="logits")
    ids = [token.id for token in trace.tokens]
    found = surprise(trace.logits[:-1], ids[1:])
    expected = torch.nn.functional.cross_entropy(trace.logits[:-1], torch.tensor(ids[1:]))
    assert float(found.loss.mean()) == pytest.approx(float(expected), abs=1e-5)
    words = [token.text for token in trace.tokens[1:]]
    assert words[int(found.loss[3:].argmax()) + 3] == " piano", "among the words whose context fixes them"


def test_of_a_run_it_is_the_same_however_many_positions_go_at_once(
    smollm2: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = smollm2.trace("The quick brown fox jumps over the lazy piano", keep="logits")
    whole = surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]])
    monkeypatch.setattr("model.generation.surprise.AT_ONCE", 3)
    found = surprise_of(trace)
    torch.testing.assert_close(found.loss, whole.loss)
    assert found.rank.tolist() == whole.rank.tolist()


def test_no_tokens_have_no_surprise() -> None:
    none = surprise(torch.zeros(0, 7), [])
    assert none.loss.shape == none.rank.shape == (0,)
