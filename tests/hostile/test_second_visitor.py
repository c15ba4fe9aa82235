"""While a stranger attacks the running server, again and again, another visitor is served within two seconds.

The limits of uploads are lifted, so only the readers of the files stand between the stranger and the server. The
visitor speaks to Streamlit's socket, since a browser of its own takes longer than the server does.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

import psutil
import pytest

from pages.teach.rooms import routes
from tests.browser.conftest import Server
from tests.hostile.pictures import animated_webp, encode, jpeg_of_scans, plain, png
from tests.hostile.raw_sockets import RawSocket
from tests.hostile.streamlit_client import ANSWER_SECONDS, StreamlitClient

pytestmark = pytest.mark.slow

SERVED_SECONDS = 20.0  # 2 are promised; this machine may have other work
MAX_GROWTH_BYTES = 400_000_000  # of the server, two slow decoders and two quick ones
MEASURE_SECONDS = 0.1
MEGABYTE = 1_000_000
TOO_BIG = 1009  # the code of RFC 6455, 7.4.1
SILENT = 100  # connections
PARTS = 32_000  # of a key in a lecture file
SCANS = 3_000
UNLIMITED = {f"GLASSFORMER_MAX_UPLOADS_{who}": "1000000" for who in ("A_SESSION", "AN_ADDRESS")}
SEE = {"see_model": "digits-vit", "see_source": "upload", "see_part": "patches"}
DOTTED = "format = 1\na" + ".a" * PARTS + " = 1"

Deed = Callable[[Callable[[], None]], None]  # It calls its argument once the server has the attack.


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that has loaded the models of these tests."""
    running = Server(UNLIMITED)
    try:
        visit(running)
        read_own_picture(running)
        yield running
    finally:
        running.stop()


def visit(server: Server) -> float:
    """The seconds until a new visitor has the app, and its page with all its elements."""
    began = time.monotonic()
    with urllib.request.urlopen(f"{server.url}/", timeout=ANSWER_SECONDS) as answer:
        assert answer.status == 200
    with StreamlitClient(server.url, "heads", model="tiny-lm"):
        return time.monotonic() - began


def read_own_picture(server: Server) -> float:
    """The seconds until a visitor's own picture is read."""
    with StreamlitClient(server.url, "see", **SEE) as visitor:
        began = time.monotonic()
        assert visitor.upload("mine.png", encode(plain(400, 300), "PNG")) == []
        return time.monotonic() - began


@contextmanager
def attack(*deeds: Deed) -> Iterator[None]:
    """Strangers do these deeds again and again while the `with` lasts. It begins once the server has each of them."""
    over = threading.Event()

    def go_on(deed: Deed, begun: threading.Event) -> None:
        try:
            while not over.is_set():
                deed(begun.set)
        finally:
            begun.set()  # also if it fails, so that nobody waits for it

    with ThreadPoolExecutor(len(deeds)) as strangers:
        begins = [threading.Event() for _ in deeds]
        ends = [strangers.submit(go_on, deed, begun) for deed, begun in zip(deeds, begins, strict=True)]
        try:
            for begun in begins:
                begun.wait()
            yield
        finally:
            over.set()
        for end in ends:
            end.result()


@contextmanager
def bounded_memory(server: Server) -> Iterator[None]:
    """The server and its decoders together take no more than this while the `with` lasts."""
    process, over = psutil.Process(server.pid), threading.Event()
    before = memory_of(process)

    def peak() -> int:
        most = before
        while not over.wait(MEASURE_SECONDS):
            most = max(most, memory_of(process))
        return most

    with ThreadPoolExecutor(1) as pool:
        measured = pool.submit(peak)
        try:
            yield
        finally:
            over.set()
        grown = measured.result() - before
    assert grown < MAX_GROWTH_BYTES, f"{grown / 1e6:.0f} MB more"


def memory_of(process: psutil.Process) -> int:
    taken = 0
    for each in (process, *process.children(recursive=True)):
        try:
            taken += each.memory_info().rss
        except psutil.NoSuchProcess:  # a decoder that has just ended
            continue
    return taken


# -- lecture files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["upload", "storage"])
def test_a_lecture_of_one_key_with_many_parts(server: Server, way: str) -> None:
    def deed(sent: Callable[[], None]) -> None:
        says = stranger.upload("a.toml", DOTTED.encode(), sent) if way == "upload" else stranger.restore(DOTTED, sent)
        assert any("a key has more than 3 parts" in text for text in says), says

    with StreamlitClient(server.url, "lecture") as stranger, bounded_memory(server), attack(deed):
        assert visit(server) < SERVED_SECONDS
    assert not server.mistakes()


# -- pictures ----------------------------------------------------------------------------------------------------------

PICTURES = {
    "a JPEG of 3,000 scans": lambda: [jpeg_of_scans(2000, 1600, SCANS)],
    "the largest of their kinds": lambda: [
        *[png(5000, 4990, 16, 6, channels=4)] * 2,
        animated_webp(2500, 2495, lossless=True),
    ],
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_that_take_long_or_much(server: Server, name: str) -> None:
    """The visitor's own picture is read within the same time."""
    with ExitStack() as stack:
        deeds = []
        for picture in PICTURES[name]():
            stranger = stack.enter_context(StreamlitClient(server.url, "see", **SEE))
            deeds.append(lambda sent, stranger=stranger, picture=picture: stranger.upload("a.png", picture, sent))
        with bounded_memory(server), attack(*deeds):
            assert visit(server) < SERVED_SECONDS
            assert read_own_picture(server) < SERVED_SECONDS
    assert not server.mistakes()


# -- sockets -----------------------------------------------------------------------------------------------------------


def send_frames(url: str, count: int, length: int, kept_back: int, sent: Callable[[], None]) -> None:
    """Frames at once, each but its last bytes, as fast as the server takes them. The server hangs up."""
    with ExitStack() as stack:
        lines = [stack.enter_context(RawSocket(url, routes.PATH)) for _ in range(count)]
        for line in lines:
            line.begin_frame(length)
        sent()
        for line in lines:
            with suppress(ConnectionError):
                for _ in range((length - kept_back) // MEGABYTE):
                    line.send_part(bytes(MEGABYTE))
            with suppress(ConnectionError):  # what was sent in vain can take the reason away
                assert line.close_code() == TOO_BIG


SOCKETS: dict[str, Callable[[str, Callable[[], None]], None]] = {
    "whole frames of 40 MB": lambda url, sent: send_frames(url, 2, 40 * MEGABYTE, 0, sent),
    "12 unfinished frames of 60 MB": lambda url, sent: send_frames(url, 12, 60 * MEGABYTE, MEGABYTE, sent),
}


@pytest.mark.parametrize("name", SOCKETS)
def test_frames_that_are_too_long(server: Server, name: str) -> None:
    with bounded_memory(server), attack(partial(SOCKETS[name], server.url)):
        assert_class_is_served(server)
    assert not server.mistakes()


def test_connections_without_a_hello(server: Server) -> None:
    """When they are closed: test_room_sockets.py."""
    with bounded_memory(server), ExitStack() as stack:
        for _ in range(SILENT):
            stack.enter_context(RawSocket(server.url, routes.PATH))
        assert_class_is_served(server)
    assert not server.mistakes()


def assert_class_is_served(server: Server) -> None:
    assert visit(server) < SERVED_SECONDS
    began = time.monotonic()
    with RawSocket(server.url, routes.PATH) as student:
        student.send(b"{}")
        assert json.loads(student.receive()[1])["end"]
    assert time.monotonic() - began < SERVED_SECONDS
