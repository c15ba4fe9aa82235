"""The library transformers with the same weights: what generation is compared with."""

from __future__ import annotations

import re
from typing import Any

from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.initialization import no_init_weights

from model import Model
from model.zoo.llama import NAMES


def llama_reference(model: Model) -> Any:
    """A `LlamaForCausalLM` that shares its weights with the model, except queries and keys, whose rows it reorders."""
    c, end = model.config, model.tokenizer.end
    config = LlamaConfig(
        vocab_size=c.vocab_size,
        hidden_size=c.d_model,
        intermediate_size=c.d_ff,
        num_hidden_layers=c.n_decoder_layers,
        num_attention_heads=c.n_heads,
        num_key_value_heads=c.kv_heads,
        max_position_embeddings=c.max_length,
        rms_norm_eps=c.norm_eps,
        rope_parameters={"rope_type": "default", "rope_theta": c.position_base},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=end,
        pad_token_id=end,
    )
    theirs = {ours: name for name, ours in NAMES.items() if ours}
    weights = {}
    for name, tensor in model.network.named_parameters():
        pattern = re.sub(r"\.\d+\.", ".{}.", name)
        turned = pattern.endswith(("query.weight", "key.weight"))
        reordered = halves(tensor, c.head_width) if turned else tensor
        weights[theirs[pattern].format(*re.findall(r"\.(\d+)\.", name))] = reordered
    with no_init_weights():
        reference = LlamaForCausalLM(config).eval().requires_grad_(False)
    reference.load_state_dict(weights, strict=False, assign=True)
    reference.tie_weights()
    return reference


def halves(weight: Tensor, d_head: int) -> Tensor:
    """The inverse of `model.zoo.llama.pair_up`."""
    return weight.unflatten(0, (-1, d_head // 2, 2)).transpose(1, 2).flatten(0, 2).contiguous()
