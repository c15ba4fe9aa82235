"""Connections to a running server as no browser makes them. A class beside them is served."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from streamlit import net_util
from streamlit.web.server import server_util

import serve  # it sets what Streamlit has no switch for
from pages.shared.server.limits import FOLLOWERS_OF_ADDRESS
from pages.teach.rooms import routes
from tests.browser.conftest import Server
from tests.hostile.raw_sockets import CLOSE, TEXT, RawSocket

pytestmark = pytest.mark.slow
CONTINUATION = 0
TOO_BIG = 1009
BIG = 60_000_000
LINES_OF_ADDRESS = 300
SERVED_SECONDS = 20.0  # 2 are promised; this machine may have other work


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server({FOLLOWERS_OF_ADDRESS.variable: str(LINES_OF_ADDRESS)})
    yield running
    running.stop()


def join(server: Server, path: str = routes.PATH, **headers: str) -> RawSocket:
    return RawSocket(server.url, path, **headers)


def serves(server: Server) -> bool:
    """Whether another visitor is answered soon: a page, and a connection to the room."""
    began = time.monotonic()
    with urllib.request.urlopen(f"{server.url}/", timeout=SERVED_SECONDS) as answer, join(server) as student:
        student.send(b"{}")
        heard = json.loads(student.receive()[1])
        return answer.status == 200 and heard["end"] and time.monotonic() - began < SERVED_SECONDS


@pytest.mark.parametrize("path", [routes.PATH, "/teach/%72oom", f"{routes.PATH}?x=/_stcore/stream", "/_stcore/stream"])
def test_a_long_message_is_refused_at_its_head(server: Server, path: str) -> None:
    """Nothing of its 60 MB has come by then, so nothing is kept."""
    with join(server, path) as line:
        line.begin_frame(BIG)
        assert line.close_code() == TOO_BIG
        assert line.is_ended()


def test_a_message_is_as_long_as_all_of_its_parts(server: Server) -> None:
    with join(server) as line:
        line.send(b" " * (routes.MAX_MESSAGE_BYTES - 10), is_last=False)
        line.begin_frame(11, opcode=CONTINUATION)
        assert line.close_code() == TOO_BIG


def test_a_message_of_the_largest_size_is_read(server: Server) -> None:
    with join(server) as line:
        line.send(b" " * routes.MAX_MESSAGE_BYTES)
        opcode, message = line.receive()
        assert opcode == TEXT
        assert json.loads(message)["end"]


def test_who_never_says_hello_is_hung_up(server: Server) -> None:
    """Also who has begun to say something, or goes on with it; others are served meanwhile."""
    with ExitStack() as lines:
        silent, begun, dripping = (lines.enter_context(join(server)) for _ in range(3))
        began = time.monotonic()
        begun.begin_frame(1000)
        dripping.send(b"{", is_last=False)
        assert serves(server)
        for line in (silent, begun, dripping):
            opcode, payload = line.receive()
            assert (opcode, int.from_bytes(payload, "big")) == (CLOSE, routes.REFUSED)
        for line in (silent, begun, dripping):
            assert line.is_ended()
        assert time.monotonic() - began < 3 * (routes.HELLO_SECONDS + serve.CLOSE_SECONDS)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("null", 403),
        ("http://[", 403),
        ("http://localhost:3000", 403),
        ("http://127.0.0.1:3000", 403),
        ("http://127.0.0.1", 403),
    ],
)
def test_pages_of_other_sites_and_ports_are_refused(server: Server, origin: str, status: int) -> None:
    """Streamlit takes every port of this machine, whose pages share the reader's cookies."""
    with join(server, Origin=origin) as line, join(server, "/_stcore/stream", Origin=origin) as stream:
        assert line.status == stream.status == status


def test_the_apps_own_pages_and_programs_are_taken(server: Server) -> None:
    with join(server, Origin=server.url) as page, join(server) as program:
        assert (page.status, program.status) == (101, 101)


def test_settings_of_streamlit_allow_other_sites() -> None:
    running = Server({"STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "https://class.example"})
    try:
        with (
            join(running, Origin="https://class.example") as friend,
            join(running, Origin="https://x.example") as other,
        ):
            assert (friend.status, other.status) == (101, 403)
    finally:
        running.stop()


def test_a_page_of_another_site_sends_no_request_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit would ask for this machine's address on the internet, while everybody waits."""

    def fail(*_: object, **__: object) -> str:
        raise AssertionError("a request leaves the machine")

    monkeypatch.setattr(net_util, "_make_blocking_http_get", fail)
    assert not server_util.is_url_from_allowed_origins("https://evil.example")


def test_one_address_cannot_hold_all_connections(server: Server) -> None:
    """What a proxy on this machine says of the address counts."""
    with ExitStack() as lines:
        for _ in range(LINES_OF_ADDRESS):
            assert lines.enter_context(join(server, X_Forwarded_For="192.0.2.1")).status == 101
        for address, status in (("192.0.2.1", 403), ("192.0.2.2", 101)):
            with join(server, X_Forwarded_For=address) as line:
                assert line.status == status
        assert serves(server)
