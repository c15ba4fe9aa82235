"""The next scene is made ahead: once, with the presenter's turns, and never in the way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pages.shared.model_runs import turn_owner
from pages.shared.model_runs.processor_turns import Owner
from pages.teach.presenting import precompute
from views.parts import Files
from viz.shared.style import Theme

TINY = {"model": "tiny-lm", "text": "The dog is hungry", "heads_view": "Matrix"}


class Timers:
    """Stand for threads that begin later. The test says when."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, seconds: float, work: Callable[[], None]) -> Timers:
        self.waiting.append((seconds, work))
        return self

    def start(self) -> None:
        """A thread begins."""

    def end(self) -> None:
        """The time of all has come."""
        waiting, self.waiting = self.waiting, []
        for _, work in waiting:
            work()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Timers]:
    found = Timers()
    monkeypatch.setattr(precompute, "Timer", found)
    yield found
    assert not precompute._making


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, str], Owner]]:
    """What was made, in order, and whose work it was; nothing is."""
    found: list[tuple[str, dict[str, str], Owner]] = []

    def make(url: str, link: Any, theme: Theme, take: Any) -> None:
        found.append((url, dict(link), turn_owner.current()))

    monkeypatch.setattr(precompute, "make", make)
    return found


def start(**link: str) -> None:
    precompute.start("heads", link, "light", lambda files: None)


def test_a_view_is_made_later_for_its_presenter(
    timers: Timers, made: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter = Owner("192.0.2.1", "the presenter")
    with turn_owner.of_visitor(presenter.network, presenter.session):
        start(layer="2")
    assert [seconds for seconds, _ in timers.waiting] == [precompute.DELAY_SECONDS], "the page on screen comes first"
    assert made == []
    timers.end()
    assert made == [("heads", {"layer": "2"}, presenter)]


def test_the_same_view_is_not_made_twice_at_once_and_few_are(timers: Timers, made: list[Any]) -> None:
    for layer in ("1", "1", "2", "3", "4"):
        start(layer=layer)
    timers.end()
    assert [link["layer"] for _, link, _ in made] == ["1", "2", "3"]
    assert precompute.MAX_SCENES == 3
    start(layer="1")
    timers.end()
    assert len(made) == 4, "it may be made again"


def test_presenters_of_one_network_leave_a_place_to_others(
    timers: Timers, made: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for layer, network in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")):
        monkeypatch.setattr(precompute, "network_here", lambda network=network: network)
        start(layer=str(layer))
    timers.end()
    assert [link["layer"] for _, link, _ in made] == ["0", "1", "3"]


def test_the_pictures_of_a_view_are_handed_over() -> None:
    taken: list[list[Files]] = []
    precompute.make("heads", TINY, "dark", taken.append)
    ((files,),) = taken
    assert files.figure("dark").axes


def test_a_view_that_shows_nothing_hands_nothing_over(caplog: pytest.LogCaptureFixture) -> None:
    for url, link in (("heads", TINY | {"text": ""}), ("glossary", {})):
        precompute.make(url, link, "light", lambda files: pytest.fail("it has no picture"))
    assert not caplog.records


def test_a_mistake_of_ours_is_only_a_pity(caplog: pytest.LogCaptureFixture) -> None:
    def fail(files: list[Files]) -> None:
        raise ZeroDivisionError

    with caplog.at_level(logging.WARNING):
        precompute.make("heads", TINY, "light", fail)
    assert "could not be made ahead" in caplog.text


def test_a_view_that_was_made_ahead_is_there_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.shared.model_runs import trace_cache

    link = TINY | {"text": "A sentence that nobody else has run"}
    precompute.make("heads", link, "light", lambda files: None)
    monkeypatch.setattr(trace_cache, "_make", lambda run: pytest.fail("the caches hold its numbers"))
    precompute.make("heads", link, "light", lambda files: None)
