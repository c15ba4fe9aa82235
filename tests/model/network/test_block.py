from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F

from model.network.attention import AttentionContext
from model.network.block import Block
from model.network.masks import causal_mask
from model.tape import SILENT, Tape
from tests.model.networks import network

pytestmark = pytest.mark.usefixtures("inference")


def block(kind: str = "encoder", **changes: Any) -> Any:
    made = network(kind, **changes)
    stack = made.encoder if kind == "encoder" else made.decoder
    assert stack is not None
    first = stack.blocks[0]
    assert isinstance(first, Block)
    return first


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def layer_norm(x: torch.Tensor, norm: Any) -> torch.Tensor:
    return F.layer_norm(x, (16,), norm.gain, norm.bias, 1e-5)


def feed_forward(x: torch.Tensor, ffn: Any) -> torch.Tensor:
    return F.linear(F.relu(F.linear(x, ffn.expand.weight, ffn.expand.bias)), ffn.contract.weight, ffn.contract.bias)


def self_attention(x: torch.Tensor, attn: Any, mask: torch.Tensor | None = None) -> torch.Tensor:
    q, k, v = (F.linear(x, layer.weight, layer.bias).unflatten(-1, (4, 4)).transpose(0, 1)
               for layer in (attn.query, attn.key, attn.value))  # fmt: skip
    scores = q @ k.mT / 2 + (0 if mask is None else mask)
    heads = scores.softmax(-1) @ v
    return F.linear(heads.transpose(0, 1).flatten(1), attn.out.weight, attn.out.bias)


def test_post_norm_in_the_slides_steps() -> None:
    made, x, tape = block(), random(5, 16), Tape("*")
    h = made(x, tape)
    t1 = self_attention(x, made.self_attn)
    t2 = x + t1
    t3 = layer_norm(t2, made.attn_norm)
    t4 = feed_forward(t3, made.ffn)
    t5 = t4 + t3
    names = {
        "resid_in": x,
        "self_attn.out": t1,
        "resid_mid": t2,
        "attn_norm": t3,
        "ffn.out": t4,
        "resid_out": t5,
        "ffn_norm": layer_norm(t5, made.ffn_norm),
    }
    for name, expected in names.items():
        torch.testing.assert_close(tape.records[name], expected, atol=1e-5, rtol=1e-5, msg=name)
    assert h.equal(tape.records["ffn_norm"])


def test_pre_norm_in_bishops_steps() -> None:
    made, x, tape = block(norm_position="pre"), random(5, 16), Tape("*")
    h = made(x, tape)
    y = self_attention(layer_norm(x, made.attn_norm), made.self_attn)
    z = y + x
    expected = feed_forward(layer_norm(z, made.ffn_norm), made.ffn) + z
    torch.testing.assert_close(tape.records["resid_mid"], z, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(h, expected, atol=1e-5, rtol=1e-5)
    assert h.equal(tape.records["resid_out"])


def test_the_decoder_looks_at_itself_first_and_at_the_source_second() -> None:
    made, x, memory, tape = block("encoder-decoder"), random(5, 16), random(7, 16), Tape("*")
    h = made(x, tape, AttentionContext(causal_mask(5, 5)), AttentionContext(memory=memory))
    assert [name for name in tape.records if name.endswith("weights")] == ["self_attn.weights", "cross_attn.weights"]
    after_self = layer_norm(x + self_attention(x, made.self_attn, causal_mask(5, 5)), made.attn_norm)
    torch.testing.assert_close(tape.records["attn_norm"], after_self, atol=1e-5, rtol=1e-5)
    after_cross = layer_norm(after_self + tape.records["cross_attn.out"], made.cross_norm)
    torch.testing.assert_close(tape.records["cross_norm"], after_cross, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(
        h, layer_norm(after_cross + feed_forward(after_cross, made.ffn), made.ffn_norm), atol=1e-5, rtol=1e-5
    )


def test_without_residual_connections_nothing_is_added() -> None:
    made, x, tape = block(residual=False), random(5, 16), Tape("*")
    made(x, tape)
    assert tape.records["resid_mid"].equal(tape.records["self_attn.out"])
    assert tape.records["resid_out"].equal(tape.records["ffn.out"])


def test_without_norms_the_sum_goes_on_as_it_is() -> None:
    made, x, tape = block(norm="none"), random(5, 16), Tape("*")
    h = made(x, tape)
    assert tape.records["attn_norm"].equal(tape.records["resid_mid"])
    torch.testing.assert_close(h, x + tape.records["self_attn.out"] + tape.records["ffn.out"])


def test_dropout_acts_in_training_only() -> None:
    made, x = block(dropout=0.5), random(5, 16)
    assert made(x, SILENT).equal(made(x, SILENT))
    made.train()
    torch.manual_seed(0)
    assert not made(x, SILENT).equal(made(x, SILENT))
