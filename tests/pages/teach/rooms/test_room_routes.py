"""The WebSocket between browsers and rooms, spoken to as a browser would, and as none should."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from pages.teach.rooms import routes
from pages.teach.rooms.room import Hub
from pages.teach.rooms.room_lines import RoomLines

Connect = Callable[..., WebSocketTestSession]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    fresh = Hub()
    monkeypatch.setattr(routes, "HUB", fresh)
    return fresh


@pytest.fixture
def browser(hub: Hub) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes.routes("/base/"))) as client:
        yield client


def join(browser: TestClient, **hello: str) -> WebSocketTestSession:
    return browser.websocket_connect(f"/base{routes.PATH}")


def until(line: WebSocketTestSession, key: str) -> dict[str, object]:
    """The first message that says something of `key`."""
    while True:
        message = line.receive_json()
        if key in message:
            return message


def closed(line: WebSocketTestSession) -> int:
    """The code with which the server closes, after whatever it still says."""
    try:
        while True:
            line.receive_text()
    except WebSocketDisconnect as end:
        return end.code


def test_a_student_is_told_where_the_presenter_is_and_goes(hub: Hub, browser: TestClient) -> None:
    opened = hub.open("Dr. A")
    hub.step(opened.token, "heads", {"text": "میں ایک روبوٹ ہوں"})
    with join(browser) as line:
        line.send_json({"key": opened.key})
        assert until(line, "presenter") == {"presenter": "Dr. A", "here": False}
        assert until(line, "page") == {"page": "heads", "view": {"text": "میں ایک روبوٹ ہوں"}}
        hub.step(opened.token, "masks", {})
        assert until(line, "page") == {"page": "masks", "view": {}}
        hub.close(opened.token)
        assert until(line, "end") == {"end": True}
        assert closed(line) == routes.ENDED


def test_a_browser_is_told_in_a_silence_that_the_line_is_good(
    hub: Hub, browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "BEAT_SECONDS", 0.01)
    opened = hub.open("A")
    with join(browser) as line:
        line.send_json({"key": opened.key})
        assert until(line, "beat") == {"beat": True}
        hub.step(opened.token, "masks", {})
        assert until(line, "page") == {"page": "masks", "view": {}}


def test_the_presenter_is_told_who_follows_and_shines(hub: Hub, browser: TestClient) -> None:
    opened = hub.open("A")
    with join(browser) as desk, join(browser) as student:
        desk.send_json({"token": opened.token})
        assert until(desk, "followers") == {"followers": 0}
        student.send_json({"key": opened.key})
        assert until(desk, "followers") == {"followers": 1}
        desk.send_json({"spot": ["st-key-x", "cell 0 1 2", 0.25, 7]})
        assert until(student, "spot") == {"spot": ["st-key-x", "cell 0 1 2", 0.25, 1.0]}
        desk.send_json({"scroll": ["#4", "", 0, 0.5]})
        assert until(student, "scroll") == {"scroll": ["#4", "", 0.0, 0.5]}
        desk.send_json({"spot": None})
        assert until(student, "spot") == {"spot": None}
        student.close()
        assert until(desk, "followers") == {"followers": 0}


def test_a_presenter_who_drops_out_is_missed_and_welcome_back(hub: Hub, browser: TestClient) -> None:
    opened = hub.open("A")
    with join(browser) as student:
        with join(browser) as desk:
            desk.send_json({"token": opened.token})
            until(desk, "followers")
            student.send_json({"key": opened.key})
            assert until(student, "presenter")["here"] is True
        assert until(student, "presenter")["here"] is False
        with join(browser) as desk:
            desk.send_json({"token": opened.token})
            assert until(student, "presenter")["here"] is True


@pytest.mark.parametrize(
    "hello",
    ['{"key": "no.no"}', '{"token": "no.no"}', "{}", "[]", "1", "no json", '{"key": 3}', "[" * 400, "x" * 10_000],
)
def test_a_wrong_hello_is_told_so_and_hung_up(hub: Hub, browser: TestClient, hello: str) -> None:
    hub.open("A")
    with join(browser) as line:
        line.send_text(hello)
        message = line.receive_json()
        assert message["end"] is True
        assert "not" in message["why"]
        assert closed(line) == routes.ENDED


def test_after_a_restart_browsers_wait_for_the_presenter(hub: Hub, browser: TestClient) -> None:
    opened = Hub().open("A")  # by the server before
    for hello in ({"key": opened.key}, {"token": opened.token}):
        with join(browser) as line:
            line.send_json(hello)
            assert "restarted" in str(until(line, "wait")["wait"])
            assert closed(line) == routes.AWAITED
    hub.reopen(opened.token)
    with join(browser) as line:
        line.send_json({"key": opened.key})
        assert until(line, "presenter") == {"presenter": "A", "here": False}


def test_a_server_that_stops_tells_all_and_hangs_up(
    hub: Hub, browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = RoomLines()
    monkeypatch.setattr(routes, "LINES", lines)
    opened = hub.open("A")
    with join(browser) as desk, join(browser) as student:
        for line, hello in ((desk, {"token": opened.token}), (student, {"key": opened.key})):
            line.send_json(hello)
        until(desk, "followers"), until(student, "presenter")
        assert browser.portal is not None
        browser.portal.call(lines.tell_of_stop)
        for line in (desk, student):
            assert "comes back by itself" in str(until(line, "wait")["wait"])
            assert closed(line) == routes.AWAITED
    with join(browser) as late:
        late.send_json({"key": opened.key})
        assert closed(late) == routes.AWAITED
    assert hub.followers(opened.token) == 0


def test_a_hello_in_bytes_is_hung_up(hub: Hub, browser: TestClient) -> None:
    with join(browser) as line:
        line.send_bytes(b"\x00")
        assert closed(line)


def test_who_says_nothing_is_hung_up(hub: Hub, browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "HELLO_SECONDS", 0.01)
    with join(browser) as line:
        assert closed(line) == routes.REFUSED


@pytest.mark.parametrize("said", ['{"spot": [0, 0, 0]}', '{"page": "heads", "view": {}}', "x" * 1000])
def test_a_student_who_speaks_is_hung_up_and_unheard(hub: Hub, browser: TestClient, said: str) -> None:
    opened = hub.open("A")
    with join(browser) as speaker, join(browser) as listener:
        speaker.send_json({"key": opened.key})
        until(speaker, "presenter")
        listener.send_json({"key": opened.key})
        until(listener, "presenter")
        speaker.send_text(said)
        assert closed(speaker) == routes.REFUSED
        hub.step(opened.token, "block", {})
        assert listener.receive_json() == {"page": "block", "view": {}}, "the first thing heard since"


@pytest.mark.parametrize(
    "spot",
    [
        ["a", "", 10**400, 0],
        ["a", "", 0],
        ["a", "", 0, 0, 0],
        ["a", "", "0", 0],
        ["a", "", -1, 0],
        ["a", "", None, 0],
        ["a", "", 1e300, 0],
        ["a", 3, 0, 0],
        [3, "", 0, 0],
        ["a" * 121, "", 0, 0],
        ["a", "b" * 61, 0, 0],
        "x",
        {"a": 1},
        ["a", "", float("nan"), 0],
        [["a"], "", 0, 0],
    ],
)
def test_a_spot_that_cannot_be_is_no_spot(hub: Hub, browser: TestClient, spot: object) -> None:
    opened = hub.open("A")
    with join(browser) as desk, join(browser) as student:
        desk.send_json({"token": opened.token})
        student.send_json({"key": opened.key})
        until(student, "presenter")
        desk.send_text(json.dumps({"spot": spot}))
        assert until(student, "spot") == {"spot": None}


def test_serve_mounts_the_route() -> None:
    import serve

    assert routes.PATH in [getattr(route, "path", "") for route in serve.app._user_routes]
