"""The entries of added models, whole and damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model import available, load
from model.errors import DamagedWeights
from model.zoo.added import entries_folder, write_entry
from model.zoo.cards import added_cards
from tests.model.zoo.test_cards import CARD

ENTRY = {**CARD, "name": "a/b@12345678", "place": "/nowhere", "hub": "a/b", "commit": "12345678", "size": 7}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_an_entry_is_found_again() -> None:
    write_entry("a/b@12345678", ENTRY)
    (card,) = added_cards()
    assert (card.name, card.hub, card.size, card.is_added) == ("a/b@12345678", "a/b", 7, True)
    assert card.get == "python -m glassformer add a/b@12345678"
    assert card.state == "not installed"
    assert card in available()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        *(json.dumps({**ENTRY, key: 0.5}).encode() for key in ("name", "place", "size", "kind")),
    ],
)
def test_a_damaged_entry_stops_nobody(content: bytes) -> None:
    write_entry("c/d", ENTRY)
    next(iter(entries_folder().iterdir())).write_bytes(content)
    (card,) = added_cards()
    assert "python -m glassformer remove c--d" in card.fault
    with pytest.raises(DamagedWeights):
        load("c--d")
