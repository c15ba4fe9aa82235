"""Sessions whose connection has failed: a class keeps all of them, and nobody pushes out those of others."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.runtime.session_manager import SessionInfo

from pages.shared.server.kept_sessions import KEPT_BESIDE, KeptSessions
from pages.shared.server.limits import CLASS_SIZE, SESSIONS
from pages.shared.server.sessions import Seats


class Server:
    """Seats and kept sessions. A session is here from `come` until `drop`."""

    def __init__(self) -> None:
        self.here: set[str] = set()
        self.now = 0.0
        self.ended: list[str] = []
        self.seats = Seats(self.here.__contains__)
        self.kept = KeptSessions(120, clock=lambda: self.now, seats=self.seats)

    def come(self, session: str, site: str = "192.0.2.1") -> None:
        self.here.add(session)
        self.seats.take(session, SESSIONS.value, site, SESSIONS.value)

    def drop(self, session: str) -> None:
        fake = SimpleNamespace(id=session, shutdown=lambda: self.ended.append(session))
        self.kept.save(SessionInfo(client=None, session=fake))  # type: ignore[arg-type]
        self.here.discard(session)

    def come_back(self, session: str) -> bool:
        if self.kept.get(session) is None:
            return False
        self.kept.delete(session)
        return True


@pytest.fixture
def server() -> Server:
    return Server()


def test_a_class_whose_network_fails_keeps_all_sessions(server: Server) -> None:
    readers = [f"reader {number}" for number in range(CLASS_SIZE)]
    for reader in readers:
        server.come(reader)
    for reader in readers:
        server.drop(reader)
    assert all(server.come_back(reader) for reader in readers)
    assert not server.ended
    assert server.kept.list() == []


def test_who_comes_and_goes_pushes_out_only_his_own(server: Server) -> None:
    server.come("ada", "198.51.100.1")
    server.drop("ada")
    for number in range(1000):
        server.come(f"tab {number}")
        server.drop(f"tab {number}")
    assert len(server.kept.list()) <= SESSIONS.value + KEPT_BESIDE
    assert server.come_back("ada")
    assert not server.come_back("tab 0")
    assert server.come_back("tab 999")


def test_all_together_take_no_more_memory_than_before(server: Server) -> None:
    for number in range(SESSIONS.value):
        server.come(f"reader {number}")
    for number in range(SESSIONS.value // 2):
        server.drop(f"reader {number}")
        assert len(server.here) + len(server.kept.list()) <= SESSIONS.value + KEPT_BESIDE


def test_what_is_given_up_is_shut_down_at_once(server: Server) -> None:
    """So its files are given back."""
    server.come("ada")
    server.drop("ada")
    server.now = 119.0
    assert server.kept.get("ada")
    server.now = 120.0
    server.kept.sweep()
    assert server.ended == ["ada"]
    assert not server.come_back("ada")


def test_a_session_without_a_seat_is_not_kept(server: Server) -> None:
    server.drop("eve")
    assert server.ended == ["eve"]
    assert server.kept.list() == []
