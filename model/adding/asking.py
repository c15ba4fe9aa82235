"""Questions to the hub, whose answers are bounded: in bytes, in time, and in where they lead.

A hub, or the mirror that HF_ENDPOINT names, may lie. An answer that is longer than was asked for ends there; one that
is packed is not opened; a redirect leads to the hub itself or to a public host, and the reader's token stays behind.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from socket import SHUT_RDWR, SOCK_STREAM, getaddrinfo, socket
from threading import Lock, Timer
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from huggingface_hub import constants
from huggingface_hub.errors import HTTPError
from huggingface_hub.utils import build_hf_headers, get_session

from model.numerals import file_size

MAX_REDIRECTS = 5
MAX_URL_CHARACTERS = 8192  # addresses of files that are signed have a thousand
LOOK_BYTES, LOOK_SECONDS = 96_000_000, 180.0  # that all answers to one look take together
PACE_BYTES, PACE_SECONDS = 100_000, 60.0  # a download that brings less in this time has broken off
ADDRESS = re.compile(r"https?://[!-\[\]-~]+")  # no blank, and no backslash, which some read as a slash
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
# Programs that lead all names through a proxy make up such addresses for them. No host has one.
MADE_UP = ip_network("198.18.0.0/15")
PORTS = {"http": 80, "https": 443}


class WrongAnswer(Exception):
    """The hub's answer cannot be right. The text says what is wrong with it."""


class BrokenOff(WrongAnswer):
    """The hub's answer ends too early, or brings too little in its time."""


