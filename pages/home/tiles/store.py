"""The runs whose tiles a browser may ask for, by handles that nobody can guess.

A handle is a random number, so it tells nothing of the sentence. It lives as long as its run is kept. A browser whose
handle is gone hears of 404, and asks its page, which makes the run again under a new handle.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from views.map.tiles.difference import AnyRun  # It loads torch.

HANDLE_BYTES = 24
MAX_RUNS = 64
MAX_RUN_BYTES = 400_000_000  # of all runs together; one of SmolLM2 at 256 tokens has at most 136 million
MAX_WEIGHT_BYTES = (
    900_000_000  # of models that runs keep alive; as many as `pages.shared.model_runs.traces` keeps, mostly the same
)


@dataclass
class _Kept:
    key: Hashable
    run: AnyRun
    nbytes: int


class RunStore:
    """Runs by their handles. Those go first that nobody has looked at for longest. Many threads can share it."""

    def __init__(
        self, max_bytes: int = MAX_RUN_BYTES, max_runs: int = MAX_RUNS, max_weight_bytes: int = MAX_WEIGHT_BYTES
    ) -> None:
        self._max_bytes, self._max_runs, self._max_weight_bytes = max_bytes, max_runs, max_weight_bytes
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._handles: dict[Hashable, str] = {}
        self._lock = Lock()

    def handle(self, key: Hashable, make: Callable[[], AnyRun]) -> str:
        """The handle of the run with that key. `make` makes the run if it is not kept.

        The key says all that makes the run: model, text, edits. Raises ValueError for a run beyond the bounds. The
        run of a model beyond them is kept alone: the reader's model is in memory anyway.
        """
        with self._lock:
            found = self._handles.get(key)
            if found is not None:
                self._kept.move_to_end(found)
                return found
        made = make()
        nbytes = made.nbytes
        if nbytes > self._max_bytes:
            raise ValueError(f"A run of {nbytes:,} bytes is too large to keep.")
        with self._lock:
            if key not in self._handles:  # another thread may have made it meanwhile
                self._handles[key] = secrets.token_urlsafe(HANDLE_BYTES)
                self._kept[self._handles[key]] = _Kept(key, made, nbytes)
                self._make_room()
            return self._handles[key]

    def find(self, handle: str) -> AnyRun | None:
        """The run of a handle; None for one that there is not, or no longer."""
        with self._lock:
            if handle not in self._kept:
                return None
            self._kept.move_to_end(handle)
            return self._kept[handle].run

    def measure(self, handle: str) -> None:
        """Count a run again, which grows while its tensors are looked at. Others may have to go for it."""
        with self._lock:
            if handle in self._kept:
                self._kept[handle].nbytes = self._kept[handle].run.nbytes
                self._kept.move_to_end(handle)
                self._make_room()

    @property
    def nbytes(self) -> int:
        """Bytes of all runs, without the weights, as they were counted last."""
        with self._lock:
            return self._count_bytes()

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def _make_room(self) -> None:
        while self._kept and (
            len(self._kept) > self._max_runs
            or self._count_bytes() > self._max_bytes
            or (len(self._kept) > 1 and self._count_weights() > self._max_weight_bytes)
        ):
            _, oldest = self._kept.popitem(last=False)
            del self._handles[oldest.key]

    def _count_bytes(self) -> int:
        return sum(kept.nbytes for kept in self._kept.values())

    def _count_weights(self) -> int:
        """Weights that several runs share count once."""
        weights: dict[int, int] = {}
        for kept in self._kept.values():
            weights |= kept.run.weight_bytes
        return sum(weights.values())


RUNS = RunStore()
