from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from itertools import count

import pytest

from model.process_memory import held_bytes
from pages.shared.server import garbage_collection
from pages.shared.server.garbage_collection import (
    MANY,
    RUNS,
    collect_after_run,
    collect_among_all,
    has_grown,
)


class Loop:
    """An object that refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


def many() -> list[object]:
    """So many living objects that they are spared."""
    return [[] for _ in range(MANY + 1)]


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No page has run, and all objects were looked at just now. Tests that follow are spared what lives, too."""
    monkeypatch.setattr(garbage_collection, "_seen", set())
    monkeypatch.setattr(garbage_collection, "_runs", count(1))
    collect_among_all()
    yield
    gc.freeze()


@pytest.mark.slow
def test_many_living_objects_are_spared_at_the_first_run_of_each_page() -> None:
    kept: list[object] = [many()]
    before = gc.get_freeze_count()
    collect_after_run("heads")
    spared = gc.get_freeze_count()
    assert spared >= before + MANY
    kept.append(many())
    collect_after_run("heads")
    assert gc.get_freeze_count() <= spared
    collect_after_run("masks")
    assert gc.get_freeze_count() > spared


@pytest.mark.slow
def test_what_dies_later_is_collected_without_a_look_at_all_where_few_objects_are_new() -> None:
    loop = Loop()
    alive = weakref.ref(loop)
    before = gc.get_freeze_count()
    collect_after_run("heads")
    assert gc.get_freeze_count() <= before
    del loop
    gc.collect()
    assert alive() is None


@pytest.mark.slow
def test_what_has_died_since_is_collected_after_many_runs() -> None:
    loop, kept = Loop(), many()
    alive = weakref.ref(loop)
    collect_after_run("heads")
    del loop
    for _ in range(RUNS - 2):
        collect_after_run("heads")
    gc.collect()
    assert alive() is not None, "it was taken out of the collections"
    collect_after_run("heads")
    assert alive() is None
    del kept


@pytest.mark.slow
@pytest.mark.skipif(held_bytes() == 0, reason="the memory of a process is known on Linux alone")
def test_it_is_collected_at_once_where_the_process_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, kept = Loop(), many()
    alive = weakref.ref(loop)
    collect_after_run("heads")
    del loop
    gc.collect()
    assert alive() is not None, "it was taken out of the collections"
    # To fill as much memory again would end a process of tests that holds some gigabytes.
    monkeypatch.setattr(garbage_collection, "_held", held_bytes() // 2)
    collect_after_run("heads")
    assert alive() is None
    assert not has_grown()
    del kept
