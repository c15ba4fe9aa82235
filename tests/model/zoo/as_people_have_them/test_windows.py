"""Sliding windows in config.json as they lie around: each is a mask of the layers in which `transformers` has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import ConfigError, DamagedWeights
from model.graph.explain import explain
from model.loading import read_checkpoint
from model.network.masks import HIDDEN, window_mask
from tests.model.zoo import raw_checkpoint

LENGTH = 12  # more tokens than any window here but the usual one of 4,096
MISTRAL = {"model_type": "mistral", "architectures": ["MistralForCausalLM"]}
QWEN2 = {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]}
QWEN3 = {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]}
ALTERNATE = ["full_attention", "sliding_attention", "full_attention"]
# The values in the file -> the window and the layers that have it, (): all.
CASES: dict[str, tuple[dict[str, Any], tuple[int | None, tuple[int, ...]]]] = {
    "Mistral": ({**MISTRAL, "sliding_window": 4}, (4, ())),
    "Mistral, one key": ({**MISTRAL, "sliding_window": 1}, (1, ())),
    "Mistral, null": ({**MISTRAL, "sliding_window": None}, (None, ())),
    "Mistral, key missing": (MISTRAL, (4096, ())),
    "Mistral, layer types": ({**MISTRAL, "sliding_window": 4, "layer_types": ALTERNATE}, (4, (1,))),
    "Mistral, layer types null": ({**MISTRAL, "sliding_window": 4, "layer_types": None}, (4, ())),
    "Qwen2, not used": ({**QWEN2, "use_sliding_window": False, "sliding_window": 4}, (None, ())),
    "Qwen2, from a layer on": (
        {**QWEN2, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
        (4, (1, 2)),
    ),
    "Qwen2, from no layer on": ({**QWEN2, "use_sliding_window": True, "sliding_window": 4}, (None, ())),
    "Qwen2, null": ({**QWEN2, "use_sliding_window": True, "sliding_window": None, "max_window_layers": 0}, (None, ())),
    "Qwen2, width missing": ({**QWEN2, "use_sliding_window": True, "max_window_layers": 0}, (4096, ())),
    "Qwen2, layer types": (
        {**QWEN2, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 0, "layer_types": ALTERNATE},
        (4, (1,)),
    ),
    "Qwen3, older names of types": (
        {**QWEN3, "use_sliding_window": True, "sliding_window": 2} | {"layer_types": ["attention", ALTERNATE[1]] * 2}
        | {"num_hidden_layers": 4},
        (2, (1, 3)),
    ),
    "Qwen3, from a layer on": (
        {**QWEN3, "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 2},
        (3, (2,)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_window_is_the_mask_of_transformers(name: str, tmp_path: Path) -> None:
    values, (window, layers) = CASES[name]
    theirs = raw_checkpoint.write(tmp_path, **values)
    config = raw_checkpoint.assert_same(tmp_path, theirs, LENGTH).config
    assert (config.window, config.window_layers) == (window, layers)
    assert config.max_length == 64, "a window bounds no text"


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({**QWEN2, "layer_types": ALTERNATE}, DamagedWeights, "no window is given"),
        ({**QWEN2, "layer_types": ["chunked_attention"] * 3}, DamagedWeights, "'chunked_attention'"),
        ({**QWEN3, "layer_types": ALTERNATE[:2]}, DamagedWeights, "each of the 3 layers"),
        ({**MISTRAL, "sliding_window": 0}, (ConfigError, DamagedWeights), "window is 0"),
        ({**MISTRAL, "sliding_window": "wide"}, (ConfigError, DamagedWeights), "window is 'wide'"),
    ],
)
def test_a_window_that_cannot_be_is_refused_by_name(
    values: dict[str, Any], error: type[Exception], words: str, tmp_path: Path
) -> None:
    raw_checkpoint.write(tmp_path)
    raw_checkpoint.change(tmp_path, **values)
    with pytest.raises(error, match=words):
        read_checkpoint(tmp_path)


def test_the_query_sees_the_last_keys_with_its_own() -> None:
    assert window_mask(torch.tensor([2, 3]), 4, 2).tolist() == [[HIDDEN, 0, 0, 0], [HIDDEN, HIDDEN, 0, 0]]


def test_a_number_of_the_mask_says_why_a_key_is_hidden(tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path, **MISTRAL, sliding_window=3)
    model = read_checkpoint(tmp_path)
    trace = model.trace_tokens(model.tokenizer.tokens(range(6)))
    said = {key: explain(trace, "decoder.1.self_attn.mask", (4, key)).words for key in range(6)}
    assert said[1].endswith("It is −∞: key 1 is outside the window of query 4, which begins at key 2.")
    assert said[2].endswith("does not come after it and is inside its window.")
    assert "It is −∞: key 5 comes after query 4" in said[5]
