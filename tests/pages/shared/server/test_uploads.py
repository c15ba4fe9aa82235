"""Bytes of uploaded files: bounded for a session, a network and all, and given back."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from pages.shared.server.limits import (
    CLASS_SIZE,
    UPLOADED_BYTES,
    UPLOADED_BYTES_OF_ADDRESS,
    UPLOADED_BYTES_OF_SESSION,
)
from pages.shared.server.uploads import TooManyBytes, Uploads

MB = 1_000_000


class Kept:
    """A store of files, and the counts of it."""

    def __init__(self) -> None:
        self.bytes: dict[str, int] = {}
        self.uploads = Uploads(lambda: self.bytes)

    def send(self, session: str, address: str | None, nbytes: int) -> int:
        """0 where the file is kept, else the status of the refusal."""
        try:
            with self.uploads.hold(session, address, nbytes):
                self.bytes[session] = self.bytes.get(session, 0) + nbytes
        except TooManyBytes as error:
            return error.status
        return 0


def test_a_session_has_a_bound_and_gets_it_back() -> None:
    kept = Kept()
    assert [kept.send("ada", "192.0.2.1", 16 * MB) for _ in range(4)] == [0, 0, 413, 413]
    kept.bytes["ada"] = 16 * MB  # she has taken one away
    assert kept.send("ada", "192.0.2.1", 16 * MB) == 0
    del kept.bytes["ada"]
    assert kept.send("ada", "192.0.2.1", 16 * MB) == 0


def test_what_is_on_its_way_counts() -> None:
    kept = Kept()
    with ExitStack() as coming:
        for _ in range(2):
            coming.enter_context(kept.uploads.hold("ada", "192.0.2.1", 16 * MB))
        assert kept.send("ada", "192.0.2.1", 16 * MB) == 413
    assert kept.send("ada", "192.0.2.1", 16 * MB) == 0
    assert not kept.uploads._coming


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8:7:{0:x}::1"])
def test_one_network_with_many_sessions_leaves_room_for_others(address: str) -> None:
    """Also one that has all networks of 64 bits of its site."""
    kept = Kept()
    statuses = [kept.send(f"s{number}", address.format(number), 16 * MB) for number in range(130)]
    assert statuses.count(0) == UPLOADED_BYTES_OF_ADDRESS.value // (16 * MB)
    assert set(statuses) == {0, 429}
    assert kept.send("somebody", "198.51.100.9", 16 * MB) == 0
    assert len(kept.uploads._sites) <= 131


def test_all_together_have_a_bound() -> None:
    kept = Kept()
    statuses = [kept.send(f"s{number}", f"192.0.2.{number}", 16 * MB) for number in range(130)]
    assert statuses.count(0) == UPLOADED_BYTES.value // (16 * MB)


def test_a_class_behind_one_address_has_room_for_its_photos() -> None:
    kept = Kept()
    assert not any(kept.send(f"reader {number}", "192.0.2.1", 3 * MB) for number in range(CLASS_SIZE))
    assert UPLOADED_BYTES_OF_SESSION.default * 2 < UPLOADED_BYTES_OF_ADDRESS.default < UPLOADED_BYTES.default


def test_sessions_that_have_ended_are_forgotten() -> None:
    kept = Kept()
    for number in range(50):
        kept.send(f"s{number}", "192.0.2.1", 1)
        kept.bytes.clear()
    assert len(kept.uploads._sites) <= 2
