"""Inference: one token at a time, each fed back in."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from model.kv_cache import KVCache
from model.transformer import Transformer


@torch.inference_mode()
def greedy(
    network: Transformer,
    ids: Tensor,
    max_new_tokens: int,
    end: int | None = None,
    source: Tensor | None = None,
) -> Iterator[int]:
    """The likeliest next token, again and again, until `end` or the limit. The first step reads all of `ids` (T,);
    each later step reads one token and finds the rest in the KV cache. Shamsi (2024), section 2.5."""
    memory = None if source is None else network.encode(source)
    cache, new = KVCache(), ids
    for _ in range(max_new_tokens):
        hidden = network.decode(new, memory, cache=cache)  # (new tokens, d_model)
        chosen = int(network.logits(hidden[-1]).argmax())
        yield chosen
        if chosen == end:
            return
        new = torch.tensor([chosen])
