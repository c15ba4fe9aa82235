"""The memory that is free on this machine, and whether a model fits into it."""

from __future__ import annotations

from pathlib import Path

from model.errors import NotEnoughMemory
from model.numerals import file_size
from model.process_memory import give_back_memory

MEMORY = Path("/proc/meminfo")
LIMIT, USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")  # of a container
ROOM = 1.25  # memory that a model needs over that of its weights: its runs, and what reads its file


def free_memory() -> int | None:
    """Bytes that programs can still take here; None where the system does not tell (it does on Linux).

    Memory that this process keeps for its next run is given back first.
    """
    give_back_memory()
    try:
        lines = MEMORY.read_text(encoding="ascii").splitlines()
        found = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None
    try:
        return min(found, int(LIMIT.read_text(encoding="ascii")) - int(USED.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no container, or one whose limit is "max"
        return found


def check_memory(name: str, needed: int, free: int | None) -> None:
    """Raises `NotEnoughMemory` if weights of so many bytes leave no room. Nothing is known: nothing is refused."""
    if free is not None and needed * ROOM > free:
        raise NotEnoughMemory(
            f"{name} takes {file_size(needed)} of memory in float32, and {file_size(needed * ROOM)} while it is "
            f"read and run; {file_size(max(free, 0))} are free here. Take a smaller model, or close other programs."
        )
