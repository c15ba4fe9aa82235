"""A checkpoint whose config.json is written as it lies around, and what `transformers` makes of that very file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM

from model.generation.steps import generate
from model.loading import read_checkpoint
from model.run import Model
from tests.model.networks import word_tokenizer
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny import randomised

BASE: dict[str, Any] = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 23,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
OF_LLAMA = ("rms_norm_eps", "num_key_value_heads")  # values that a GPT-NeoX does not have
CLOSE = {"atol": 2e-5, "rtol": 1e-4}


def write(folder: Path, **values: Any) -> Any:
    """The model that `transformers` makes of these values of a config.json. Its weights are in the folder, and the
    config.json with the values as they are: not as `transformers` would write them."""
    config = folder / "config.json"
    base = {key: value for key, value in BASE.items() if values.get("model_type") != "gpt_neox" or key not in OF_LLAMA}
    config.write_text(json.dumps(base | values))
    made = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder), attn_implementation="eager")
    theirs = randomised(made)
    save_file({name: tensor.contiguous() for name, tensor in theirs.state_dict().items()}, folder / "model.safetensors")
    word_tokenizer().backend.save(str(folder / "tokenizer.json"))
    return theirs


def change(folder: Path, **values: Any) -> None:
    """Other values in the config.json of the folder."""
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | values))


def assert_same(folder: Path, theirs: Any, length: int, written: int = 4) -> Model:
    """Every layer of our run over so many tokens is that of `transformers`; with and without a cache, the tokens that
    are written are those of its run over the whole text, step by step."""
    model = read_checkpoint(folder)
    ids = torch.randint(23, (length,), generator=torch.Generator().manual_seed(length))
    trace = model.trace_tokens(model.tokenizer.tokens(ids.tolist()))
    expected = outputs(theirs, ids)
    for layer in range(model.config.n_decoder_layers):
        here = f"decoder.{layer}."
        torch.testing.assert_close(trace[here + "self_attn.weights"], expected.attentions[layer][0], **CLOSE)
        torch.testing.assert_close(trace[here + "resid_in"], expected.hidden_states[layer][0], **CLOSE)
    torch.testing.assert_close(trace.logits, expected.logits[0], **CLOSE)
    for cache in (True, False):
        assert _write(model, ids, written, cache) == _write_whole(theirs, ids, written)
    return model


def _write(model: Model, ids: torch.Tensor, count: int, cache: bool) -> list[int]:
    return [step.chosen for step in generate(model.network, ids, count, cache=cache)]  # type: ignore[arg-type]


@torch.inference_mode()
def _write_whole(theirs: Any, ids: torch.Tensor, count: int) -> list[int]:
    """Greedy words of `transformers` without its cache: each step reads the whole text."""
    read = ids[None]
    for _ in range(count):
        read = torch.cat((read, theirs(read, use_cache=False).logits[:, -1].argmax(-1, keepdim=True)), dim=1)
    return read[0, len(ids) :].tolist()
