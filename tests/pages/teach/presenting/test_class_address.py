"""The address of a class: remembered, and drawn as a QR code."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
import segno
import streamlit as st

from pages.teach.presenting import class_address
from pages.teach.rooms.room import OpenedRoom

ROOM = OpenedRoom("token", "ABCDEF", "name.key")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    st.session_state.pop("_class_address", None)
    yield
    st.session_state.pop("_class_address", None)


def test_an_address_is_kept_short_and_without_its_last_slash() -> None:
    class_address.keep("https://class.example/app/")
    assert class_address.address() == "https://class.example/app"
    class_address.keep("x" * 10_000)
    assert len(class_address.address()) == class_address.MAX_CHARACTERS


@pytest.mark.parametrize(
    ("kept", "address", "only_here"),
    [
        ("http://192.168.1.20:8501", "http://192.168.1.20:8501/follow", False),
        ("http://localhost:8501", "http://localhost:8501/follow", True),
        ("javascript:alert(1)", "", False),
        ("http://[abc", "", False),
    ],
)
def test_the_join_slide_gets_what_browsers_can_open(kept: str, address: str, only_here: bool) -> None:
    class_address.keep(kept)
    told = class_address.join_data(ROOM)
    assert (told["address"], told["onlyHere"], bool(told["qr"])) == (address, only_here, bool(address))


def test_the_rows_are_the_modules_of_the_qr_code() -> None:
    link = class_address.link_of("https://class.example", ROOM)
    assert link == "https://class.example/follow#name.key"
    rows, drawn = class_address.qr_rows(link), StringIO()
    segno.make(link, error="m").save(drawn, kind="txt", border=0)
    assert rows == drawn.getvalue().split()
