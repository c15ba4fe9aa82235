"""One visitor of a running server who takes all there is, and writes a false address. Another one is served."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from websockets.sync.client import connect

from pages.shared.server import socket_bytes
from pages.shared.server.limits import (
    FOLLOWERS_OF_ADDRESS,
    SESSIONS,
    UPLOADED_BYTES_OF_ADDRESS,
    UPLOADED_BYTES_OF_SESSION,
)
from pages.shared.server.proxies import TRUSTED
from pages.teach.rooms import routes
from tests.browser.conftest import Server
from tests.hostile.raw_sockets import RawSocket
from tests.hostile.streamlit_client import ANSWER_SECONDS, StreamlitClient

pytestmark = pytest.mark.slow
LINES_OF_ADDRESS = 3
SEATS = 10
FILE = bytes(1_600_000)
MESSAGE_BYTES = 7_900_000
SETTINGS = {
    TRUSTED: "*",  # as the page of a Space has taught
    SESSIONS.variable: str(SEATS),
    FOLLOWERS_OF_ADDRESS.variable: str(LINES_OF_ADDRESS),
    UPLOADED_BYTES_OF_SESSION.variable: "4000000",
    UPLOADED_BYTES_OF_ADDRESS.variable: "5000000",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server(SETTINGS)
    yield running
    running.stop()


def put(visitor: StreamlitClient, address: str, name: str, data: bytes = FILE) -> int:
    """Send a file of this session, from an address. Returns the status of the answer."""
    place = visitor._ask_for_place(name)
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
    (token,) = (cookie.value or "" for cookie in visitor._cookies if cookie.name == XSRF_COOKIE_NAME)
    headers = {"Content-Type": "multipart/form-data; boundary=x", "X-Xsrftoken": token, "X-Forwarded-For": address}
    body = head.encode() + data + b"\r\n--x--\r\n"
    request = urllib.request.Request(visitor._url + place.upload_url, body, headers, method="PUT")
    try:
        with visitor._http.open(request, timeout=ANSWER_SECONDS) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except urllib.error.URLError:  # The server has answered and closed before all of it was sent.
        return 413


def test_files_that_no_page_opens_are_bounded(server: Server) -> None:
    with StreamlitClient(server.url, "glossary") as one, StreamlitClient(server.url, "glossary") as two:
        statuses = [put(one, "192.0.2.1", f"{number}.png") for number in range(4)]
        assert statuses == [204, 204, 413, 413], "a session has a bound"
        assert put(two, "9.9.9.9, 192.0.2.1", "a.png") == 204
        assert put(two, "8.8.8.8, 192.0.2.1", "b.png") in (413, 429), "and so has its address, whatever it writes"
        assert put(two, "198.51.100.7", "c.png") == 204, "another one is served"
    assert not server.mistakes()


def come_back(server: Server, session: str) -> str:
    """The session that a browser gets whose connection to a session has failed."""
    url = f"{server.url.replace('http', 'ws')}/_stcore/stream"
    with connect(url, subprotocols=["streamlit", "no-token", session]) as line:  # type: ignore[list-item]
        message = BackMsg()
        message.rerun_script.page_script_hash = calc_hash("glossary")
        line.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(bytes(line.recv(ANSWER_SECONDS)))  # type: ignore[arg-type]
            if answer.WhichOneof("type") == "new_session":
                return answer.new_session.initialize.session_id


def test_a_session_whose_connection_fails_is_taken_up_again(server: Server) -> None:
    with StreamlitClient(server.url, "glossary") as visitor:
        before = visitor._session
    assert come_back(server, before) == before
    assert come_back(server, "made-up") != "made-up"


def test_a_false_address_is_no_other_address(server: Server) -> None:
    """The proxy writes the last entry, the visitor all others."""
    with ExitStack() as lines:
        for number in range(LINES_OF_ADDRESS):
            header = f"10.0.0.{number}, 192.0.2.1"
            assert lines.enter_context(RawSocket(server.url, routes.PATH, X_Forwarded_For=header)).status == 101
        for header, status in (("10.0.0.9, 192.0.2.1", 403), ("192.0.2.1, 198.51.100.1", 101)):
            with RawSocket(server.url, routes.PATH, X_Forwarded_For=header) as line:
                assert line.status == status


def test_one_address_cannot_open_all_of_streamlits_sockets(server: Server) -> None:
    """Each is a session, also one that finds no seat."""
    with ExitStack() as lines:
        took = [
            lines.enter_context(RawSocket(server.url, "/_stcore/stream", X_Forwarded_For="192.0.2.1")).status
            for _ in range(2 * SEATS + 3)
        ]
        assert took == [101] * (2 * SEATS) + [403] * 3
        with RawSocket(server.url, "/_stcore/stream", X_Forwarded_For="198.51.100.1") as other:
            assert other.status == 101


def is_hung_up(line: RawSocket, seconds: float = 0.02) -> bool:
    line._socket.settimeout(seconds)
    try:
        return line._socket.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def begin(server: Server, address: str, lines: ExitStack) -> RawSocket:
    """A connection that has sent all of a message but its end."""
    line = lines.enter_context(RawSocket(server.url, "/_stcore/stream", X_Forwarded_For=address))
    line.begin_frame(MESSAGE_BYTES)
    with suppress(ConnectionError):
        line.send_part(bytes(MESSAGE_BYTES - 1))
    return line


def test_messages_that_never_end_are_bounded(server: Server) -> None:
    with ExitStack() as lines:
        many = socket_bytes.MAX_UNFINISHED_BYTES // MESSAGE_BYTES + 3
        begun = [begin(server, "192.0.2.1", lines) for _ in range(many)]
        other = begin(server, "198.51.100.1", lines)
        assert is_hung_up(begun[-1], 20.0)
        assert 1 <= sum(map(is_hung_up, begun)) <= 3
        assert not is_hung_up(other)
    assert not server.mistakes()
