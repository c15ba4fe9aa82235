"""The memory that this process holds: freed memory is kept for the next run, counted, or given back to the system.

A run makes and frees gigabytes of tensors. By default the C library of GNU (malloc) asks the system for each large
tensor and gives it back at once. The system then clears every page of it anew, which took a third of a run's time. Here
malloc keeps what was freed, and the owner of the process decides when to give it back. A long run gives back what is
free while it is made, when that has become too much (`FreeMemory`).
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

# Parameters of mallopt, from malloc.h of the GNU C library.
M_TRIM_THRESHOLD = -1  # bytes that may be free at the end of the heap before they are given back
M_MMAP_MAX = -4  # large blocks outside the heap: each is given back as soon as it is freed
M_ARENA_MAX = -8  # heaps: each thread would have its own, and a run is made in a new thread
KEPT_BYTES = 2**31 - 1  # the largest value that mallopt takes
OF_AN_OPERATOR = ("MALLOC_", "GLIBC_TUNABLES")  # names of environment variables that set the same parameters


def keep_freed_memory() -> bool:
    """Let one heap, shared by all threads, keep what is freed. To be called before the process starts its threads.

    Returns whether this was done: not on another system or C library, and not where an environment variable already
    says how malloc works.
    """
    mallopt = _of_gnu("mallopt")
    if mallopt is None or any(name.startswith(OF_AN_OPERATOR) for name in os.environ):
        return False
    values = {M_TRIM_THRESHOLD: KEPT_BYTES, M_MMAP_MAX: 0, M_ARENA_MAX: 1}
    taken = [mallopt(parameter, value) for parameter, value in values.items()]
    return all(taken)


def give_back_memory() -> None:
    """Give the memory that is free in this process back to the system. Without malloc of GNU, nothing is done."""
    trim = _of_gnu("malloc_trim")
    if trim is not None:
        trim(0)


def held_bytes() -> int:
    """The memory that this process holds, with what is free in it. Without Linux it is not known: 0."""
    statistics = Path("/proc/self/statm")
    return int(statistics.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statistics.is_file() else 0


class FreeMemory:
    """Gives free memory back whenever this process has grown by more than `most` bytes.

    Large tensors of one size, made and freed in turn, mostly take each other's memory. But small blocks that malloc
    cuts off beside them may keep a freed one from being joined to them again. It is too small for the next one then,
    and malloc asks the system for more: gigabytes in a run.
    """

    def __init__(self, most: int) -> None:
        self._most, self._held = most, held_bytes()

    def bound(self) -> None:
        """To be called now and then, where little of the memory is in use."""
        if held_bytes() > self._held + self._most:
            give_back_memory()
            self._held = held_bytes()


def _of_gnu(name: str) -> Callable[..., int] | None:
    """A function of malloc that only the C library of GNU has."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
