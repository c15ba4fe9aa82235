"""Connections that are cut, and messages that no browser sends: each is at most one line of the log."""

from __future__ import annotations

import socket
import struct
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.exceptions import ConnectionClosed

from pages.teach.rooms import routes
from tests.browser.conftest import Server
from tests.hostile.raw_sockets import RawSocket
from tests.hostile.streamlit_client import StreamlitClient

pytestmark = pytest.mark.slow
STREAM = "/_stcore/stream"
BYTES = 2  # the opcode of a frame of bytes
MAX_LINE = 200  # characters


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server()
    running.wait_until_ready()
    yield running
    running.stop()


def cut(connection: socket.socket) -> None:
    """End a connection at once, as a phone that leaves the network."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def cut_request(url: str, head: str, body: bytes = b"") -> None:
    address = urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall(f"{head} HTTP/1.1\r\nHost: {address.netloc}\r\n".encode() + body)
    answer(url)  # the server has it
    cut(connection)


def cut_frame(url: str, path: str, *, is_whole: bool) -> None:
    """A socket that is cut, in the middle of a frame or not."""
    with RawSocket(url, path) as line:
        if not is_whole:
            line.begin_frame(10_000)
            line.send_part(b"x" * 500)
        answer(url)
        cut(line._socket)


def send_frame(url: str, path: str, payload: bytes, opcode: int) -> None:
    with RawSocket(url, path) as line:
        line.send(payload, opcode=opcode)
        with suppress(ConnectionError):
            line.close_code()


def answer(url: str) -> None:
    """What was sent before has been read when this is answered."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=20) as heard:
        heard.read()


LENGTH = b"Content-Length: 500\r\nContent-Type: application/json\r\n\r\n{"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\nffff\r\nx"
DEEDS: dict[str, Callable[[str], None]] = {
    "a head": lambda url: cut_request(url, "GET /"),
    "the body of a join": lambda url: cut_request(url, "POST /follow/join", LENGTH),
    "a body in pieces": lambda url: cut_request(url, "POST /follow/join", CHUNKED),
    "an upload": lambda url: cut_request(url, "PUT /_stcore/upload_file/a/b", LENGTH),
    "a stream": lambda url: cut_frame(url, STREAM, is_whole=True),
    "a stream within a frame": lambda url: cut_frame(url, STREAM, is_whole=False),
    "a room": lambda url: cut_frame(url, routes.PATH, is_whole=True),
    "a room within a frame": lambda url: cut_frame(url, routes.PATH, is_whole=False),
    "text for the stream": lambda url: send_frame(url, STREAM, b"hello", 1),
    "no message of Streamlit's": lambda url: send_frame(url, STREAM, b"\xff" * 50, BYTES),
    "no UTF-8 for the stream": lambda url: send_frame(url, STREAM, b"\xff\xfe", 1),
    "no UTF-8 for a room": lambda url: send_frame(url, routes.PATH, b"\xff\xfe", 1),
    "bytes for a room": lambda url: send_frame(url, routes.PATH, b"\xff", BYTES),
    "no HTTP": lambda url: cut_request(url, "\x00\xff"),
}


@pytest.mark.parametrize("name", DEEDS)
def test_it_is_at_most_one_line_of_the_log(server: Server, name: str) -> None:
    before = len(server.said())
    DEEDS[name](server.url)
    for _ in range(3):  # the end of the connection, and what follows from it
        answer(server.url)
    said = server.said()[before:]
    assert len(said.strip().splitlines()) <= 1, said
    assert len(said) < MAX_LINE, said


@pytest.mark.parametrize("forged", ["forged", "", "$$ID-0-layer", f"{STREAMLIT_INTERNAL_KEY_PREFIX}_forged__events"])
def test_the_state_of_a_widget_that_nobody_drew_writes_nothing_into_the_log(server: Server, forged: str) -> None:
    visitor, before = StreamlitClient(server.url, "cost"), server.said()
    with suppress(ConnectionClosed):  # where Streamlit makes no such ids
        for _ in range(3):
            visitor.run(WidgetState(id=forged, json_trigger_value="[]"))
    assert server.said() == before
