"""How many bytes of uploaded files the server keeps: of one session, of one network and in all.

Streamlit keeps a file from the moment at which it has come, whether a page opens it or not, until its session ends. So
bytes are counted where they arrive, before the first of them is read. They are given back by themselves: what is kept
is looked up in Streamlit's own store each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pages.shared.server.limits import UPLOADED_BYTES, UPLOADED_BYTES_OF_ADDRESS, UPLOADED_BYTES_OF_SESSION
from pages.shared.server.networks import THIS_COMPUTER, site_of
from pages.shared.server.private_parts import runs

MIN_FILE_BYTES = 10_000  # An empty file counts as so many.


class TooManyBytes(Exception):
    """A file that cannot be kept now. `status`: the HTTP status that says so."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Uploads:
    """Counts the bytes of uploaded files, also while a file arrives. Only one thread may use it, such as an event loop.

    `kept` returns the bytes that each session has stored.
    """

    def __init__(self, kept: Callable[[], Mapping[str, int]]) -> None:
        self._kept = kept
        self._sites: dict[str, str] = {}  # session -> where its files came from
        self._coming: dict[object, tuple[str, int]] = {}  # session and bytes of each upload that is on its way

    @contextmanager
    def hold(self, session: str, address: str | None, nbytes: int) -> Iterator[None]:
        """Count the bytes of a file while it comes. Afterwards the store holds it. Raises `TooManyBytes`."""
        site = site_of(address)
        self._check(session, site, nbytes)
        self._sites[session] = site
        upload = object()
        self._coming[upload] = session, nbytes
        try:
            yield
        finally:
            del self._coming[upload]

    def _check(self, session: str, site: str, nbytes: int) -> None:
        taken = dict(self._kept())
        for sender, coming in self._coming.values():
            taken[sender] = taken.get(sender, 0) + coming
        self._sites = {each: self._sites[each] for each in taken if each in self._sites}
        of_session = taken.get(session, 0) + nbytes
        of_site = sum(of for each, of in taken.items() if self._sites.get(each) == site) + nbytes
        if of_session > UPLOADED_BYTES_OF_SESSION.value:
            raise TooManyBytes("Your files are too many. Take one away, or reload the page.", 413)
        if site != THIS_COMPUTER and of_site > UPLOADED_BYTES_OF_ADDRESS.value:
            raise TooManyBytes("Your network has uploaded too many files at once. Try again in a minute.", 429)
        if sum(taken.values()) + nbytes > UPLOADED_BYTES.value:
            raise TooManyBytes("The server keeps too many files now. Try again in a minute.", 429)


def kept_bytes() -> dict[str, int]:
    """The bytes that Streamlit keeps for each session."""
    kept = runs.uploaded_files()
    return {session: sum(max(size, MIN_FILE_BYTES) for size in sizes) for session, sizes in kept.items()}


UPLOADS = Uploads(kept_bytes)
