"""The KV cache: keys and values of the tokens read so far. With it, a new token costs one row, not the whole matrix."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F


class KVCache:
    """The cache of one generation. `length` counts its tokens. `path` names an attention, `decoder.3.self_attn`."""

    def __init__(self) -> None:
        self._stored: dict[str, tuple[Tensor, Tensor]] = {}
        self.length = 0

    def places(self, new: int) -> Tensor:
        """The positions of new tokens, after those that are here: (new,), on the CPU."""
        return torch.arange(self.length, self.length + new)

    def advance(self, new: int) -> None:
        """Counts new tokens, once all attentions have stored them."""
        self.length += new

    def extend(self, path: str, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Appends the keys and values of new tokens. Returns all of them: (kv_heads, length + new, d_head) each."""
        if path in self._stored:
            old_k, old_v = self._stored[path]
            k, v = torch.cat((old_k, k), dim=-2), torch.cat((old_v, v), dim=-2)
        self._stored[path] = (k, v)
        return k, v

    def fixed(self, path: str) -> tuple[Tensor, Tensor] | None:
        """The tensors of `keep`, such as cross-attention's keys and values; None before the first step."""
        return self._stored.get(path)

    def keep(self, path: str, k: Tensor, v: Tensor) -> None:
        """Stores tensors that do not grow, such as cross-attention's, for `fixed`: (kv_heads, keys, d_head) each."""
        self._stored[path] = (k, v)

    def forget(self, tokens: int) -> None:
        """Drops the last tokens of self-attention, so that the network can read them again. Cross-attention's stay."""
        self.length -= tokens
        for path, (k, v) in self._stored.items():
            if not path.endswith("cross_attn"):
                self._stored[path] = (k[..., : self.length, :], v[..., : self.length, :])

    def keep_rows(self, rows: list[int]) -> None:
        """Of a batch, keeps these rows."""
        self._stored = {path: (k[rows], v[rows]) for path, (k, v) in self._stored.items()}

    @property
    def nbytes(self) -> int:
        """Bytes of all stored tensors."""
        return sum(k.nbytes + v.nbytes for k, v in self._stored.values())


class RecordedCache(KVCache):
    """The recorded keys and values (`keep`) of tokens that stand before each row of a batch.

    It keeps nothing of the rows. So it serves many runs, and no layer's copy of the keys outlives the layer.
    """

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def advance(self, new: int) -> None:
        """The recorded tokens stay the only ones."""

    def extend(self, path: str, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """The recorded ones and those of new tokens: (..., kv_heads, length + new, d_head) each."""
        old_k, old_v = (each.expand(*k.shape[:-3], -1, -1, -1) for each in self._stored[path])
        return torch.cat((old_k, k), dim=-2), torch.cat((old_v, v), dim=-2)


class JoinedCache(KVCache):
    """The caches of several generations, for a step that reads one new token of each: a batch.

    Each generation keeps its own cache, so it may join others at one step and not at the next. Shorter ones are filled
    up with zeros after their keys, for the time of the step. `is_real` says which keys are no filling.
    """

    def __init__(self, caches: Sequence[KVCache]) -> None:
        super().__init__()
        self._caches = tuple(caches)
        self.length = max(cache.length for cache in caches)

    @property
    def is_real(self) -> Tensor:
        """Which keys a new token of each generation sees, its own included: (batch, length + 1)."""
        return torch.arange(self.length + 1) <= torch.tensor([[cache.length] for cache in self._caches])

    def places(self, new: int) -> Tensor:
        """The position of each generation's new token: (batch, new)."""
        return torch.stack([cache.places(new) for cache in self._caches])

    def advance(self, new: int) -> None:
        self.length += new
        for cache in self._caches:
            cache.advance(new)

    def extend(self, path: str, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """As a cache alone, for each row of a batch: (batch, kv_heads, length + new, d_head) each."""
        rows = [cache.extend(path, *new) for cache, *new in zip(self._caches, k, v, strict=True)]
        return _fill_up(rows)

    def fixed(self, path: str) -> tuple[Tensor, Tensor] | None:
        """Those of all generations, which their first steps have stored: (batch, kv_heads, keys, d_head) each."""
        return _fill_up([cache._stored[path] for cache in self._caches])


def _fill_up(rows: Sequence[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Keys and values (kv_heads, keys, d_head) of several generations, with zeros after them, as a batch."""
    longest = max(k.shape[-2] for k, _ in rows)
    k, v = (
        torch.stack([F.pad(each, (0, 0, 0, longest - each.shape[-2])) for each in kind])
        for kind in zip(*rows, strict=True)
    )
    return k, v
