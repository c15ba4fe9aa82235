"""Many tiles in one body: each as if it had been asked for alone, and no answer without end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from model import Trace, load
from pages.home.tiles import routes
from pages.home.tiles.store import RunStore
from views.map.tiles import many
from views.map.tiles.run import TiledRun

WEIGHTS = "decoder.1.self_attn.weights"
TABLE = "decoder.embed.tokens.weight"


@pytest.fixture(scope="module")
def trace() -> Trace:
    return load("tiny-lm").trace_on_demand("The dog is here")


@pytest.fixture(scope="module")
def client(trace: Trace) -> Iterator[tuple[TestClient, str]]:
    with pytest.MonkeyPatch.context() as patch:
        store = RunStore()
        patch.setattr(routes, "RUNS", store)
        handle = store.handle("run", lambda: TiledRun(trace))
        with TestClient(Starlette(routes=routes.routes())) as made:
            yield made, f"{routes.PATH}/{handle}"


def read(body: bytes) -> list[tuple[dict[str, Any] | None, bytes]]:
    """The entries with the bytes of their tiles, as a browser reads them."""
    length = int.from_bytes(body[:4], "little")
    entries = json.loads(body[4 : 4 + length])
    found = []
    for entry in entries:
        start = 4 + length + entry["at"] if entry and "at" in entry else 0
        count = entry["rows"] * entry["columns"] * np.dtype(entry["type"]).itemsize if start else 0
        assert start % 4 == 0
        found.append((entry, body[start : start + count]))
    return found


def ask(client: tuple[TestClient, str], *addresses: str) -> Any:
    session, root = client
    return session.get(f"{root}/many", params=[("t", address) for address in addresses])


def test_each_tile_is_the_one_that_is_sent_alone(client: tuple[TestClient, str]) -> None:
    session, root = client
    addresses = [f"{WEIGHTS}/2/0/0/0", f"{TABLE}/0/1/1/0", "logits/0/3/0/0", "decoder.0.ffn.hidden/0/0/0/0"]
    answer = ask(client, *addresses)
    for address, (entry, cells) in zip(addresses, read(answer.content), strict=True):
        alone = session.get(f"{root}/{address}")
        assert cells == alone.content
        assert entry is not None
        assert {name: entry[name] for name in ("rows", "columns", "type", "scale")} == json.loads(alone.headers["Tile"])


def test_browsers_keep_it_as_long_as_one_tile(client: tuple[TestClient, str]) -> None:
    answer = ask(client, "logits/0/1/0/0")
    assert answer.headers["Cache-Control"] == routes.FOR_GOOD
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


NO_TILES = [
    "",
    "x",
    "x/0/0/0/0",
    "logits/0/0/0",
    "logits/0/0/0/0/0",
    "logits/-1/0/0/0",
    "logits/0/99/0/0",
    "logits/0/0/9/0",
]


@pytest.mark.parametrize("wrong", NO_TILES)
def test_what_there_is_not_spoils_none_of_the_others(client: tuple[TestClient, str], wrong: str) -> None:
    entries = [entry for entry, _ in read(ask(client, wrong, "logits/0/1/0/0", wrong).content)]
    assert entries[0] is entries[2] is None
    assert entries[1] is not None


@pytest.mark.parametrize("count", [0, many.MAX_ADDRESSES + 1, 500])
def test_none_and_too_many_are_not_found(client: tuple[TestClient, str], count: int) -> None:
    answer = ask(client, *["logits/0/1/0/0"] * count)
    assert (answer.status_code, answer.text) == (404, "Not Found")


def test_a_handle_that_is_none_has_none(client: tuple[TestClient, str]) -> None:
    answer = client[0].get(f"{routes.PATH}/x/many", params={"t": "logits/0/1/0/0"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")


@pytest.mark.parametrize("bound", ["MAX_BYTES", "MAX_SECONDS"])
def test_what_is_too_much_comes_later_and_is_not_kept(
    client: tuple[TestClient, str], bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, bound, 0)
    answer = ask(client, "x/0/0/0/0", "logits/0/1/0/0", f"{WEIGHTS}/0/0/0/0", "x/0/0/0/0")
    entries = [entry for entry, _ in read(answer.content)]
    assert entries[0] is None
    assert entries[1] is not None
    assert "at" in entries[1]
    assert entries[2:] == [many.LATER, many.LATER]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.slow
@given(st.text(max_size=60))
def test_any_text_is_an_address_or_none(text: str) -> None:
    found = routes.read_joined_address(text)
    assert found is None or "/".join(map(str, found)) == text
