from __future__ import annotations

import math
from typing import Any
from unittest import mock

import pytest
import torch
from torch.nn import functional as F

from model.edits.tensors import replace
from model.network.attention import BETWEEN, AttentionContext, MultiHeadAttention
from model.network.kv_cache import KVCache
from model.network.masks import HIDDEN, causal_mask, padding_mask
from model.network.positions import frequencies, rotation
from model.tape import SILENT, Tape
from tests.model.networks import config, network

pytestmark = pytest.mark.usefixtures("inference")

CAUSAL = AttentionContext(causal_mask(5, 5))


def attention(**changes: Any) -> Any:
    made = network("decoder", **changes).decoder.blocks[0].self_attn
    assert isinstance(made, MultiHeadAttention)
    return made


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def hand_made() -> Any:
    """One head whose queries, keys and output are x itself and whose values are 10 x."""
    made = MultiHeadAttention(config("decoder", d_model=2, n_heads=1, bias=False)).requires_grad_(False)
    for layer, factor in ((made.query, 1.0), (made.key, 1.0), (made.value, 10.0), (made.out, 1.0)):
        layer.weight.copy_(torch.eye(2) * factor)
    return made


def test_by_hand() -> None:
    x = torch.tensor([[2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    tape = Tape("*")
    out = hand_made()(x, tape, AttentionContext(causal_mask(3, 3)))
    kept = tape.records
    assert kept["raw_scores"].tolist() == [[[4, 0, 4], [0, 4, 4], [4, 4, 8]]]
    torch.testing.assert_close(kept["scores"], kept["raw_scores"] / math.sqrt(2))
    assert kept["masked"][0, 0].tolist() == [pytest.approx(4 / math.sqrt(2)), HIDDEN, HIDDEN]
    # Row 1: scores 0 and 4 / sqrt(2). Row 2: 4 / sqrt(2) twice and 8 / sqrt(2).
    low, high = math.exp(4 / math.sqrt(2)), math.exp(8 / math.sqrt(2))
    seen = low / (1 + low)
    expected = [
        [1, 0, 0],
        [1 - seen, seen, 0],
        [low / (2 * low + high), low / (2 * low + high), high / (2 * low + high)],
    ]
    torch.testing.assert_close(kept["weights"], torch.tensor([expected]))
    torch.testing.assert_close(out, torch.tensor(expected) @ (10 * x))
    assert out[0].tolist() == [20, 0]


def test_unscaled() -> None:
    made = attention(scale_scores=False)
    tape = Tape("*")
    recorded = made(random(5, 16), tape, CAUSAL)
    assert tape.records["scores"].equal(tape.records["raw_scores"])
    torch.testing.assert_close(made(random(5, 16), SILENT, CAUSAL), recorded, atol=1e-5, rtol=1e-5)


def test_multi_head_is_a_sum_over_heads() -> None:
    """concat(H_1 .. H_h) W_O is the sum of H_i W_O[i]."""
    made, tape = attention(), Tape("*")
    out = made(random(5, 16), tape)
    blocks = made.out.weight.unflatten(1, (4, 4))  # (d_model, heads, d_head)
    parts = torch.einsum("htd,mhd->htm", tape.records["heads"], blocks)
    torch.testing.assert_close(out, parts.sum(0) + made.out.bias)
    assert tape.records["concat"].equal(torch.cat(list(tape.records["heads"]), dim=-1))


def test_heads_are_weighted_means_of_values() -> None:
    made, tape = attention(), Tape("*")
    made(random(5, 16), tape, CAUSAL)
    torch.testing.assert_close(tape.records["heads"], tape.records["weights"] @ tape.records["v"])
    torch.testing.assert_close(tape.records["q"] @ tape.records["k"].mT, tape.records["raw_scores"])


@pytest.mark.parametrize("kv_heads", [1, 2])
def test_grouped_queries_are_repeated_keys_and_values(kv_heads: int) -> None:
    grouped, full = attention(n_kv_heads=kv_heads), attention()
    full.load_state_dict(grouped.state_dict() | {
        f"{name}.{part}": tensor.unflatten(0, (kv_heads, -1)).repeat_interleave(4 // kv_heads, 0).flatten(0, 1)
        for name, layer in (("key", grouped.key), ("value", grouped.value))
        for part, tensor in layer.named_parameters()
    })  # fmt: skip
    ours, theirs = Tape("*"), Tape("*")
    turn = rotation(torch.arange(5), frequencies(4, 10000.0), torch.float32)
    mine = grouped(random(5, 16), ours, AttentionContext(causal_mask(5, 5), rotation=turn))
    torch.testing.assert_close(mine, full(random(5, 16), theirs, AttentionContext(causal_mask(5, 5), rotation=turn)))
    torch.testing.assert_close(ours.records["weights"], theirs.records["weights"])
    assert ours.records["k"].shape == (kv_heads, 5, 4)
    # Query head i reads key head i // group.
    for head in range(4):
        one = ours.records["q"][head] @ ours.records["k"][head // (4 // kv_heads)].mT
        torch.testing.assert_close(ours.records["raw_scores"][head], one)


MASKS = {
    "none": None,
    "causal": causal_mask(5, 5),
    "padding": padding_mask(torch.tensor([[True, True, False, True, False]])),
    "a row hidden whole": causal_mask(5, 5).index_fill(0, torch.tensor([2]), HIDDEN),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("changes", [{}, {"n_kv_heads": 2, "bias": False}], ids=["plain", "grouped"])
def test_the_fused_path_is_the_recorded_path(mask: str, changes: dict[str, Any]) -> None:
    made, x, tape = attention(**changes), random(1, 5, 16), Tape("weights")
    recorded = made(x, tape, AttentionContext(MASKS[mask]))
    assert "weights" in tape.records
    with mock.patch.object(F, "scaled_dot_product_attention", wraps=F.scaled_dot_product_attention) as kernel:
        fused = made(x, Tape("out"), AttentionContext(MASKS[mask]))
    kernel.assert_called_once()
    torch.testing.assert_close(fused, recorded, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kept", BETWEEN)
def test_what_is_kept_or_edited_is_not_overwritten(kept: str) -> None:
    """A step may write into the tensor before it, which nobody keeps here but one."""
    made, x, bias = attention(score_cap=1.5), random(5, 16), random(4, 5, 5)
    all_kept, one_kept = Tape("*"), Tape(kept)
    made(x, all_kept, AttentionContext(causal_mask(5, 5), bias=bias))
    expected, put_in = all_kept.records[kept], all_kept.records[kept].clone()
    edited = Tape("weights", [replace(kept, put_in)])
    for tape in (one_kept, edited):
        made(x, tape, AttentionContext(causal_mask(5, 5), bias=bias))
    assert one_kept.records[kept].equal(expected)
    assert put_in.equal(expected)
    assert edited.records["weights"].equal(all_kept.records["weights"])


def test_with_gradients_the_same_sums() -> None:
    made, x = attention(), random(5, 16)
    without = made(x, SILENT, CAUSAL)
    with torch.inference_mode(False):
        made, x = attention(), random(5, 16).requires_grad_()
        made(x, SILENT, CAUSAL).sum().backward()
        torch.testing.assert_close(made(x, SILENT, CAUSAL).detach(), without, atol=1e-5, rtol=1e-5)
    assert x.grad is not None
    assert x.grad.isfinite().all()


def test_a_row_hidden_whole_hands_over_nothing() -> None:
    tape = Tape("*")
    attention()(random(5, 16), tape, AttentionContext(MASKS["a row hidden whole"]))
    assert tape.records["weights"][:, 2].abs().max() == 0
    assert tape.records["heads"][:, 2].abs().max() == 0


def test_cross_attention_takes_keys_and_values_from_the_memory() -> None:
    made, tape, memory = attention(), Tape("*"), random(7, 16) * 2
    made(random(5, 16), tape, AttentionContext(memory=memory))
    assert tape.records["weights"].shape == (4, 5, 7)
    keys = (memory @ made.key.weight.mT + made.key.bias).unflatten(-1, (4, 4)).transpose(0, 1)
    torch.testing.assert_close(tape.records["k"], keys)
    assert "q_unrotated" not in tape.records


def test_cross_attention_with_a_cache_makes_keys_once() -> None:
    made, memory, cache = attention(), random(7, 16), KVCache()
    first = made(random(1, 16), SILENT, AttentionContext(memory=memory, cache=cache, path="0.cross_attn"))
    stored = cache.fixed("0.cross_attn")
    again = made(random(1, 16), SILENT, AttentionContext(memory=memory * 0, cache=cache, path="0.cross_attn"))
    assert stored is cache.fixed("0.cross_attn")
    assert again.equal(first)


def test_any_leading_axes() -> None:
    made, x = attention(), random(2, 3, 5, 16)
    together = made(x, SILENT, CAUSAL)
    alone = torch.stack([torch.stack([made(one, SILENT, CAUSAL) for one in row]) for row in x])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)
