"""Greedy writing of a batch: an encoder-decoder translates many sources at once."""

from __future__ import annotations

import torch
from torch import Tensor

from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.recurrent.networks import Seq2Seq

Translator = Transformer | Seq2Seq


@torch.no_grad()
def write_greedily(
    network: Translator, sources: Tensor, real: Tensor, start: int, length: int, end: int = -1
) -> Tensor:
    """Writes the likeliest next token `length` times: (batch, length). It stops earlier if every row has written `end`.

    sources (batch, tokens); `real` is False for padding.
    """
    memory = network.encode(sources, is_real=real)
    new = torch.full((len(sources), 1), start, device=memory.device)
    done = torch.zeros(len(sources), dtype=torch.bool, device=memory.device)
    cache = KVCache()
    columns: list[Tensor] = []
    while len(columns) < length and not done.all():
        hidden = network.decode(new, memory, memory_is_real=real, cache=cache)
        new = network.logits(hidden).argmax(-1)  # (batch, 1)
        columns.append(new)
        done |= new[:, 0] == end
    return torch.cat(columns, dim=-1)


def cut_at_end(ids: Tensor, end: int) -> list[list[int]]:
    """The rows of `write_greedily`, (batch, length), each up to its first `end`."""
    return [row[: row.index(end)] if end in row else row for row in ids.tolist()]
