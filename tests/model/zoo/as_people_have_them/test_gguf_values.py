"""Values in GGUF metadata as they lie around: read as llama.cpp reads them, without effect, or refused by name.

`transformers` passes most of them over, so the reference is its model with the same value in its own configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from gguf.constants import Keys
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen2Config, Qwen2ForCausalLM

from model.errors import DamagedWeights
from model.loading import read_checkpoint
from model.tape import Tape
from model.zoo.build import build
from model.zoo.gguf_values import KNOWN, PARTS
from tests.model.networks import ids
from tests.model.zoo import tiny
from tests.model.zoo.opened import read
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny_gguf import write_gguf

LENGTH = 20
SHAPE = {name: value for name, value in tiny.LLAMA.items() if name != "rope_theta"}
BASE = {"rope_theta": 1000.0}
NO_ROPE: Mapping[str, Any] = {}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
LINEAR = {"rope_type": "linear", "factor": 2.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
TYPE, FACTOR, FIRST = "rope.scaling.type", "rope.scaling.factor", "rope.scaling.original_context_length"
# The values in the file -> what the reference has in its rope_parameters.
TURNS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "none": ({TYPE: "none"}, {}),
    "none, with a factor": ({TYPE: "none", FACTOR: 4.0}, {}),
    "linear": ({TYPE: "linear", FACTOR: 2.0}, LINEAR),
    "a factor without a type": ({FACTOR: 2.0}, LINEAR),
    "the older name": ({"rope.scale_linear": 2.0}, LINEAR),
    "a factor of 0": ({FACTOR: 0.0}, {}),
    "linear without a factor": ({TYPE: "linear"}, {}),
    "yarn": ({TYPE: "yarn", FACTOR: 4.0, FIRST: 16}, YARN),
    "yarn of the whole length": (
        {TYPE: "yarn", FACTOR: 4.0},
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
    ),
    "yarn, own borders": (
        {TYPE: "yarn", FACTOR: 4.0, FIRST: 16, "rope.scaling.yarn_beta_fast": 4.0, "rope.scaling.yarn_beta_slow": 0.5},
        {**YARN, "beta_fast": 4.0, "beta_slow": 0.5},
    ),
    "yarn, a factor of its gain": (
        {TYPE: "yarn", FACTOR: 4.0, FIRST: 16, "rope.scaling.attn_factor": 0.5},
        {**YARN, "attention_factor": 0.5 * 1.1386294},
    ),
    "another base": ({"rope.freq_base": 50.0}, {"rope_theta": 50.0}),
    "no base": ({"rope.freq_base": None}, {"rope_theta": 10000.0}),
}
NEUTRAL: dict[str, Any] = {
    "attention.causal": True,
    "expert_count": 0,
    "logit_scale": 1.0,
    "attention.value_length": 8,
    "attention.sliding_window": 0,
    "rope.scaling.finetuned": False,
    "pooling_type": 3,
    "split.count": 1,
    "general.type": "model",
    "general.sampling.temp": 0.7,
}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"attention.causal": False}, r"attention\.causal = false. With it, each token would also see the tokens after it"),
    ({"expert_gating_func": 2}, "expert_gating_func = 2. With it, the router would weigh its experts by a sigmoid"),
    ({"logit_scale": 0.25}, r"logit_scale = 0\.25"),
    ({"attention.scale": 0.5}, r"attention\.scale = 0\.5"),
    ({"final_logit_softcapping": 30.0}, "final_logit_softcapping = 30"),
    ({"attention.sliding_window_pattern": 6}, "sliding_window_pattern = 6"),
    ({"attention.value_length": 16}, r"attention\.value_length is 16"),
    ({"rope.dimension_count": 4}, r"rope\.dimension_count is 4"),
    ({"rope.dimension_sections": [1, 1, 2, 0]}, r"rope\.dimension_sections"),
    ({TYPE: "longrope"}, "'longrope' is not supported in GGUF"),
    ({TYPE: "yarn", FACTOR: 4.0, "rope.scaling.yarn_ext_factor": 0.5}, r"yarn_ext_factor = 0\.5"),
    ({"a_value_of_tomorrow": 3}, "a_value_of_tomorrow = 3. What it would change is not known here"),
    ({"split.count": 3}, "is one of 3 parts of a model"),
    ({"general.type": "adapter"}, r"holds an adapter \(LoRA\), and no whole model"),
]


def compare(path: Path, theirs: Any) -> None:
    """Every layer's attention, and the logits, are those of the reference."""
    config, weights = read(path)
    made, expected = build(config, weights).requires_grad_(False), outputs(theirs, ids(LENGTH))
    tape = Tape("*.weights")
    logits = made(ids(LENGTH), tape=tape)
    for layer in range(3):
        found = tape.records[f"decoder.{layer}.self_attn.weights"]
        torch.testing.assert_close(found, expected.attentions[layer][0], atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(logits, expected.logits[0], atol=1e-4, rtol=1e-4)


def reference(folder: Path, kind: str = "Llama", rope: Mapping[str, Any] = NO_ROPE, **changes: Any) -> tuple[Any, Path]:
    classes = {
        "Llama": (LlamaConfig, LlamaForCausalLM),
        "Mistral": (MistralConfig, MistralForCausalLM),
        "Qwen2": (Qwen2Config, Qwen2ForCausalLM),
    }
    config, model = classes[kind]
    values = config(**SHAPE | changes, rope_parameters={"rope_type": "default", **BASE, **rope})
    made = tiny.randomised(model._from_config(values, attn_implementation="eager"))
    return made, tiny.save(made, folder)


@pytest.mark.parametrize("name", TURNS)
def test_the_turns_are_those_of_the_same_values_on_the_hub(name: str, tmp_path: Path) -> None:
    metadata, rope = TURNS[name]
    theirs, path = reference(tmp_path, rope=rope)
    compare(write_gguf(path, metadata=metadata), theirs)


def test_llama_3s_tensor_of_slower_turns_is_used_as_it_is(tmp_path: Path) -> None:
    theirs, path = reference(tmp_path, rope={"rope_type": "llama3", **LLAMA3})
    plain = LlamaForCausalLM._from_config(LlamaConfig(**SHAPE, rope_parameters={"rope_type": "default", **BASE}))
    slower = plain.model.rotary_emb.inv_freq / theirs.model.rotary_emb.inv_freq
    written = write_gguf(path, **{"rope_freqs.weight": slower})
    compare(written, theirs)
    assert read(written)[0].rotary_scaling == pytest.approx(slower.tolist())
    halved = write_gguf(path, **{"rope_freqs.weight": slower}, metadata={FACTOR: 2.0})
    assert read(halved)[0].rotary_scaling == pytest.approx((2 * slower).tolist())


def test_a_window_is_a_mask(tmp_path: Path) -> None:
    theirs, path = reference(tmp_path, "Mistral", sliding_window=4, head_dim=8)
    compare(write_gguf(path, metadata={"attention.sliding_window": 4}), theirs)


def test_a_part_of_a_qwens_head_may_turn(tmp_path: Path) -> None:
    _, path = reference(tmp_path, "Qwen2")
    written = write_gguf(path, architecture="qwen2", metadata={"rope.dimension_count": 4})
    made = build(*read(written))
    assert made.config.rotary_width == 4
    tape = Tape("decoder.0.self_attn.*")
    made(ids(LENGTH), tape=tape)
    here = "decoder.0.self_attn."
    torch.testing.assert_close(tape.records[here + "q"][..., 4:], tape.records[here + "q_unrotated"][..., 4:])
    assert not torch.equal(tape.records[here + "q"][..., :4], tape.records[here + "q_unrotated"][..., :4])


@pytest.mark.parametrize("key", NEUTRAL)
def test_a_neutral_value_changes_nothing(key: str, tmp_path: Path) -> None:
    path = reference(tmp_path)[1]
    plain = read(write_gguf(path))[0]
    assert read(write_gguf(path, metadata={key: NEUTRAL[key]}))[0] == plain


@pytest.mark.parametrize(("metadata", "words"), REFUSED, ids=lambda value: next(iter(value), ""))
def test_a_value_that_would_change_a_number_unread_is_refused(
    metadata: dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = write_gguf(reference(tmp_path)[1], metadata=metadata)
    with pytest.raises(DamagedWeights, match=words):
        read_checkpoint(path)


def test_numbers_of_slower_turns_must_fit_the_head(tmp_path: Path) -> None:
    path = write_gguf(reference(tmp_path)[1], **{"rope_freqs.weight": torch.ones(3)})
    with pytest.raises(DamagedWeights, match="divisors of the turns are 3 numbers; 4 pairs turn"):
        read(path)


def keys_of(part: type) -> Iterator[str]:
    for name, value in vars(part).items():
        if isinstance(value, type):
            yield from keys_of(value)
        elif isinstance(value, str) and not name.startswith("__"):
            yield value.removeprefix("{arch}.")


def test_every_key_of_the_library_is_in_a_list() -> None:
    """A new release that has a new key, or a new kind of network, tells us here."""
    ours = {"LLM", "Attention", "Rope", "Classifier", "Split"}
    notes, tokenizer = {"General", "IMatrix"}, {"Tokenizer"}
    other_networks = {
        "SSM", "KDA", "WKV", "PosNet", "ConvNext", "ShortConv", "Adapter", "Clip", "ClipVision", "ClipAudio",
        "Diffusion", "xIELU",
    }  # fmt: skip
    parts = {name: part for name, part in vars(Keys).items() if isinstance(part, type)}
    assert set(parts) == ours | notes | tokenizer | other_networks
    known = KNOWN.keys | PARTS.keys
    assert {key for name in ours for key in keys_of(parts[name])} - known == set()
    assert not known & {key for name in other_networks for key in keys_of(parts[name])}, "these are refused as unknown"


def test_a_llama_with_biases_of_attention_is_read_with_them(tmp_path: Path) -> None:
    theirs, path = reference(tmp_path, attention_bias=True)
    compare(write_gguf(path), theirs)
