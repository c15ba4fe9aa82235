"""The KV cache of what a session's model has read last: the next turn of a conversation goes on from there.

Each session has its own. All together are bounded: those that were used longest ago are emptied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from weakref import WeakKeyDictionary

import streamlit as st

from model.generation.kept_cache import KeptCache
from pages.shared.server import metrics
from pages.shared.server.session_values import of_session
from views.run import Run

MAX_KEPT_BYTES = 200_000_000  # of all sessions: 4,300 tokens of SmolLM2


class KeptCaches:
    """The caches of all sessions that are there, in the order of their last use. `limit`: their bytes together."""

    def __init__(self, limit: int) -> None:
        self.limit, self._lock, self._now = limit, Lock(), count()
        self._used: WeakKeyDictionary[KeptCache, int] = WeakKeyDictionary()

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in list(self._used))

    def use(self, kept: KeptCache) -> None:
        """Note that a cache was used. It is emptied itself where it is larger than the limit."""
        with self._lock:
            self._used[kept] = next(self._now)
            oldest_first = sorted(self._used, key=lambda each: self._used[each])
            left = self.nbytes
            for each in oldest_first:
                if left > self.limit:
                    left -= each.nbytes
                    each.clear()


@dataclass
class KeptText:
    """The cache of a session. `read`: of the last answer, the tokens of the text before it, and those of them that were
    read for it; None where another reader's answer was taken."""

    cache: KeptCache = field(default_factory=KeptCache)
    read: tuple[int, int] | None = None


def of_text(run: Run, path: tuple[int, ...]) -> KeptText:
    """What this session keeps for a text: the sentence of a run and a path. What is left of another one is given
    back."""
    kept = of_session(KeptText)
    kept.cache.follow(run.model.network, run.model.version)
    kept.cache.shorten((*(token.id for token in run.trace.tokens), *path))
    return kept


def note_use(kept: KeptText) -> None:
    """Keep the caches of all sessions within their limit."""
    _all_caches().use(kept.cache)


@st.cache_resource(show_spinner=False)
def _all_caches() -> KeptCaches:
    return metrics.watch_cache("keys and values", KeptCaches(MAX_KEPT_BYTES))
