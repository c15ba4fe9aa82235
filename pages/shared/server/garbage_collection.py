"""Garbage collection after a run of a page.

Streamlit collects garbage after every run, and the collector looks at every living object. Imported modules and cached
values live on, so after all pages were seen this takes a hundred milliseconds a run.
"""

from __future__ import annotations

import gc
from itertools import count

from model.process_memory import give_back_memory, held_bytes

RUNS = 200  # of all pages, from one look at every object to the next
MANY = 20_000  # objects, which take five milliseconds a run
GROWTH = 1.15  # of the memory since the last look, after which free memory is given back, or all is looked at

_seen: set[str] = set()  # pages that have run in this process
_runs = count(1)
_held = 0  # bytes, after the last look at every object


def collect_after_run(page: str) -> None:
    """Collect garbage after a run of a page. Exclude living objects from later collections, where they are many.

    A page's first run in this process may have imported much. Some of these objects die later, such as the session of a
    reader with the run of a long text. Its references form cycles, so once it was excluded, only a collection of all
    objects finds it. That takes a few tenths of a second, so it is done rarely. After a run of a long text most of the
    growth is free memory, which is given back without a collection.
    """
    is_new = page not in _seen
    _seen.add(page)
    if has_grown():
        gc.collect()
        give_back_memory()
    if next(_runs) % RUNS == 0 or has_grown():
        collect_among_all()
    elif is_new and len(gc.get_objects()) > MANY:
        gc.collect()
        gc.freeze()


def has_grown() -> bool:
    """Whether this process holds much more memory than after the last look at every object."""
    return held_bytes() > GROWTH * _held


def collect_among_all() -> None:
    """Collect garbage among all objects, take those that live out of later collections, and give free memory back."""
    global _held
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back_memory()
    _held = held_bytes()
