from __future__ import annotations

import pytest
import torch

from model import ablate, load
from model.edits.parts import scale
from model.errors import EditError

TEXT = "the dog sees the cat"


@pytest.mark.parametrize("part", ["decoder.1.self_attn.heads.2", "decoder.1.ffn", "decoder.1.ffn.7"])
def test_a_part_that_is_scaled_by_one_changes_nothing(part: str) -> None:
    model = load("tiny-lm")
    torch.testing.assert_close(model.trace(TEXT, edits=[scale(part, 1.0)]).logits, model.trace(TEXT).logits)


def test_a_head_that_is_scaled_by_zero_is_ablated() -> None:
    model = load("tiny-lm")
    scaled = model.trace(TEXT, edits=[scale("decoder.1.self_attn.heads.2", 0.0)]).logits
    torch.testing.assert_close(scaled, model.trace(TEXT, edits=[ablate("decoder.1.self_attn", 2)]).logits)


@pytest.mark.parametrize("factor", [-1.0, 2.5])
def test_the_stream_gets_the_part_so_many_times(factor: float) -> None:
    """After the layer the stream differs by (factor - 1) times what the part adds: W_O's rows, or W_2's column."""
    model = load("tiny-lm")
    keep = ("decoder.3.*", "logits")
    whole = model.trace(TEXT, keep=keep)
    block = model.network.decoder.blocks[3]
    rows = block.self_attn.out.weight.mT.unflatten(0, (-1, model.config.head_width))[2]
    added = {
        "decoder.3.self_attn.heads.2": ("resid_mid", whole["decoder.3.self_attn.heads"][2] @ rows),
        "decoder.3.ffn": ("resid_out", whole["decoder.3.ffn.out"]),
        "decoder.3.ffn.7": (
            "resid_out",
            whole["decoder.3.ffn.activated"][:, 7:8] * block.ffn.contract.weight[:, 7],
        ),
    }
    for part, (name, adds) in added.items():
        edited = model.trace(TEXT, keep=keep, edits=[scale(part, factor)])
        change = edited[f"decoder.3.{name}"] - whole[f"decoder.3.{name}"]
        torch.testing.assert_close(change, (factor - 1) * adds, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("part", ["decoder.1.self_attn.heads.99", "decoder.1.ffn.99999"])
def test_a_part_that_is_not_there_is_named(part: str) -> None:
    with pytest.raises(EditError, match=f"There is no {part}: the last one is"):
        load("tiny-lm").trace(TEXT, edits=[scale(part, 2.0)])


@pytest.mark.parametrize("part", ["", "decoder", "decoder.1.self_attn", "decoder.1.ffn.x", "decoder.1.resid_in"])
def test_what_is_no_part_is_refused(part: str) -> None:
    with pytest.raises(EditError, match="no part that can be scaled"):
        scale(part, 2.0)
