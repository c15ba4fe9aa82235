"""How many connections are taken, in all, from one network and from one site."""

from __future__ import annotations

from contextlib import ExitStack, suppress

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.shared.server import connections
from pages.shared.server.connections import ROOMS, STREAMS, BoundedStreams, Connections
from pages.shared.server.limits import CLASS_SIZE, FOLLOWERS, FOLLOWERS_OF_ADDRESS


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLLOWERS.variable, "3")
    monkeypatch.setenv(FOLLOWERS_OF_ADDRESS.variable, "2")


def rooms() -> Connections:
    return Connections(ROOMS._most, ROOMS._of_network)


def taken(*addresses: str) -> list[bool]:
    """Which connections are taken, all open at once."""
    counted = rooms()
    with ExitStack() as stack:
        return [stack.enter_context(counted.hold(address)) for address in addresses]


def test_an_address_has_a_few() -> None:
    assert taken("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2") == [True, True, False, True]


def test_all_addresses_together_have_some_more() -> None:
    assert taken(*(f"192.0.2.{number}" for number in range(8))) == [True] * 6 + [False] * 2


def test_this_machine_is_counted_only_in_all() -> None:
    assert taken(*["127.0.0.1", "::1", "::ffff:127.0.0.1"] * 3) == [True] * 6 + [False] * 3


def test_a_connection_that_ends_makes_room() -> None:
    counted = rooms()
    for _ in range(10):
        with counted.hold("192.0.2.1") as is_taken:
            assert is_taken
    assert not counted._networks, "nothing is kept of an address"


def test_a_connection_that_fails_makes_room() -> None:
    counted = rooms()
    with suppress(RuntimeError), counted.hold("192.0.2.1"):
        raise RuntimeError
    assert not counted._networks


def test_one_site_leaves_a_fifth_to_others() -> None:
    """Whoever has a site of IPv6 has 65,536 networks in it."""
    counted = Connections(lambda: 10, lambda: 100)
    with ExitStack() as stack:
        lines = [stack.enter_context(counted.hold(f"2001:db8:1:{number:x}::1")) for number in range(20)]
        assert lines == [True] * 8 + [False] * 12
        assert stack.enter_context(counted.hold("192.0.2.1"))


@pytest.mark.parametrize("counted", [ROOMS, STREAMS])
def test_a_class_behind_one_address_connects_twice(counted: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its old connections are still open when it comes back after a failure of the network."""
    for limit in (FOLLOWERS, FOLLOWERS_OF_ADDRESS):
        monkeypatch.delenv(limit.variable)
    with ExitStack() as stack:
        assert all(stack.enter_context(counted.hold("192.0.2.1")) for _ in range(2 * CLASS_SIZE))
        while stack.enter_context(counted.hold("192.0.2.1")):
            pass
        assert all(stack.enter_context(counted.hold("192.0.2.2")) for _ in range(CLASS_SIZE))


def test_streamlits_sockets_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def take(socket: WebSocket) -> None:
        await socket.accept()
        await socket.receive()

    monkeypatch.setattr(connections, "STREAMS", Connections(lambda: 1, lambda: 1))
    routes = [WebSocketRoute(path, take) for path in ("/base/_stcore/stream", "/another")]
    browser = TestClient(Starlette(routes=routes, middleware=[Middleware(BoundedStreams)]))
    with ExitStack() as lines:
        for path in ("/base/_stcore/stream", "/another", "/another"):
            lines.enter_context(browser.websocket_connect(path))
        with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/base/_stcore/stream"):
            pass
    with browser.websocket_connect("/base/_stcore/stream"):
        pass
