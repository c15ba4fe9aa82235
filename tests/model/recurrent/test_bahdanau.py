"""Bahdanau's attention and its decoder: a step worked out by hand, weights that sum to 1, padding without weight."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from model.recurrent.bahdanau import Alignment, BahdanauCell
from model.tape import Tape


def filled(module: nn.Module, value: float) -> None:
    for parameter in module.parameters():
        nn.init.constant_(parameter, value)


def test_an_alignment_by_hand() -> None:
    align = Alignment(1, 1, 1).eval()
    filled(align, 1.0)
    nn.init.zeros_(align.query.bias)
    nn.init.constant_(align.score.weight, 2.0)
    s, memory = torch.tensor([0.5]), torch.tensor([[0.0], [1.0]])  # two source words
    tape = Tape("*")
    with torch.no_grad():
        context = align(s, memory, align.key(memory), tape=tape)
    first, second = 2 * math.tanh(0.5), 2 * math.tanh(1.5)  # v tanh(W s + U h)
    weight = math.exp(second) / (math.exp(first) + math.exp(second))
    assert tape.records["scores"].tolist() == pytest.approx([first, second])
    assert tape.records["weights"].tolist() == pytest.approx([1 - weight, weight])
    assert float(context) == pytest.approx(weight)  # (1 - w) 0 + w 1


def test_a_step_of_the_decoder_by_hand() -> None:
    cell = BahdanauCell(1, 1, 1).eval()
    filled(cell, 1.0)
    nn.init.zeros_(cell.from_word.bias)
    word, context, s = torch.tensor([0.2]), torch.tensor([0.3]), torch.tensor([0.5])
    with torch.no_grad():
        new = cell.step(cell.from_word(word), context, s)
    gate = 1 / (1 + math.exp(-(0.2 + 0.3 + 0.5)))  # the gates see the context too; r = z here
    candidate = math.tanh(0.2 + 0.3 + gate * 0.5)
    assert float(new) == pytest.approx((1 - gate) * 0.5 + gate * candidate)


@settings(max_examples=25)
@given(seed=st.integers(0, 999), sources=st.integers(1, 8), padding=st.integers(0, 3))
def test_weights_sum_to_one_and_padding_has_none(seed: int, sources: int, padding: int) -> None:
    torch.manual_seed(seed)
    align = Alignment(4, 6, 5).eval()
    memory = torch.randn(2, sources + padding, 6)
    real = (torch.arange(sources + padding) < sources).expand(2, -1)
    s, tape = torch.randn(2, 4), Tape("*")
    with torch.no_grad():
        padded = align(s, memory, align.key(memory), real, tape)
        short = align(s, memory[:, :sources], align.key(memory[:, :sources]))
    weights = tape.records["weights"]
    torch.testing.assert_close(weights.sum(-1), torch.ones(2))
    assert (weights[:, sources:] == 0).all()
    assert (weights[:, :sources] > 0).all()
    torch.testing.assert_close(padded, short)
