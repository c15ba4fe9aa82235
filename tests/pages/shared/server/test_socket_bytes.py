"""What browsers may send by WebSockets: as much as the pages need, and no site all that the memory has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.models.see_parts.own_pictures import PASTED_BYTES
from pages.shared.server import socket_bytes
from pages.shared.server.limits import CLASS_SIZE
from pages.shared.server.request_limits import RequestLimits
from pages.teach.lectures.lecture_file import MAX_BYTES

MB = 1_000_000


def test_a_class_and_a_pasted_picture_fit() -> None:
    assert CLASS_SIZE * MAX_BYTES < socket_bytes.BURST_BYTES, "each sends a lecture back after a restart"
    assert 0.9 * get_max_widget_state_size_bytes() > PASTED_BYTES * 4 / 3


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> set[Any]:
    """The open sockets of a server."""

    def keep(protocol: Any, data: bytes) -> None:
        protocol.conn.reader.buffer += data

    monkeypatch.setattr(socket_bytes, "receive_all", keep)
    monkeypatch.setattr(socket_bytes, "_received", RequestLimits(BURST, 0.0))
    return set()


BURST = 200.0 * MB


def opened(sockets: set[Any], address: str) -> Any:
    protocol = WebSocketsSansIOProtocol.__new__(WebSocketsSansIOProtocol)
    protocol.conn = SimpleNamespace(reader=SimpleNamespace(buffer=bytearray()))  # type: ignore[assignment]
    protocol.frames, protocol.connections = [], sockets
    protocol.scope = {"client": (address, 0)}  # type: ignore[typeddict-item]
    ended: list[bool] = []
    protocol.transport = SimpleNamespace(abort=lambda: (ended.append(True), sockets.discard(protocol)), ended=ended)  # type: ignore[assignment]
    sockets.add(protocol)
    return protocol


def is_taken(protocol: Any, nbytes: int) -> bool:
    socket_bytes.receive(protocol, bytes(nbytes))
    return not protocol.transport.ended


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8:1:{:x}::1"])
def test_one_site_has_so_many_bytes_on_their_way(sockets: set[Any], address: str) -> None:
    taken = [is_taken(opened(sockets, address.format(number)), 7 * MB) for number in range(20)]
    assert taken == [True] * (socket_bytes.MAX_UNFINISHED_BYTES // (7 * MB)) + [False] * 6
    assert is_taken(opened(sockets, "198.51.100.1"), 7 * MB)


def test_one_site_sends_so_much_at_once(sockets: set[Any]) -> None:
    line = opened(sockets, "192.0.2.1")
    for _ in range(int(BURST) // (8 * MB)):
        assert is_taken(line, 8 * MB)
        line.conn.reader.buffer.clear()  # the message has come
    assert not is_taken(line, 8 * MB)


def test_small_messages_are_not_looked_at(sockets: set[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_bytes, "MAX_UNFINISHED_BYTES", 0)
    assert is_taken(opened(sockets, "192.0.2.1"), socket_bytes.SMALL_BYTES)
    assert not is_taken(opened(sockets, "192.0.2.1"), socket_bytes.SMALL_BYTES + 1)
