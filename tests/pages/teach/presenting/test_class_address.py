"""The address of a class: remembered, and drawn as a QR code."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from types import SimpleNamespace

import pytest
import segno

from pages.shared.server import own_address
from pages.shared.server.session_values import of_session
from pages.teach.presenting import class_address
from pages.teach.presenting.class_address import AddressSession
from pages.teach.rooms.room import OpenedRoom

ROOM = OpenedRoom("token", "ABCDEF", "name.key")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    of_session(AddressSession).written = None
    yield
    of_session(AddressSession).written = None


def test_an_address_is_kept_short_and_without_its_last_slash() -> None:
    class_address.keep("https://class.example/app/")
    assert class_address.address() == "https://class.example/app"
    class_address.keep("x" * 10_000)
    assert len(class_address.address()) == class_address.MAX_CHARACTERS


@pytest.mark.parametrize(
    ("kept", "address", "fault"),
    [
        ("http://192.168.1.20:8501", "http://192.168.1.20:8501/follow", ""),
        ("https://class.example/app", "https://class.example/app/follow", ""),
        ("http://localhost:8501", "http://localhost:8501/follow", "only works on this computer"),
        ("http://127.0.0.2:8501", "http://127.0.0.2:8501/follow", "only works on this computer"),
        ("http://[::1]:8501", "http://[::1]:8501/follow", "only works on this computer"),
        ("javascript:alert(1)", "", "no address of the web"),
        ("http://[abc", "", "no address of the web"),
    ],
)
def test_the_join_slide_gets_what_browsers_can_open(kept: str, address: str, fault: str) -> None:
    class_address.keep(kept)
    told = class_address.join_data(ROOM)
    assert (told["address"], bool(told["qr"])) == (address, bool(address))
    assert fault in told["fault"] if fault else told["fault"] == ""


@pytest.mark.parametrize(
    ("url", "proposed"),
    [
        ("http://localhost:8501/lecture", "http://192.168.1.20:8501"),
        ("https://127.0.0.1/lecture", "https://192.168.1.20"),
        ("https://class.example/lecture", "https://class.example"),
        ("http://10.0.0.7:8501/", "http://10.0.0.7:8501"),
        ("", ""),
    ],
)
def test_the_address_of_the_computer_in_its_network_is_proposed(
    url: str, proposed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_address.st, "context", SimpleNamespace(url=url))
    monkeypatch.setattr(own_address, "own_address", lambda: "192.168.1.20")
    assert class_address.address() == proposed
    monkeypatch.setattr(own_address, "own_address", lambda: "")
    assert class_address.address() == (proposed if "192" not in proposed else url.removesuffix("/lecture"))


@pytest.mark.parametrize(
    ("listens", "is_told"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("", False)]
)
def test_a_server_that_listens_to_its_computer_alone_says_so(
    listens: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_address, "own_address", lambda: "192.168.1.20")
    monkeypatch.setattr(own_address.st, "get_option", lambda name: {"server.address": listens}.get(name))
    fault = class_address.find_fault("http://192.168.1.20:8501")
    assert ("listens to this computer alone" in fault, "--server.address 0.0.0.0" in fault) == (is_told, is_told)
    assert class_address.find_fault("https://class.example") == "", "a proxy may stand before it"


def test_a_container_and_a_computer_without_a_network_propose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_address, "CONTAINER_SIGNS", ("/",))
    assert own_address.own_address.__wrapped__() == ""
    monkeypatch.setattr(own_address, "CONTAINER_SIGNS", ())
    monkeypatch.setattr(own_address, "ELSEWHERE", "no address")
    assert own_address.own_address.__wrapped__() == ""
    monkeypatch.setattr(own_address, "ELSEWHERE", "127.0.0.1")
    assert own_address.own_address.__wrapped__() == "", "an address that only this computer knows is none"


def test_the_rows_are_the_modules_of_the_qr_code() -> None:
    link = class_address.link_of("https://class.example", ROOM)
    assert link == "https://class.example/follow#name.key"
    rows, drawn = class_address.qr_rows(link), StringIO()
    segno.make(link, error="m").save(drawn, kind="txt", border=0)
    assert rows == drawn.getvalue().split()
