"""Garbage collection after a run of a page.

Streamlit collects garbage after every run, and the collector looks at every living object. Imported modules and cached
values live on, so after all pages were seen this takes a hundred milliseconds a run.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from itertools import count

RUNS = 200  # of all pages, from one look at every object to the next

_seen: set[str] = set()  # pages that have run in this process
_runs = count(1)


def spare_the_living(page: str) -> None:
    """At the end of a run: take all living objects out of the collections to come.

    This is done at a page's first run in this process, which has imported much, and again after each `RUNS` runs. Some
    of the objects have died since the last time, such as the run of a text of a reader who has left. Those whose
    references form a cycle are collected now.
    """
    is_time = next(_runs) % RUNS == 0
    if page in _seen and not is_time:
        return
    _seen.add(page)
    collect_among_all()


def collect_among_all() -> None:
    """Collect garbage among all objects, take those that live out of later collections, and give free memory back."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back_memory()


def give_back_memory() -> None:
    """Gives the memory that is free in this process back to the system.

    The C library of GNU keeps much of it, in pieces between others, and is asked for it here. Other systems do without.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
