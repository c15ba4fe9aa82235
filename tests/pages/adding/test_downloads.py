"""Downloads that several visitors share."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from model.adding.add import add, look
from model.zoo.cards import added_cards
from pages.adding import downloads as downloads_module
from pages.adding.downloads import Downloads
from tests.model.adding.hub_server import Repository
from tests.pages.adding.conftest import CARD, NAME

WAIT_SECONDS = 30


@pytest.fixture
def gate(repository: Repository) -> Event:
    """The hub holds the weights back until it is set."""
    repository.gate = Event()
    return repository.gate


def test_two_visitors_share_one_download(repository: Repository, gate: Event) -> None:
    downloads, found = Downloads(add, is_here=lambda visitor: True), look(NAME)
    anna, zoe = downloads.join(found, "anna"), downloads.join(found, "zoe")
    assert anna is zoe
    downloads.leave(anna, "anna")  # cancels; the other still waits
    gate.set()
    assert zoe.ended.wait(WAIT_SECONDS)
    assert zoe.card is not None
    assert (zoe.card.name, zoe.fault) == (CARD, "")
    assert repository.asked.count("GET model.safetensors") == 1
    assert downloads.count() == 0


def test_it_ends_where_nobody_waits_any_longer(repository: Repository, gate: Event) -> None:
    here = {"anna"}
    downloads = Downloads(add, is_here=lambda visitor: visitor in here)
    work = downloads.join(look(NAME), "anna")
    here.clear()  # the tab is closed
    gate.set()
    assert work.ended.wait(WAIT_SECONDS)
    assert (work.card, work.fault.startswith("Cancelled")) == (None, True)
    assert not added_cards()


def test_a_fault_is_told_to_all_who_wait(repository: Repository, gate: Event) -> None:
    downloads, found = Downloads(add, is_here=lambda visitor: True), look(NAME)
    repository.tampers = True
    gate.set()
    work = downloads.join(found, "anna")
    assert work.ended.wait(WAIT_SECONDS)
    assert "another hash" in work.fault
    again = downloads.join(found, "anna")
    assert again is not work


def test_only_so_many_work_at_once(empty_machine: Path) -> None:
    began, go_on = [Event(), Event()], Event()

    def wait(found: Any, progress: Any) -> None:
        began[int(found.name)].set()
        go_on.wait(WAIT_SECONDS)

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    downloads = Downloads(wait, is_here=lambda visitor: True, at_once=1)  # type: ignore[arg-type]
    first = downloads.join(Named("0"), "anna")  # type: ignore[arg-type]
    assert began[0].wait(WAIT_SECONDS)
    second = downloads.join(Named("1"), "anna")  # type: ignore[arg-type]
    assert not began[1].is_set()
    assert second.step == "Waiting for another download"
    go_on.set()
    assert first.ended.wait(WAIT_SECONDS)
    assert second.ended.wait(WAIT_SECONDS)


def test_one_network_leaves_a_place_to_others(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads_module, "LOOK_SECONDS", 0.01)
    began, go_on, here = {name: Event() for name in "abc"}, Event(), {"anna", "bob"}

    def wait(found: Any, progress: Any) -> None:
        began[found.name].set()
        go_on.wait(WAIT_SECONDS)

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    downloads = Downloads(wait, is_here=here.__contains__)  # type: ignore[arg-type]
    first = downloads.join(Named("a"), "anna", "192.0.2.1")  # type: ignore[arg-type]
    assert began["a"].wait(WAIT_SECONDS)
    second = downloads.join(Named("b"), "eve", "192.0.2.1")  # type: ignore[arg-type]
    third = downloads.join(Named("c"), "bob", "192.0.2.2")  # type: ignore[arg-type]
    assert began["c"].wait(WAIT_SECONDS)
    assert second.ended.wait(WAIT_SECONDS), "who has left does not wait in the queue"
    assert second.fault.startswith("Cancelled")
    assert not began["b"].is_set()
    go_on.set()
    assert first.ended.wait(WAIT_SECONDS)
    assert third.ended.wait(WAIT_SECONDS)
