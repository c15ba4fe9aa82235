"""Rotary positions in config.json as they lie around: every speed and gain is that of `transformers`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import DamagedWeights, TextTooLong
from model.loading import read_checkpoint
from tests.model.zoo import raw_checkpoint

LENGTH = 40
NEOX: dict[str, Any] = {
    "model_type": "gpt_neox",
    "architectures": ["GPTNeoXForCausalLM"],
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-5,
    "use_parallel_residual": True,
    "rotary_pct": 0.5,
    "rotary_emb_base": 500,
}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
LONG = {"type": "longrope", "short_factor": [1.0, 1.5, 2.0, 3.0], "long_factor": [2.0, 4.0, 8.0, 16.0]}
CASES: dict[str, dict[str, Any]] = {
    "no value": {},
    "base outside": {"rope_theta": 1000.0},
    "base inside": {"rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}},
    "base inside and outside": {"rope_theta": 50.0, "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}},
    "scaling null": {"rope_scaling": None, "rope_theta": 1000.0},
    "parameters beside scaling": {
        "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
        "rope_scaling": {"type": "linear", "factor": 2.0},
        "rope_theta": 300.0,
    },
    "parameters beside null": {
        "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
        "rope_scaling": None,
    },
    "parameters beside nothing": {
        "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
        "rope_scaling": {},
    },
    "two types": {"rope_scaling": {"rope_type": "default", "type": "linear", "factor": 2.0}},
    "a part of a head without scaling": {"partial_rotary_factor": 0.5},
    "linear": {"rope_scaling": {"type": "linear", "factor": 2.5}},
    "dynamic": {"rope_scaling": {"type": "dynamic", "factor": 2.0}},
    "llama3": {"rope_scaling": {**LLAMA3, "original_max_position_embeddings": 16}, "rope_theta": 1000.0},
    "llama3, first length outside": {"rope_scaling": LLAMA3, "original_max_position_embeddings": 24},
    "llama3, no first length": {"rope_scaling": LLAMA3},
    "yarn": {"rope_scaling": YARN},
    "yarn, another base": {"rope_scaling": YARN, "rope_theta": 50.0},
    "yarn, own gain": {"rope_scaling": {**YARN, "attention_factor": 1.3}},
    "yarn, own borders": {"rope_scaling": {**YARN, "beta_fast": 4, "beta_slow": 0.5}},
    "yarn, borders not rounded": {"rope_scaling": {**YARN, "beta_fast": 2, "truncate": False}, "rope_theta": 50.0},
    "yarn, DeepSeek's gains": {"rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 0.5}},
    "yarn, factor null": {"rope_scaling": {**YARN, "factor": None}},
    "yarn, no first length": {"rope_parameters": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 1000.0}},
    "yarn, first length twice": {"rope_scaling": YARN, "original_max_position_embeddings": 32},
    "longrope": {"rope_scaling": {**LONG, "original_max_position_embeddings": 48}},
    "longrope, first length outside": {"rope_scaling": LONG, "original_max_position_embeddings": 48},
    "longrope, factor": {"rope_scaling": {**LONG, "factor": 4.0, "original_max_position_embeddings": 50}},
    "longrope, own gain": {"rope_scaling": {**LONG, "attention_factor": 1.1}},
    "NeoX": NEOX,
    "NeoX, usual share": {**NEOX, "rotary_pct": 0.25, "rotary_emb_base": 10000},
    "NeoX, base of another family": {**NEOX, "rope_theta": 20.0},
    "NeoX, linear": {**NEOX, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "NeoX, yarn": {**NEOX, "rope_scaling": YARN},
    "NeoX, share inside": {**NEOX, "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 1.0}},
}


@pytest.mark.parametrize("name", CASES)
def test_the_turns_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = raw_checkpoint.write(tmp_path, **CASES[name])
    raw_checkpoint.assert_same(tmp_path, theirs, LENGTH)


def test_a_text_of_longrope_is_as_long_as_its_short_factors_are_for(tmp_path: Path) -> None:
    """A longer one would turn all its tokens otherwise, and what a KV cache holds would be wrong."""
    raw_checkpoint.write(tmp_path, **CASES["longrope"])
    model = read_checkpoint(tmp_path)
    assert model.config.max_length == 48
    with pytest.raises(TextTooLong, match="at most 48"):
        model.trace("dog " * 49)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rope_scaling": {"type": "su", "factor": 2.0}}, "type 'su'"),
        ({"rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]}}, "type 'mrope'"),
        ({"rope_scaling": {"type": "linear"}}, "factor"),
        ({"rope_scaling": {"type": "yarn"}}, "factor"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0, "partial_rotary_factor": 0.5}}, "whole head"),
        ({"rope_scaling": {**LONG, "short_factor": [1.0]}}, "4 pairs"),
        ({"rope_scaling": {"type": "linear", "factor": 0.0}}, "positive"),
        ({"rope_scaling": {"type": "linear", "factor": "two"}}, "config.json"),
        ({"rope_scaling": "linear"}, "config.json"),
        ({"rope_scaling": {**LLAMA3, "high_freq_factor": 1.0}}, "low_freq_factor"),
    ],
)
def test_a_scaling_that_cannot_be_is_refused(values: dict[str, Any], words: str, tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    raw_checkpoint.change(tmp_path, **values)
    with pytest.raises(DamagedWeights, match=words):
        read_checkpoint(tmp_path)


def test_a_gain_multiplies_turned_queries_and_keys(tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path, **CASES["yarn"])
    model = read_checkpoint(tmp_path)
    trace, here = model.trace_tokens(model.tokenizer.tokens(range(6))), "decoder.0.self_attn."
    lengths = [trace[f"{here}{name}"].norm(dim=-1) for name in ("q", "q_unrotated")]
    torch.testing.assert_close(lengths[0], lengths[1] * model.config.rotary_gain)
    assert model.config.rotary_gain == pytest.approx(1.1386, abs=1e-4)  # 0.1 ln 4 + 1
