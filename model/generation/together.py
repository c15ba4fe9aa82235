"""Greedy translations of many sentences together: one step writes a token of each. They are those of each alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch
from torch import Tensor

from model.device import PLAIN, within_memory
from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.tokens.padding import pad_rows, real_places

PADDING = 0  # any id of the vocabulary: its mask hides it
# In logits. A batch adds up its sums in another order than a sentence alone, which differs by some 1e-5.
CERTAIN_LEAD = 1e-3


@torch.inference_mode()
def translate_together(
    network: Transformer, sources: Sequence[Sequence[int]], start: int, ends: Collection[int], most: int
) -> list[list[int] | None]:
    """The ids that a translator without edits writes of each source after `start`, at most `most` of each.

    The last one is one of `ends`, unless there are `most`. None for a source where at some step no token leads for sure
    (`CERTAIN_LEAD`), or the scores are no numbers: to be translated alone. Raises `DeviceFull`.
    """
    written: list[list[int]] = [[] for _ in sources]
    unsure = set[int]()
    rows = list(range(len(sources)))  # those that are not at their end
    ids, is_real = pad_rows(sources, PADDING), real_places(sources)
    cache, new = KVCache(), torch.full((len(rows), 1), start)
    with within_memory():
        memory = network.encode(ids, is_real=is_real)
        for _ in range(most):
            hidden = network.decode(new, memory, memory_is_real=is_real, cache=cache)  # (rows, 1, d_model)
            chosen, is_sure = _choose(PLAIN.take(network.logits(hidden[:, -1])))
            for row, id, sure in zip(rows, chosen.tolist(), is_sure.tolist(), strict=True):
                written[row].append(id)
                if not sure:
                    unsure.add(row)
            left = [at for at, row in enumerate(rows) if row not in unsure and written[row][-1] not in ends]
            if not left:
                break
            if len(left) < len(rows):
                rows, memory, is_real = [rows[at] for at in left], memory[left], is_real[left]
                cache.keep_rows(left)
            new = chosen[left, None]
    return [None if row in unsure else each for row, each in enumerate(written)]


def _choose(logits: Tensor) -> tuple[Tensor, Tensor]:
    """The likeliest token of each row of logits (rows, V), and whether it leads for sure: (rows,) each."""
    best = logits.topk(2)
    first, second = best.values.unbind(-1)
    return best.indices[:, 0], (first - second > CERTAIN_LEAD) & first.isfinite()
