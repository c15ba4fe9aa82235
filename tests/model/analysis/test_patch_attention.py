"""The class token's attention, by hand."""

from __future__ import annotations

import pytest
import torch

from model.analysis.patch_attention import class_token_attention, moved_share


def test_the_class_token_looks_at_patches_on_average() -> None:
    weights = torch.zeros(2, 3, 3)
    weights[0, 0], weights[1, 0] = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.1, 0.1, 0.8])
    torch.testing.assert_close(class_token_attention(weights), torch.tensor([0.2, 0.5]))


def test_attention_that_goes_with_the_patches_has_not_moved() -> None:
    before, order = torch.tensor([0.1, 0.2, 0.3]), [2, 0, 1]
    assert moved_share(before, before[order], order) == 0
    assert moved_share(before, 2 * before[order], order) == pytest.approx(0)  # only the shares count


def test_attention_that_goes_elsewhere_has_moved() -> None:
    before, after = torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.25, 0.75, 0.0])
    assert moved_share(before, after, [0, 1, 2]) == pytest.approx(0.75)
    assert moved_share(before, before, [1, 0, 2]) == pytest.approx(1)
