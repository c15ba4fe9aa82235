from __future__ import annotations

import pytest
import torch

from model.edits.tensors import replace
from model.network.masks import HIDDEN, causal_mask, combine, hide, masked_softmax, padding_mask
from model.tape import Tape
from tests.model.networks import ids, network

pytestmark = pytest.mark.usefixtures("inference")


def test_causal() -> None:
    assert causal_mask(3, 3).tolist() == [[0, HIDDEN, HIDDEN], [0, 0, HIDDEN], [0, 0, 0]]


def test_causal_with_a_cache_counts_from_the_end() -> None:
    assert causal_mask(2, 4).tolist() == [[0, 0, 0, HIDDEN], [0, 0, 0, 0]]
    assert causal_mask(1, 5).abs().sum() == 0


def test_padding_hides_keys_for_every_head_and_query() -> None:
    mask = padding_mask(torch.tensor([[True, True, False], [True, False, False]]))
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[0, 0, HIDDEN], [0, HIDDEN, HIDDEN]]
    assert padding_mask(torch.tensor([True, False])).shape == (1, 1, 2)


def test_combined_hides_what_either_hides() -> None:
    padding = padding_mask(torch.tensor([[False, True, True]]))
    both = combine(causal_mask(3, 3), None, padding)
    assert both is not None
    assert (both[0, 0] == HIDDEN).tolist() == [[True, True, True], [True, False, True], [True, False, False]]
    assert combine() is None
    assert combine(None, None) is None


def test_a_row_that_is_hidden_whole_gets_zeros() -> None:
    masked = torch.tensor([[1.0, 2.0], [HIDDEN, HIDDEN], [HIDDEN, 3.0]])
    weights = masked_softmax(masked)
    assert weights[1].tolist() == [0, 0]
    assert weights[2].tolist() == [0, 1]
    torch.testing.assert_close(weights[0], masked[0].softmax(-1))


def test_a_row_that_is_hidden_whole_has_no_gradient() -> None:
    with torch.inference_mode(False):
        masked = torch.tensor([[1.0, 2.0], [HIDDEN, HIDDEN]], requires_grad=True)
        (masked_softmax(masked) * torch.tensor([1.0, 3.0])).sum().backward()
    assert masked.grad is not None
    assert masked.grad[1].tolist() == [0, 0]
    assert masked.grad[0].abs().min() > 0


def test_a_damaged_score_is_not_passed_off_as_hidden() -> None:
    assert masked_softmax(torch.tensor([[float("nan"), 1.0]])).isnan().all()


def test_hidden_keys_get_exactly_no_weight() -> None:
    scores = torch.randn(4, 9, 9, generator=torch.Generator().manual_seed(0)) * 20
    weights = masked_softmax(scores + causal_mask(9, 9))
    assert weights.triu(1).abs().max() == 0
    torch.testing.assert_close(weights.sum(-1), torch.ones(4, 9))


def test_a_painted_mask_takes_the_place_of_the_models() -> None:
    painted = hide(torch.eye(5, dtype=torch.bool))
    painted[2] = HIDDEN
    tape = Tape(keep="*", edits=[replace("decoder.*.mask", painted)])
    logits = network("decoder")(ids(5), tape=tape)
    weights = tape.records["decoder.1.self_attn.weights"]
    expected = torch.eye(5)
    expected[2] = 0
    assert weights.equal(expected.expand(4, 5, 5))
    assert tape.records["decoder.1.self_attn.mask"].equal(painted)
    assert logits.isfinite().all()
