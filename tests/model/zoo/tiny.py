"""Tiny random checkpoints of both families, made with `transformers` and saved as safetensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig, BertModel, LlamaConfig, LlamaForCausalLM

from tests.model.networks import word_tokenizer

LLAMA: dict[str, Any] = {
    "vocab_size": 23,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
    "rope_theta": 1000.0,
    "tie_word_embeddings": True,
    "eos_token_id": 2,
}
BERT: dict[str, Any] = {
    "vocab_size": 23,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "layer_norm_eps": 1e-12,
}


@torch.no_grad()
def randomised(model: Any) -> Any:
    """Random gains and biases too: the library starts them at 1 and 0, where a mix-up would not show."""
    random = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter.copy_(torch.randn(parameter.shape, generator=random) * 0.3)
    return model.eval()


def save(model: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    word_tokenizer().backend.save(str(folder / "tokenizer.json"))
    return folder / "model.safetensors"


def llama(folder: Path, **changes: Any) -> tuple[Any, Path]:
    """The reference, and the file of its weights."""
    values = {**LLAMA, **changes}
    theta = values.pop("rope_theta")
    config = LlamaConfig(**values, rope_parameters={"rope_type": "default", "rope_theta": theta})
    model = randomised(LlamaForCausalLM._from_config(config, attn_implementation="eager"))
    return model, save(model, folder)


def bert(folder: Path, **changes: Any) -> tuple[Any, Path]:
    config = BertConfig(**{**BERT, **changes})
    model = randomised(BertModel._from_config(config, attn_implementation="eager"))
    return model, save(model, folder)
