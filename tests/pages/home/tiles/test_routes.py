"""The route of tiles: what it sends, what it keeps to itself, and that many are served at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from model import Trace, load
from model.errors import DeviceFull
from pages.home.tiles import routes
from pages.home.tiles.store import RunStore
from pages.home.tiles.turns import TooManyWaiting
from tests.own_loop import run_in_own_loop
from views.map.tiles.run import TiledRun
from viz.shared.tiles import SHARES, scale_codes

TEXT = "The dog is here"
WEIGHTS = "decoder.1.self_attn.weights"
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def trace() -> Trace:
    return load("tiny-lm").trace_on_demand(TEXT)


@pytest.fixture(scope="module")
def store(trace: Trace) -> Iterator[RunStore]:
    with pytest.MonkeyPatch.context() as patch:
        kept = RunStore(max_runs=3)
        patch.setattr(routes, "RUNS", kept)
        yield kept


@pytest.fixture(scope="module")
def client(store: RunStore) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes.routes("/app/"))) as made:
        yield made


@pytest.fixture
def handle(store: RunStore, trace: Trace) -> str:
    return store.handle(TEXT, lambda: TiledRun(trace))


def get(client: TestClient, *path: object, **headers: str) -> Any:
    address = "/".join(quote(str(part), safe="") for part in path)
    return client.get(f"/app{routes.PATH}/{address}", headers=headers)


def test_a_full_tile_is_the_tensor_to_the_bit(client: TestClient, handle: str, trace: Trace) -> None:
    answer = get(client, handle, WEIGHTS, 2, 0, 0, 0)
    facts = json.loads(answer.headers["Tile"])
    assert facts == {
        "rows": len(trace.tokens),
        "columns": len(trace.tokens),
        "type": "float32",
        "scale": {"kind": "sequential", "low": 0.0, "high": 1.0},
    }
    found = np.frombuffer(answer.content, "<f4").reshape(facts["rows"], facts["columns"])
    np.testing.assert_array_equal(found, trace[WEIGHTS][2].numpy())


def test_a_reduced_tile_has_codes_of_the_scale(client: TestClient, handle: str, trace: Trace) -> None:
    answer = get(client, handle, "logits", 0, 1, 0, 0)
    facts = json.loads(answer.headers["Tile"])
    assert facts["type"] == "uint8"
    assert len(answer.content) == facts["rows"] * facts["columns"]
    assert facts["scale"]["low"] == -facts["scale"]["high"]
    full = json.loads(get(client, handle, "logits", 0, 0, 0, 0).headers["Tile"])
    assert full["scale"] == facts["scale"]
    assert scale_codes(np.ones(1, np.float32), SHARES).dtype.name == facts["type"]


def test_browsers_may_keep_tiles_and_nobody_else_may(client: TestClient, handle: str) -> None:
    for path in ((handle,), (handle, WEIGHTS, 0, 0, 0, 0)):
        headers = get(client, *path).headers
        assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Vary"] == "Accept-Encoding"


def test_bytes_are_packed_only_for_who_can_unpack_them(client: TestClient, handle: str) -> None:
    address = (handle, "decoder.embed.tokens.weight", 0, 0, 0, 0)
    packed, plain = get(client, *address), get(client, *address, **PLAIN)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
    assert packed.content == plain.content


def test_the_description_names_what_there_is_and_not_the_sentence(client: TestClient, handle: str) -> None:
    answer = get(client, handle)
    assert answer.headers["Content-Type"] == "application/json"
    found = answer.json()
    assert [WEIGHTS, "{stack}.{layer}.{attn}.weights"] in [entry[:2] for entry in found["tensors"]]
    assert "dog" in TEXT
    assert "dog" not in answer.text
    for name, _, _, levels in [found["tensors"][-1], found["weights"][0]]:
        assert get(client, handle, name, 0, levels - 1, 0, 0).status_code == 200
        assert get(client, handle, name, 0, levels, 0, 0).status_code == 404


BAD_NUMBERS = ["-1", "+1", "1.0", "1e3", "01", "1_0", " 1", "x", "٣", "²", "9" * 30, "999999999", "%00", "0x1", "inf"]
BAD = [
    *((WEIGHTS, *(bad if place == here else 0 for place in range(4))) for bad in BAD_NUMBERS for here in range(4)),
    *(
        (name, 0, 0, 0, 0)
        for name in ("weights", "لوجیت", "../../etc/passwd", "__class__", "x" * 5000, "logits\0", "*")
    ),
]


def refused(answer: Any) -> None:
    assert (answer.status_code, answer.text) == (404, "Not Found")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Tile" not in answer.headers


@pytest.mark.parametrize("address", BAD, ids=lambda address: ascii(address)[:60])
def test_what_there_is_not_is_one_plain_answer(client: TestClient, handle: str, address: tuple[object, ...]) -> None:
    refused(get(client, handle, *address))


@pytest.mark.parametrize("wrong", ["", "x", "ے", "0" * 32, "a" * 5000, "..", "\0"])
def test_a_handle_that_is_none_is_the_same_answer(client: TestClient, handle: str, wrong: str) -> None:
    for changed in (wrong, handle + wrong + "x", handle[:-1], handle.swapcase()):
        if changed not in ("", ".."):  # the former is another address, and clients resolve the latter
            refused(get(client, changed))
            refused(get(client, changed, WEIGHTS, 0, 0, 0, 0))


ANY = st.text(st.characters(codec="utf-8"), max_size=40).filter(lambda text: "/" not in text and text.strip("."))


@given(ANY, ANY, ANY)
def test_any_text_is_an_address_or_none(tensor: str, number: str, level: str) -> None:
    values = {"tensor": tensor, "matrix": number, "level": level, "row": "0", "column": "12"}
    found = routes.read_address(values)
    if found is not None:
        assert [str(part) for part in found] == [tensor, number, level, "0", "12"]


@pytest.mark.parametrize("path", ["", "a/b", "a/b/0/0/0", "a/b/0/0/0/0/0", "/", "a//b/0/0/0/0"])
def test_an_address_of_another_form_is_the_same_answer(client: TestClient, path: str) -> None:
    refused(client.get(f"/app{routes.PATH}/{path}"))


def test_a_handle_dies_with_its_run(client: TestClient, store: RunStore, handle: str, trace: Trace) -> None:
    assert get(client, handle, WEIGHTS, 0, 0, 0, 0).status_code == 200
    for other in range(3):
        store.handle(other, lambda: TiledRun(trace))
    refused(get(client, handle))
    refused(get(client, handle, WEIGHTS, 0, 0, 0, 0))
    new = store.handle(TEXT, lambda: TiledRun(trace))  # as the page does when the browser asks it
    assert new != handle
    assert get(client, new, WEIGHTS, 0, 0, 0, 0).status_code == 200


def test_only_reading_is_allowed(client: TestClient, handle: str) -> None:
    address = f"/app{routes.PATH}/{handle}"
    assert client.post(address).status_code == client.delete(f"{address}/logits/0/0/0/0").status_code == 405
    assert client.head(address).content == b""


@pytest.mark.slow
def test_a_store_that_is_furiously_asked_stays_within_its_bounds(client: TestClient, trace: Trace) -> None:
    model = load("tiny-lm")
    runs = [TiledRun(model.trace_on_demand(f"{TEXT} {word}", max_bytes=10**7)) for word in ("now", "and", "today")]
    kept = RunStore(max_bytes=sum(run.nbytes for run in runs) + 400_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes, "RUNS", kept)
        handles = [kept.handle(number, lambda run=run: run) for number, run in enumerate(runs)]
        statuses = set()
        for name in trace.tensors:
            for handle in handles:
                statuses.add(get(client, handle, name, 0, 0, 0, 0).status_code)
                assert kept.nbytes <= sum(run.nbytes for run in runs)
                assert kept.nbytes <= kept._max_bytes
    assert statuses == {200, 404}
    assert len(kept) < 3


class Held:
    """In the place of a run: its tiles are made when the test says so."""

    nbytes, weight_bytes = 1, {}

    def __init__(self) -> None:
        self.gate, self.lock = threading.Event(), threading.Lock()
        self.now = self.most = 0

    def describe(self) -> dict[str, Any]:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        assert self.gate.wait(30)
        with self.lock:
            self.now -= 1
        return {}


def test_a_few_tiles_are_made_at_once_and_all_are_served(client: TestClient, store: RunStore) -> None:
    held = Held()
    handle = store.handle("held", lambda: held)
    with ThreadPoolExecutor(12) as pool:
        answers = [pool.submit(get, client, handle) for _ in range(12)]
        pool.submit(held.gate.set)
        held.gate.set()
        assert [answer.result().status_code for answer in answers] == [200] * 12
    assert 1 <= held.most <= routes.TILES_AT_ONCE


def test_ten_clients_at_once_get_what_each_asked_for(client: TestClient, handle: str, trace: Trace) -> None:
    def ask(number: int) -> bool:
        answer = get(client, handle, WEIGHTS, number % 4, 0, 0, 0)
        return answer.content == trace[WEIGHTS][number % 4].numpy().tobytes()

    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(ask, range(60)))


def test_nothing_is_made_for_who_has_left(store: RunStore) -> None:
    """A reader who zooms on takes back the requests that still wait."""
    held = Held()
    handle = store.handle("left", lambda: held)
    sent: list[Any] = []

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": f"{routes.PATH}/{handle}", "headers": [], "query_string": b""}

    async def ask() -> None:
        await Starlette(routes=routes.routes())({**scope, "client": None}, receive, send)  # type: ignore[arg-type]

    run_in_own_loop(ask())
    assert held.most == 0
    assert sent[0]["status"] == 404


@pytest.mark.parametrize("error", [TooManyWaiting(), DeviceFull("The GPU is full.")])
def test_a_server_that_is_too_busy_says_when_to_come_again(
    client: TestClient, store: RunStore, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held()
    handle = store.handle(str(error), lambda: held)

    def fail() -> None:
        raise error

    monkeypatch.setattr(held, "describe", fail)
    answer = get(client, handle)
    assert (answer.status_code, answer.text, answer.headers["Retry-After"]) == (503, "Too busy", "1")
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_server_has_the_route() -> None:
    import serve

    paths = [getattr(route, "path", "") for route in serve.app._user_routes]
    assert "/tiles/{handle}" in paths
    assert "/tiles/{handle}/{tensor}/{matrix}/{level}/{row}/{column}" in paths
