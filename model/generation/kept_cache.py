"""The KV cache that one generation leaves to the next: of a conversation, only the tokens of the new turn are read."""

from __future__ import annotations

from threading import RLock
from weakref import ref

from torch import Tensor

from model.network.kv_cache import KVCache
from model.network.transformer import Transformer


class KeptCache:
    """The keys and values of the last text that a reader's generations have read: those of one text of one network.

    A generation takes the cache away and brings it back at its end, so two never write into one. `ids` are its tokens.
    Another thread may clear it at any time, as a server does that is short of memory.

    >>> from glassformer import KeptCache, load
    >>> model, kept = load("tiny-lm"), KeptCache()
    >>> [step.new for step in model.generate("the dog sees the", max_new_tokens=2, kept=kept)]
    [5, 1]
    >>> [step.new for step in model.generate("the dog sees the cat", max_new_tokens=2, kept=kept)]
    [1, 1]
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self.clear()

    def clear(self) -> None:
        """Give the memory back."""
        with self._lock:
            self.ids: tuple[int, ...] = ()
            self._cache = KVCache()
            self._network: ref[Transformer] | None = None
            self._version: int | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the keys and values."""
        return self._cache.nbytes

    def follow(self, network: Transformer, version: int | None = None) -> None:
        """Forget what another network has read, or the same one with other weights: they have another `version`."""
        with self._lock:
            is_same = self._network is not None and self._network() is network
            if not is_same or version not in (None, self._version):
                self.clear()
                self._network, self._version = ref(network), version

    def shorten(self, ids: tuple[int, ...]) -> None:
        """Forget the tokens from the first one on that the text of `ids` does not have."""
        with self._lock:
            shared = next((at for at, pair in enumerate(zip(self.ids, ids, strict=False)) if pair[0] != pair[1]), None)
            count = min(len(self.ids), len(ids)) if shared is None else shared
            self._cache.forget(len(self.ids) - count)
            self.ids = self.ids[:count]

    def take(self, network: Transformer, ids: Tensor) -> KVCache:
        """The cache of the tokens with which the text of `ids` (T,) begins. Its last token is always left to read.

        It is empty where another network has read.
        """
        with self._lock:
            self.follow(network)
            self.shorten(tuple(ids[:-1].tolist()))
            cache, self._cache, self.ids = self._cache, KVCache(), ()
        return cache

    def bring_back(self, cache: KVCache, ids: Tensor) -> None:
        """Keep the cache of a text `ids` (T,) that was read up to the length of the cache, and perhaps a token more."""
        cache.forget(0)  # an error in the middle of a step leaves some layers a token longer than others
        with self._lock:
            self._cache, self.ids = cache, tuple(ids[: cache.length].tolist())
