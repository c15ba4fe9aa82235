"""Every decoder layer reads the encoder's own output."""

from __future__ import annotations

import dataclasses

import pytest

from model.analysis.encoder_memory import KEEP, encoder_output_name, memory_uses
from model.edits.edit import Change
from tests.model.networks import VARIANTS, small_model

TRANSLATORS = [name for name, (kind, _) in VARIANTS.items() if kind == "encoder-decoder"]


@pytest.mark.parametrize("name", TRANSLATORS)
def test_every_layer_receives_the_same_tensor(name: str) -> None:
    model = small_model(name)
    trace = model.trace("I am a robot", target="What time is it?", keep=KEEP)
    uses = memory_uses(model.network, trace)
    assert [use.name for use in uses] == [f"decoder.{layer}.cross_attn.memory" for layer in range(3)]
    assert all(use.is_output for use in uses)
    assert max(use.difference for use in uses) < 1e-5


def test_a_layer_with_another_memory_is_found() -> None:
    model = small_model(TRANSLATORS[0])
    double = Change("decoder.1.cross_attn.memory", lambda memory: 2 * memory)
    trace = model.trace("I am a robot", target="What time is it?", keep=KEEP, edits=[double])
    uses = memory_uses(model.network, trace)
    assert [use.is_output for use in uses] == [True, False, True]
    assert uses[1].difference > 1e-3


def test_the_output_is_named_by_the_place_of_the_norms() -> None:
    config = small_model(TRANSLATORS[0]).config
    assert encoder_output_name(dataclasses.replace(config, norm_position="pre")) == "encoder.final_norm"
    assert encoder_output_name(dataclasses.replace(config, norm_position="post")) == "encoder.1.ffn_norm"