class Refused(Exception):
    """The hub answered with another status than 200 or 206. `code` is its own word for the reason."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status, self.code = status, code


class Watch:
    """Ends a connection that brings too little in time, wherever it waits: in a header, in the body, in a handshake.

    Used in a `with`. The timeout of the client does not do it: it begins again with each byte.
    """

    def __init__(self, seconds: float) -> None:
        self._sockets: list[socket] = []
        self._lock = Lock()
        self.has_ended = False
        self.renew(seconds)

    def renew(self, seconds: float) -> None:
        """Wait so long from now on."""
        self._ends = time.monotonic() + seconds

    def see(self, event: str, info: dict[str, Any]) -> None:
        """Keep each socket that the client opens; its `trace` calls this."""
        if event.endswith("connect_tcp.complete"):
            opened = info["return_value"].get_extra_info("socket").dup()  # TLS takes the socket itself away
            with self._lock:
                self._sockets.append(opened)
            if self.has_ended:
                self._end()

    def __enter__(self) -> Watch:
        self._arm()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            for each in self._sockets:
                each.close()
            self._sockets.clear()

    def _arm(self) -> None:
        self._timer = Timer(max(self._ends - time.monotonic(), 0.0), self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        if time.monotonic() < self._ends:
            self._arm()
            return
        self.has_ended = True
        self._end()

    def _end(self) -> None:
        with self._lock:
            for each in self._sockets:
                with suppress(OSError):
                    each.shutdown(SHUT_RDWR)


@dataclass
class Budget:
    """What all answers to one look may have together. Threads share it."""

    bytes_left: int = field(default_factory=lambda: LOOK_BYTES)
    ends: float = field(default_factory=lambda: time.monotonic() + LOOK_SECONDS)
    lock: Lock = field(default_factory=Lock)

    def take(self, count: int) -> None:
        with self.lock:
            self.bytes_left -= count
            if self.bytes_left < 0:
                raise WrongAnswer(f"its answers have more than {file_size(LOOK_BYTES)} together")

    @property
    def seconds(self) -> float:
        return max(self.ends - time.monotonic(), 0.001)


@dataclass(frozen=True)
class Answer:
    """An answer that has begun. `starts` is the place of its first byte in the file."""

    starts: int
    chunks: Iterator[bytes]


def ask(url: str, budget: Budget, most: int, first: int | None = None) -> bytes:
    """A whole answer of at most `most` bytes; or, with `first`, the `most` bytes of a file from there on.

    Raises `WrongAnswer`, `Refused`, and the client's `HTTPError`.
    """
    headers = {} if first is None else {"Range": f"bytes={first}-{first + most - 1}"}
    parts, held = [], 0
    with Watch(budget.seconds) as watch, opened(url, watch, headers) as answer:
        if first is not None and answer.starts != first:
            raise WrongAnswer("it sends other bytes of a file than it was asked for")
        for chunk in answer.chunks:
            budget.take(len(chunk))
            parts.append(chunk)
            held += len(chunk)
            if held >= most + (first is None):
                break
    if held > most and first is None:
        raise WrongAnswer(f"it sends more than the {most:,} bytes that are taken of it")
    return b"".join(parts)[:most]


@contextmanager
def opened(url: str, watch: Watch, headers: dict[str, str]) -> Iterator[Answer]:
    """The answer to a question, once its header is here. Raises as `ask` does."""
    if not _is_of_hub(url):
        raise WrongAnswer(f"HF_ENDPOINT is {constants.ENDPOINT[:80]!r}, which is no address of a hub")
    session, has_begun = get_session(), False
    own = {"Accept-Encoding": "identity", "Connection": "close"} | headers
    try:
        for _ in range(MAX_REDIRECTS + 1):
            sent = own | (build_hf_headers() if _is_of_hub(url) else {})
            request = session.build_request(
                "GET", url, headers=sent, timeout=constants.HF_HUB_DOWNLOAD_TIMEOUT, extensions={"trace": watch.see}
            )
            session.cookies.clear()
            response = session.send(request, stream=True, follow_redirects=False)
            try:
                if (location := response.headers.get("Location")) and response.status_code // 100 == 3:
                    url = check_address(urljoin(url, location))
                    continue
                if response.status_code not in (200, 206):
                    raise Refused(response.status_code, response.headers.get("X-Error-Code", ""))
                if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                    raise WrongAnswer("it sends packed bytes, though plain ones were asked for")
                has_begun = True
                yield Answer(_start_of(response), response.iter_raw())
                if watch.has_ended:  # an answer of no stated length ends with its connection
                    raise BrokenOff("it answers too slowly")
                return
            finally:
                response.close()
        raise WrongAnswer("it sends from one address to the next without an end")
    except (HTTPError, OSError) as error:
        if watch.has_ended:
            raise BrokenOff("it answers too slowly") from error
        if has_begun and isinstance(error, HTTPError):
            raise BrokenOff("it ends too early") from error
        raise


def check_address(url: str) -> str:
    """An address that the hub may send to: its own, or one of a public host by https. Raises `WrongAnswer`."""
    if _is_of_hub(url):
        return url
    parts = _split(url)
    if parts is None:
        raise WrongAnswer("it sends to an impossible address")
    if parts.scheme != "https" or not _is_public(parts.hostname or ""):
        place = f"{parts.scheme}://{parts.netloc[:80]}"
        raise WrongAnswer(f"it sends to {place}, which is neither its own nor public and by https")
    return url


def _split(url: str) -> SplitResult | None:
    """The parts of an address that every client reads alike; None for any other."""
    if len(url) > MAX_URL_CHARACTERS or not ADDRESS.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        is_sound = parts.port != 0 and HOST.fullmatch(parts.hostname or "")
    except ValueError:
        return None
    return parts if is_sound else None


def _is_of_hub(url: str) -> bool:
    parts, hub = _split(url), _split(constants.ENDPOINT)
    return parts is not None and hub is not None and _origin(parts) == _origin(hub)


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    return parts.scheme, parts.hostname or "", parts.port or PORTS.get(parts.scheme)


def _is_public(host: str) -> bool:
    """Whether a host is none of this machine's or of its network's. A name that only a proxy knows passes."""
    try:
        found = {str(each[4][0]).partition("%")[0] for each in getaddrinfo(host, None, type=SOCK_STREAM)}
    except (OSError, UnicodeError):
        return True
    addresses = (ip_address(each) for each in found)
    plain = ((each.ipv4_mapped or each) if isinstance(each, IPv6Address) else each for each in addresses)
    return all((each.is_global and not each.is_multicast) or (each in MADE_UP and host not in found) for each in plain)


def _start_of(response: Any) -> int:
    """The place of an answer's first byte. Raises `WrongAnswer`."""
    if response.status_code != 206:
        return 0
    found = re.match(r"bytes (\d{1,18})-", response.headers.get("Content-Range", ""))
    if found is None:
        raise WrongAnswer("it does not say which bytes of a file it sends")
    return int(found[1])
