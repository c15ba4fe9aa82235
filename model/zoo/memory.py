"""The memory that is free on this machine, and whether a model fits into it."""

from __future__ import annotations

from pathlib import Path

import torch

from model.device import DTYPE_VARIABLE, WORST_ERRORS, choose
from model.errors import NotEnoughMemory
from model.numerals import file_size
from model.process_memory import give_back_memory

MEMORY = Path("/proc/meminfo")
LIMIT, USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")  # of a container
HALF = torch.bfloat16  # the half width with the reach of float32: in float16 large numbers of some models are infinite
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


def check_memory(name: str, nbytes: int, free: int | None, dtype: torch.dtype | None = None) -> None:
    """Raises `NotEnoughMemory` if a model leaves no room. Nothing is known: nothing is refused.

    `nbytes` are those of its weights in float32. They will be held in `dtype`: by default as `model.device.choose`
    says. Where that is left open and they would fit in half width, the error says how to have them so.
    """
    held = choose().dtype if dtype is None else dtype
    needed = _in_type(nbytes, held)
    if free is None or needed * ROOM <= free:
        return
    half, width = _in_type(nbytes, HALF) * ROOM, str(HALF).removeprefix("torch.")
    fits = dtype is None and half < needed and half <= free
    way = (
        f"Start with {DTYPE_VARIABLE}={width}: it then takes {file_size(half)}, and a tensor of a run is off by up to "
        f"{WORST_ERRORS[width]} of its size. Or take"
    )
    raise NotEnoughMemory(
        f"{name} takes {file_size(needed)} of memory in {str(held).removeprefix('torch.')}, and "
        f"{file_size(needed * ROOM)} while it is read and run; {file_size(max(free, 0))} are free here. "
        f"{way if fits else 'Take'} a smaller model, or close other programs."
    )


def _in_type(nbytes: int, dtype: torch.dtype) -> int:
    """Bytes of numbers that have so many in float32."""
    return nbytes * dtype.itemsize // torch.float32.itemsize
