"""The account of a query, a key or a value along a direction has the numbers of its parts, and sums to the run's."""

from __future__ import annotations

import pytest
import torch

from model.analysis.head_side import HeadSide, Side
from model.analysis.head_steps import Attention, kinds
from model.edits.edit import Change
from tests.model.networks import VARIANTS, small_model

SIDES: tuple[Side, ...] = ("query", "key", "value")
TOKEN = 2


@pytest.mark.parametrize("name", VARIANTS)
def test_down_along_a_direction_and_up_by_vectors_are_the_same(name: str) -> None:
    model = small_model(name)
    target = "I am a robot" if model.config.kind == "encoder-decoder" else None
    trace = model.trace("I am a robot you like", target=target)
    along = torch.randn(model.config.head_width, generator=torch.Generator().manual_seed(0))
    for stack, part in kinds(model.config):
        at = Attention(stack, model.config.n_layers(stack) - 1, part)
        for side in SIDES:
            found = HeadSide(model, trace, at, 1, side)
            account, parts = found.account(TOKEN, along), found.parts(torch.tensor([TOKEN]))
            wanted = dict(zip(parts.names, (parts.vectors[:, 0] @ along).tolist(), strict=True))
            assert account.value == pytest.approx(float(found.recorded[TOKEN] @ along))
            assert account.difference < 1e-4
            assert {name: value for name, value in account.parts.items() if value or name in wanted} == pytest.approx(
                wanted, abs=1e-4
            )


def test_an_edit_of_a_value_is_a_part() -> None:
    model, at = small_model("Llama"), Attention("decoder", 1, "self_attn")
    trace = model.trace("I am a robot", edits=[Change("decoder.1.self_attn.v", lambda x: x + 1)])
    along = torch.ones(model.config.head_width)
    account = HeadSide(model, trace, at, 1, "value").account(TOKEN, along)
    assert account.parts["decoder.1.self_attn.value.edit"] == pytest.approx(model.config.head_width, abs=1e-4)
    assert account.difference < 1e-6
