"""The cross-entropy in blocks is that of torch, and so is its gradient."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from model.train import cross_entropy
from model.train.cross_entropy import SummedCrossEntropy

IGNORE = -100


def both(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The sum and its gradient: ours, and torch's."""
    found = []
    for ours in (True, False):
        given_logits = logits.clone().requires_grad_()
        if ours:
            total = SummedCrossEntropy.apply(given_logits, labels, IGNORE, smoothing)
        else:
            total = F.cross_entropy(
                given_logits.float(), labels, ignore_index=IGNORE, reduction="sum", label_smoothing=smoothing
            )
        (3 * total).backward()
        found.append((total.detach(), given_logits.grad))
    return found


@pytest.mark.slow
@given(
    rows=st.integers(1, 30),
    vocabulary=st.integers(2, 40),
    smoothing=st.sampled_from([0.0, 0.05, 0.5]),
    block=st.integers(1, 200),
    ignored=st.floats(0, 1),
    size=st.sampled_from([1.0, 30.0]),
)
def test_sum_and_gradient_are_those_of_torch(rows, vocabulary, smoothing, block, ignored, size):
    generator = torch.Generator().manual_seed(rows * 41 + vocabulary)
    logits = torch.randn(rows, vocabulary, generator=generator) * size
    labels = torch.randint(vocabulary, (rows,), generator=generator)
    labels[torch.rand(rows, generator=generator) < ignored] = IGNORE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cross_entropy, "BLOCK_NUMBERS", block)
        (total, gradient), (wanted, wanted_gradient) = both(logits, labels, smoothing)
    torch.testing.assert_close(total, wanted, rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(gradient, wanted_gradient, rtol=1e-4, atol=1e-5)


def test_bfloat16_logits_are_summed_in_float32():
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(50, 3000, generator=generator).bfloat16()
    labels = torch.randint(3000, (50,), generator=generator)
    (total, gradient), (wanted, wanted_gradient) = both(logits, labels, 0.0)
    assert total.dtype is torch.float32
    torch.testing.assert_close(total, wanted, rtol=1e-5, atol=1e-3)
    assert gradient.dtype is torch.bfloat16
    torch.testing.assert_close(gradient, wanted_gradient, rtol=1e-2, atol=1e-5)


def test_without_a_gradient_there_is_the_same_sum():
    logits, labels = torch.randn(5, 7, generator=torch.Generator().manual_seed(0)), torch.arange(5)
    found = SummedCrossEntropy.apply(logits, labels, IGNORE, 0.1)
    assert not found.requires_grad
    torch.testing.assert_close(found, F.cross_entropy(logits, labels, reduction="sum", label_smoothing=0.1))
