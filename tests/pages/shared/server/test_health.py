"""Whether the server may be sent readers, and how it stops."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.shared.server import health, metrics
from pages.shared.server.health import DrainSettingError, Lifecycle
from tests.own_loop import run_in_own_loop


@pytest.fixture
def lifecycle(monkeypatch: pytest.MonkeyPatch) -> Lifecycle:
    fresh = Lifecycle()
    monkeypatch.setattr(health, "LIFECYCLE", fresh)
    return fresh


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=health.routes("/base")))


async def tell_nobody() -> None:
    pass


def test_a_process_is_ready_from_its_preparation_to_its_stop(lifecycle: Lifecycle, client: TestClient) -> None:
    assert client.get("/base/readyz").json() == {"ready": False, "why": "preparing"}
    lifecycle.note_prepared()
    assert (client.get("/base/readyz").status_code, client.get("/base/readyz").json()) == (200, {"ready": True})
    run_in_own_loop(lifecycle.stop(tell_nobody))
    answer = client.get("/base/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "stopping"})
    assert client.get("/base/healthz").json() == {"alive": True}, "it lives until it is gone"


def test_a_server_without_models_is_not_ready(
    lifecycle: Lifecycle, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    lifecycle.note_prepared()
    monkeypatch.setattr(health, "available", lambda: ())
    assert client.get("/base/readyz").status_code == 503


def test_metrics_are_in_the_format_of_prometheus(client: TestClient) -> None:
    metrics.RUNS.inc(0)
    answer = client.get("/base/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    for name in ("runs_total", "stage_seconds", "cache_bytes", "rooms", "followers", "refusals"):
        assert f"# TYPE glassformer_{name.removesuffix('_total')}" in answer.text


def test_a_stop_says_so_then_waits_then_tells(lifecycle: Lifecycle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(health.DRAIN, "60")
    heard: list[bool] = []
    looks = iter([False, False, True])  # somebody presses Ctrl+C again

    async def tell() -> None:
        heard.append(lifecycle.is_stopping)

    run_in_own_loop(lifecycle.stop(tell, lambda: next(looks)))
    assert heard == [True]
    assert next(looks, None) is None


@pytest.mark.parametrize("text", ["-1", "1.5", "soon", "301", "٣"])
def test_an_impossible_drain_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(health.DRAIN, text)
    with pytest.raises(DrainSettingError, match="0 to 300"):
        health.drain_seconds()
