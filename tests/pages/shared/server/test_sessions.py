"""Seats: as many sessions as the server serves, those of closed tabs given to others; the page of a full server."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import work_bound
from pages.shared.server import sessions
from pages.shared.server.limits import CLASS_SIZE
from pages.shared.server.networks import THIS_COMPUTER
from pages.shared.server.sessions import Seats
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB
from tests.pages.conftest import run_page, sent


def test_seats_are_kept_and_given_on() -> None:
    here = {"ada", "bob", "eve"}
    seats = Seats(here.__contains__)
    assert seats.take("ada", 2)
    assert seats.take("bob", 2)
    assert not seats.take("eve", 2)
    assert seats.take("ada", 2), "who is in stays in"
    here.discard("bob")
    assert seats.take("eve", 2)
    assert not seats.take("bob", 2)


def test_the_presenter_always_gets_in() -> None:
    seats = Seats(lambda session: True)
    assert seats.take("ada", 1)
    assert seats.take("presenter", 1, always=True)
    assert seats.take("presenter", 1)
    assert not seats.take("eve", 1)


MOST, OF_SITE = 400, 320


@pytest.mark.parametrize("site", ["192.0.2.1", "2001:db8:1::/48"])
def test_a_class_gets_in_and_one_site_takes_not_all(site: str) -> None:
    seats = Seats(lambda session: True)
    assert all(seats.take(f"reader {number}", MOST, site, OF_SITE) for number in range(CLASS_SIZE))
    assert sum(seats.take(f"tab {number}", MOST, site, OF_SITE) for number in range(500)) == OF_SITE - CLASS_SIZE
    assert all(seats.take(f"other {number}", MOST, "198.51.100.1", OF_SITE) for number in range(MOST - OF_SITE))


def test_a_newcomer_gets_into_a_full_server_and_only_once() -> None:
    """Also where the server is set to fewer seats than one site may have."""
    seats = Seats(lambda session: True)
    assert sum(seats.take(f"tab {number}", 60, "192.0.2.1", OF_SITE) for number in range(100)) == 60
    came = [seats.take(f"new {number}", 60, f"198.51.100.{number}", OF_SITE) for number in range(9)]
    assert came == [True] * 6 + [False] * 3
    assert not seats.take("a second tab", 60, "198.51.100.0", OF_SITE)


def test_presenters_of_one_site_are_bounded_too() -> None:
    """The token of one room lets in each tab that has it."""
    seats = Seats(lambda session: True)
    came = [seats.take(f"tab {number}", MOST, "192.0.2.1", OF_SITE, always=True) for number in range(500)]
    assert sum(came) == OF_SITE + sessions.PRESENTERS_OF_SITE


def test_behind_a_proxy_that_tells_nothing_all_seats_are_there() -> None:
    seats = Seats(lambda session: True)
    assert sum(seats.take(f"tab {number}", MOST, THIS_COMPUTER, OF_SITE) for number in range(500)) == MOST


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Seats:
    """All seats are taken by somebody else."""
    seats = Seats(lambda session: True)
    seats.take("somebody else", 1)
    monkeypatch.setattr(sessions, "SEATS", seats)
    monkeypatch.setenv("GLASSFORMER_MAX_SESSIONS", "1")
    return seats


def test_a_full_server_says_so_and_keeps_the_link(full: Seats) -> None:
    app = run_page("block/block.py", text="it is kept")
    assert app.title[0].value == "This server is full"
    assert "1 session at once" in app.info[0].value
    assert sent(app, "run_bar") is None
    full._is_here = lambda session: False
    app.run()
    assert app.title[0].value != "This server is full"
    assert app.session_state["text"] == "it is kept"


@pytest.mark.slow
def test_a_presenter_gets_into_a_full_server(full: Seats) -> None:
    token = HUB.open("Ada").token
    app: AppTest = run_page("block/block.py", RoomSession(token))
    HUB.close(token)
    assert app.title[0].value == "Block"


def work() -> None:
    import streamlit as st

    from model import load
    from pages.shared.model_runs import model_turns

    model = load("tiny-lm")
    with model_turns.forward_pass():
        for step in model.generate("the quick brown fox", max_new_tokens=20):
            st.session_state["written"] = step.index + 1
            st.session_state["leave"]()
    st.text("whole")


def test_work_ends_when_its_tab_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here no element is written meanwhile, at which Streamlit itself would end it."""
    here = [True]
    monkeypatch.setattr(sessions, "is_here", lambda session: here[0])
    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    app = AppTest.from_function(work, default_timeout=60)
    app.session_state["leave"] = lambda: None
    app.run()
    assert app.text[0].value == "whole"
    app.session_state["leave"] = lambda: here.__setitem__(0, False)
    app.run()
    assert app.session_state["written"] == 1
    assert not app.text
    assert not app.exception
