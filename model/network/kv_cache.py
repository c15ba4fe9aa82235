"""The KV cache: keys and values of the tokens read so far. With it, a new token costs one row, not the whole matrix."""

from __future__ import annotations

import torch
from torch import Tensor


class KVCache:
    """The cache of one generation. `length` counts its tokens. `path` names an attention, `decoder.3.self_attn`."""

    def __init__(self) -> None:
        self._stored: dict[str, tuple[Tensor, Tensor]] = {}
        self.length = 0

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

    @property
    def nbytes(self) -> int:
        """Bytes of all stored tensors."""
        return sum(k.nbytes + v.nbytes for k, v in self._stored.values())
