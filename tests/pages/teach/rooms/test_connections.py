"""How many connections are taken, in all and from one address."""

from __future__ import annotations

from contextlib import ExitStack, suppress

import pytest

from pages.shared.server.limits import FOLLOWERS, FOLLOWERS_OF_ADDRESS
from pages.teach.rooms.connections import Connections, network_of


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLLOWERS.variable, "3")
    monkeypatch.setenv(FOLLOWERS_OF_ADDRESS.variable, "2")


def taken(*addresses: str) -> list[bool]:
    """Which connections are taken, all open at once."""
    counted = Connections()
    with ExitStack() as stack:
        return [stack.enter_context(counted.hold(address)) for address in addresses]


def test_an_address_has_a_few() -> None:
    assert taken("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2") == [True, True, False, True]


def test_all_addresses_together_have_some_more() -> None:
    assert taken(*(f"192.0.2.{number}" for number in range(8))) == [True] * 6 + [False] * 2


def test_this_machine_is_counted_only_in_all() -> None:
    assert taken(*["127.0.0.1", "::1", "::ffff:127.0.0.1"] * 3) == [True] * 6 + [False] * 3


def test_a_connection_that_ends_makes_room() -> None:
    counted = Connections()
    for _ in range(10):
        with counted.hold("192.0.2.1") as is_taken:
            assert is_taken
    assert not counted._open, "nothing is kept of an address"


def test_a_connection_that_fails_makes_room() -> None:
    counted = Connections()
    with suppress(RuntimeError), counted.hold("192.0.2.1"):
        raise RuntimeError
    assert not counted._open


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8::ffff:0:0:1", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", "testclient"),
    ],
)
def test_ipv6_is_counted_by_its_network(address: str, network: str) -> None:
    assert network_of(address) == network
