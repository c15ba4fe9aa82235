"""A real server as a monitor and a proxy see it: alive, ready, measured, and stopped in order."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pages.shared.server import event_log, health, http_headers
from pages.teach.rooms import routes
from tests.browser.conftest import Server

pytestmark = pytest.mark.slow
SETTINGS = {event_log.LOG: "json", http_headers.METRICS: "1", health.DRAIN: "2"}


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    running = Server(SETTINGS)
    yield running
    running.stop()


def look(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def events(server: Server) -> list[dict[str, object]]:
    return [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]


def test_a_server_lives_is_measured_and_stops_in_order(app: Server) -> None:
    assert look(f"{app.url}/healthz")[0] == 200
    app.wait_until_ready()
    with connect(f"{app.url.replace('http', 'ws')}{routes.PATH}") as line:
        line.send(json.dumps({"key": "no.no"}))
        assert json.loads(line.recv())["end"] is True
    status, text = look(f"{app.url}/metrics")
    assert status == 200
    assert 'glassformer_refusals_total{limit="room"} 1.0' in text
    assert "glassformer_rooms 0.0" in text
    with connect(f"{app.url.replace('http', 'ws')}{routes.PATH}") as silent:
        app._process.terminate()
        deadline = time.monotonic() + 20
        while look(f"{app.url}/readyz")[0] == 200:
            assert time.monotonic() < deadline
        assert json.loads(look(f"{app.url}/readyz")[1]) == {"ready": False, "why": "stopping"}, "it still answers"
        with pytest.raises(ConnectionClosed):
            silent.recv()
    app.end()
    said = events(app)
    assert [each["event"] for each in said] == ["started", "ready", "refused", "stopping", "stopped"]
    assert "no.no" not in json.dumps(said)
