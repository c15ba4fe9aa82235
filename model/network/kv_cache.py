"""The KV cache: keys and values of tokens already seen, so that each new token costs one row, not the whole matrix."""

from __future__ import annotations

import torch
from torch import Tensor


class KVCache:
    """One cache for one generation. `length` counts the tokens that it holds."""

    def __init__(self) -> None:
        self._stored: dict[str, tuple[Tensor, Tensor]] = {}
        self.length = 0

    def extend(self, attention: str, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Appends the new tokens' keys and values and gives all of them: (kv_heads, length + new, d_head) each."""
        if attention in self._stored:
            old_k, old_v = self._stored[attention]
            k, v = torch.cat((old_k, k), dim=-2), torch.cat((old_v, v), dim=-2)
        self._stored[attention] = (k, v)
        return k, v

    def fixed(self, attention: str) -> tuple[Tensor, Tensor] | None:
        """Cross-attention's keys and values, which never change after the first step; None before it."""
        return self._stored.get(attention)

    def keep(self, attention: str, k: Tensor, v: Tensor) -> None:
        """Stores what never changes, for `fixed`: (kv_heads, keys, d_head) each."""
        self._stored[attention] = (k, v)

    def forget(self, tokens: int) -> None:
        """Drops the last tokens of self-attention, so that they can be read again. Cross-attention's stay."""
        self.length -= tokens
        for attention, (k, v) in self._stored.items():
            if not attention.endswith("cross_attn"):
                self._stored[attention] = (k[..., : self.length, :], v[..., : self.length, :])

    @property
    def nbytes(self) -> int:
        """Memory of all that is stored, in bytes."""
        return sum(k.nbytes + v.nbytes for k, v in self._stored.values())
