from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from itertools import count

import pytest

from model.process_memory import held_bytes
from pages.shared.server import garbage_collection
from pages.shared.server.garbage_collection import (
    RUNS,
    collect_among_all,
    has_grown,
    spare_the_living,
)


class Loop:
    """An object that refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No page has run, and all objects were looked at just now."""
    monkeypatch.setattr(garbage_collection, "_seen", set())
    monkeypatch.setattr(garbage_collection, "_runs", count(1))
    collect_among_all()
    yield
    gc.unfreeze()


def test_the_living_are_spared_at_the_first_run_of_each_page() -> None:
    kept: list[object] = [[] for _ in range(1000)]
    before = gc.get_freeze_count()
    spare_the_living("heads")
    spared = gc.get_freeze_count()
    assert spared >= before + len(kept)
    kept.append([[] for _ in range(1000)])
    spare_the_living("heads")
    assert gc.get_freeze_count() <= spared
    spare_the_living("masks")
    assert gc.get_freeze_count() > spared


def test_what_has_died_since_is_collected_after_many_runs() -> None:
    loop = Loop()
    alive = weakref.ref(loop)
    spare_the_living("heads")
    del loop
    for _ in range(RUNS - 2):
        spare_the_living("heads")
    gc.collect()
    assert alive() is not None, "it was taken out of the collections"
    spare_the_living("heads")
    assert alive() is None


@pytest.mark.skipif(held_bytes() == 0, reason="the memory of a process is known on Linux alone")
def test_it_is_collected_at_once_where_the_process_has_grown() -> None:
    loop = Loop()
    alive = weakref.ref(loop)
    spare_the_living("heads")
    del loop
    large = b"1" * held_bytes()
    spare_the_living("heads")
    assert alive() is None
    assert not has_grown()
    del large
