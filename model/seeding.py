"""Starting weights from a seed. They do not depend on anything else that the process does at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import torch

_generator_lock = Lock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Networks that are made inside the block draw their weights from this seed.

    torch's layers draw from one generator of the whole process. So only one thread is inside the block at a time, and
    the generator is restored afterwards. Make networks in the block, but do not compute there: other threads wait.
    """
    with _generator_lock, torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        yield
