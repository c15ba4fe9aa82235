"""Starting weights from a seed, the same ones whatever else the process does meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import torch

_one_at_a_time = Lock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Networks that are made in here draw their weights from this seed.

    torch's layers draw from one generator of the whole process. So only one session is in here at a time, and the
    generator is left as it was. It is not for computing: keep only the making of networks in it.
    """
    with _one_at_a_time, torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        yield
