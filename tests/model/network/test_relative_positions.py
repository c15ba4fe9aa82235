"""Buckets worked by hand, the bias, and what it does to scores."""

from __future__ import annotations

import pytest
import torch

from model.network.relative_positions import RelativeBias, bucket
from model.tape import Tape
from tests.model.networks import T5 as VALUES
from tests.model.networks import ids, inputs, network, variant


def buckets(distances: list[int], n_buckets: int, reach: int, both_ways: bool) -> list[int]:
    return bucket(torch.tensor(distances), n_buckets, reach, both_ways).tolist()


def test_a_decoders_near_keys_have_a_bucket_each_and_far_ones_share() -> None:
    """Of 8 buckets, 0 to 3 are one distance each. From 4 on, each is 16^(1/4) = 2 times as wide, up to 64."""
    found = buckets([0, -1, -2, -3, -4, -7, -8, -15, -16, -31, -32, -63, -64, -999], 8, 64, False)
    assert found == [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7]
    assert buckets([1, 2, 30], 8, 64, False) == [0, 0, 0]


def test_an_encoder_has_half_of_the_buckets_for_keys_behind_the_query() -> None:
    assert buckets([0, -1, -2, -3, -8, -99], 8, 8, True) == [0, 1, 2, 2, 3, 3]
    assert buckets([1, 2, 3, 8, 99], 8, 8, True) == [5, 6, 6, 7, 7]


def test_the_bias_is_the_row_of_the_bucket() -> None:
    made = RelativeBias(4, n_heads=2, reach=3, both_ways=False)
    made.weight.data = torch.tensor([[0.0, 10.0], [1.0, 11.0], [2.0, 12.0], [3.0, 13.0]])
    bias = made(torch.arange(3), torch.arange(3))  # (heads, queries, keys)
    assert bias.tolist() == [[[0, 0, 0], [1, 0, 0], [2, 1, 0]], [[10, 10, 10], [11, 10, 10], [12, 11, 10]]]
    later = made(torch.tensor([2]), torch.arange(3))
    assert later.equal(bias[:, 2:])


@pytest.mark.parametrize("name", ["T5", "T5 v1.1", "relative decoder"])
def test_the_fused_kernel_adds_the_same_bias(name: str) -> None:
    made = variant(name)
    read, source = inputs(made)
    with torch.inference_mode():
        fused, watched = made(read, source), made(read, source, Tape("*"))
    torch.testing.assert_close(fused, watched)


def test_the_bias_changes_the_scores_of_self_attention_alone() -> None:
    made = variant("T5")
    read, source = inputs(made)
    tape, plain = Tape("*"), Tape("*")
    with torch.inference_mode():
        made(read, source, tape)
        made.encoder.relative_bias.weight.zero_()
        made.decoder.relative_bias.weight.zero_()
        made(read, source, plain)
    here = "encoder.0.self_attn."
    bias = tape.records[here + "position_bias"]
    assert bias.abs().min() > 0
    torch.testing.assert_close(tape.records[here + "scores"], plain.records[here + "scores"] + bias)
    assert not any("cross_attn.position_bias" in name for name in tape.records)


def test_only_distances_count_so_a_shifted_text_has_the_same_weights() -> None:
    """With all of its context shifted along, a decoder writes the same, wherever the text begins."""
    made = network("decoder", **VALUES)
    tape = Tape("decoder.0.self_attn.weights")
    with torch.inference_mode():
        made(torch.full((6,), 3), tape=tape)
    weights = tape.records["decoder.0.self_attn.weights"]
    first = weights[:, 4, 1:5] / weights[:, 4, 1:5].sum(-1, keepdim=True)
    second = weights[:, 5, 2:6] / weights[:, 5, 2:6].sum(-1, keepdim=True)
    torch.testing.assert_close(first, second)


def test_training_reaches_the_table() -> None:
    made = network("encoder", **{**VALUES, "scale_logits": False}).requires_grad_(True)
    made(ids(5)).square().sum().backward()
    assert made.encoder.relative_bias.weight.grad.abs().sum() > 0
