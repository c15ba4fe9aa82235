"""The addresses of the page for students: what it serves, and what it refuses without a word more than needed."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from pages.follow import routes
from pages.shared.server.http_headers import SecurityHeaders
from pages.shared.server.request_limits import RequestLimits
from pages.teach.room_stores.view_store import ViewStore
from pages.teach.rooms.room import Hub

VIEW = gzip.compress(json.dumps({"body": "<p>میں</p>" * 5000}).encode())


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    fresh = Hub()
    monkeypatch.setattr(routes, "HUB", fresh)
    return fresh


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> ViewStore:
    fresh = ViewStore()
    monkeypatch.setattr(routes, "STORE", fresh)
    return fresh


@pytest.fixture
def browser(hub: Hub, store: ViewStore) -> Iterator[TestClient]:
    app = Starlette(routes=routes.routes("/base/"), middleware=[Middleware(SecurityHeaders)])
    with TestClient(app, headers={"Accept-Encoding": "gzip"}) as client:
        yield client


def bearer(key: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", **more}


def test_a_view_comes_compressed_and_for_ever_to_who_has_the_key(
    hub: Hub, store: ViewStore, browser: TestClient
) -> None:
    opened = hub.open("A")
    digest = store.put(opened.key.partition(".")[0], VIEW)
    answer = browser.get(f"/base/follow/views/{digest}", headers=bearer(opened.key))
    assert answer.status_code == 200
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) == len(VIEW)
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Authorization" in answer.headers["Vary"]
    assert answer.json() == json.loads(gzip.decompress(VIEW))
    plain = browser.get(f"/base/follow/views/{digest}", headers=bearer(opened.key, **{"Accept-Encoding": "identity"}))
    assert "Content-Encoding" not in plain.headers
    assert plain.json() == answer.json()


def test_whatever_is_wrong_with_a_request_for_a_view_the_answer_is_the_same(
    hub: Hub, store: ViewStore, browser: TestClient
) -> None:
    own, other, ended = hub.open("A"), hub.open("B"), hub.open("C")
    rooms = {each: each.key.partition(".")[0] for each in (own, other, ended)}
    mine, late = store.put(rooms[own], VIEW), store.put(rooms[ended], VIEW)
    foreign = store.put(rooms[other], gzip.compress(b"{}"))
    hub.close(ended.token)
    wrong = [
        (mine, {}),
        (mine, {"Authorization": own.key}),
        (mine, {"Authorization": f"Basic {own.key}"}),
        (mine, bearer("")),
        (mine, bearer(rooms[own])),
        (mine, bearer(f"{rooms[own]}.{'a' * 22}")),
        (mine, bearer(own.token)),
        (mine, bearer(other.key)),
        (mine, bearer(own.key, Origin="https://elsewhere.example")),
        (mine, bearer(own.key, **{"Sec-Fetch-Site": "cross-site"})),
        (foreign, bearer(own.key)),
        (late, bearer(ended.key)),
        ("0" * 64, bearer(own.key)),
        ("..%2F..%2Fserve.py", bearer(own.key)),
        (mine.upper(), bearer(own.key)),
    ]
    answers = [browser.get(f"/base/follow/views/{digest}", headers=headers) for digest, headers in wrong]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.text for answer in answers} == {"Not Found"}
    assert len({tuple(sorted(answer.headers.items())) for answer in answers[:-2]}) == 1
    assert browser.get(f"/base/follow/views/{mine}", headers=bearer(own.key)).status_code == 200


def test_a_key_in_the_address_opens_nothing(hub: Hub, store: ViewStore, browser: TestClient) -> None:
    opened = hub.open("A")
    digest = store.put(opened.key.partition(".")[0], b"view")
    assert browser.get(f"/base/follow/views/{digest}?key={opened.key}").status_code == 404


def test_a_flood_of_one_address_is_bounded(
    hub: Hub, store: ViewStore, browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "LIMITS", RequestLimits(burst=3, refill=0.0))
    opened = hub.open("A")
    digest = store.put(opened.key.partition(".")[0], VIEW)
    codes = [browser.get(f"/base/follow/views/{digest}", headers=bearer(opened.key)).status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]
    assert browser.post("/base/follow/join", json={"code": "x", "visitor": "v"}).status_code == 429


def test_the_code_gives_the_key_and_a_wrong_one_waits(hub: Hub, browser: TestClient) -> None:
    opened = hub.open("A")
    ask = {"code": opened.code.lower(), "visitor": "v"}
    answer = browser.post("/base/follow/join", json=ask)
    assert (answer.status_code, answer.json()) == (200, {"key": opened.key})
    assert answer.headers["Cache-Control"] == "no-store"
    for _ in range(3):
        wrong = browser.post("/base/follow/join", json={"code": "AAAAAA", "visitor": "v"})
        assert wrong.status_code == 403
        assert "No lecture with this code" in wrong.json()["why"]
    assert "Too many wrong codes" in browser.post("/base/follow/join", json=ask).json()["why"]
    other = browser.post("/base/follow/join", json={**ask, "visitor": "another"})
    assert other.json() == {"key": opened.key}, "one joker delays nobody else"


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b'{"code": 3, "visitor": "v"}', b'{"code": "x"}', b"[" * 400, b"x" * 100_000]
)
def test_a_wrong_question_for_a_key_is_not_found(hub: Hub, browser: TestClient, body: bytes) -> None:
    answer = browser.post("/base/follow/join", content=body)
    assert (answer.status_code, answer.text) == (404, "Not Found")


def test_a_foreign_page_gets_no_key(hub: Hub, browser: TestClient) -> None:
    ask = {"code": hub.open("A").code, "visitor": "v"}
    headers = {"Origin": "https://elsewhere.example"}
    assert browser.post("/base/follow/join", json=ask, headers=headers).status_code == 404


def test_the_shell_is_small_and_allows_only_this_server(browser: TestClient) -> None:
    shell = browser.get("/base/follow")
    assert shell.headers["Cache-Control"] == "no-cache"
    policy = shell.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "blob:" not in policy.partition("script-src")[2].partition(";")[0]
    assert shell.headers["X-Content-Type-Options"] == "nosniff"
    assert len(shell.content) < 2000
    again = browser.get("/base/follow", headers={"If-None-Match": shell.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    names = re.findall(r'"/base/follow/files/([^"]+)"', shell.text)
    assert len(names) == 3
    for name in names:
        file = browser.get(f"/base/follow/files/{name}")
        assert file.status_code == 200
        assert file.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert file.headers["Content-Encoding"] == "gzip"


def test_the_fonts_of_the_style_sheet_are_there(browser: TestClient) -> None:
    name = routes.files.name_of("page.css")
    fonts = re.findall(r"url\('(Noto[^']+)'\)", browser.get(f"/base/follow/files/{name}").text)
    assert len(fonts) == 4
    for font in fonts:
        answer = browser.get(f"/base/follow/files/{font}")
        assert answer.headers["Content-Type"] == "font/woff2"
        assert answer.content[:4] == b"wOF2"


@pytest.mark.parametrize(
    "name", ["follow.js", "follow.0000000000000000.js", "serve.py", "glassformer_x.00.js", "..js", "a", "x.y.woff2"]
)
def test_other_files_are_not_found(browser: TestClient, name: str) -> None:
    assert browser.get(f"/base/follow/files/{name}").status_code == 404


def test_the_script_without_a_network_may_serve_the_page_itself(browser: TestClient) -> None:
    answer = browser.get("/base/follow/offline.js")
    assert answer.headers["Service-Worker-Allowed"] == "/base/follow"
    assert answer.headers["Content-Type"].startswith("text/javascript")
