"""Which pages may open the sockets and change something: those of the app's own address, with its port."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import config

from pages.shared.server.origins import OwnPagesOnly, is_from_this_app

HERE = "localhost:8501"


def taken(origin: str | None, host: str = HERE, scheme: str = "http") -> bool:
    headers = [(b"host", host.encode())] + ([] if origin is None else [(b"origin", origin.encode())])
    return is_from_this_app({"type": "http", "scheme": scheme, "headers": headers})


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, HERE),
        ("http://localhost:8501", HERE),
        ("http://127.0.0.1:8501", "127.0.0.1:8501"),
        ("http://[::1]:8501", "[::1]:8501"),
        ("http://class.example", "class.example"),
        ("https://class.example", "class.example"),
        ("https://class.example:8443", "class.example:8443"),
    ],
)
def test_own_pages_and_programs_are_taken(origin: str | None, host: str) -> None:
    assert taken(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:3000", HERE),
        ("http://localhost", HERE),
        ("https://localhost", HERE),
        ("http://127.0.0.1:8501", HERE),
        ("http://localhost:8501", "127.0.0.1:8501"),
        ("http://0.0.0.0:8501", HERE),
        ("http://class.example:8080", "class.example"),
        ("https://evil.example", "class.example"),
        ("http://localhost:8501.evil.example", HERE),
        ("http://localhost:8501@evil.example", HERE),
        ("file://", HERE),
        ("null", HERE),
        ("", HERE),
        ("http://[", HERE),
        ("http://localhost:99999", HERE),
        ("ftp://localhost:8501", HERE),
        ("http://localhost:8501", "["),
    ],
)
def test_all_others_are_refused(origin: str, host: str) -> None:
    assert not taken(origin, host)


def test_by_tls_a_page_that_came_without_is_another() -> None:
    assert taken("https://class.example", "class.example", "wss")
    assert not taken("http://class.example", "class.example", "wss")


def test_settings_of_streamlit_still_count(monkeypatch: pytest.MonkeyPatch) -> None:
    set_option(
        monkeypatch, "server.corsAllowedOrigins", ["https://lms.example", "http://localhost:3000", "inner.example"]
    )
    assert taken("https://lms.example")
    assert not taken("https://lms.example:444")
    assert not taken("http://lms.example")
    assert taken("http://localhost:3000")
    assert not taken("http://localhost:3001")
    assert taken("http://inner.example:99")
    set_option(monkeypatch, "server.allowedHosts", ["class.example"])
    assert not taken("http://localhost:8501")
    set_option(monkeypatch, "server.allowedHosts", [])
    set_option(monkeypatch, "server.enableCORS", False)
    assert taken("https://evil.example")


def set_option(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    real = config.get_option
    monkeypatch.setattr(config, "get_option", lambda key: value if key == name else real(key))


async def answer(_: object) -> PlainTextResponse:
    return PlainTextResponse("done")


async def take(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


@pytest.fixture
def browser() -> TestClient:
    routes = [Route("/it", answer, methods=["GET", "PUT", "POST", "DELETE"]), WebSocketRoute("/line", take)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(OwnPagesOnly)]), base_url=f"http://{HERE}")


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_a_request_that_changes_something_is_refused(browser: TestClient, method: str) -> None:
    assert browser.request(method, "/it", headers={"Origin": "http://localhost:3000"}).status_code == 403
    assert browser.request(method, "/it", headers={"Origin": f"http://{HERE}"}).text == "done"
    assert browser.get("/it", headers={"Origin": "http://localhost:3000"}).text == "done"


def test_a_socket_is_refused(browser: TestClient) -> None:
    with browser.websocket_connect("/line", headers={"Origin": f"http://{HERE}", "Host": HERE}):
        pass
    with (
        pytest.raises(WebSocketDisconnect),
        browser.websocket_connect("/line", headers={"Origin": "http://localhost:3000", "Host": HERE}),
    ):
        pass
