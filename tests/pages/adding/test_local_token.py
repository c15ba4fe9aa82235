"""Who is local: the token of the start, the cookie that it leaves, and whatever a client says instead."""

from __future__ import annotations

import socket
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import cli_util

from pages.adding import local_token
from pages.adding.local_token import SETTING, TokenSettingError
from tests.pages.adding.conftest import Context

OWN = "an-own-token-of-this-test"


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """The server's address, which a test may change."""
    options: dict[str, str | None] = {}
    monkeypatch.setattr(st, "get_option", options.get)
    return options


def client(base: str = "") -> TestClient:
    return TestClient(Starlette(routes=local_token.routes(base)), "http://localhost:8501", follow_redirects=False)


def enter(base: str = "", **query: str) -> Any:
    return client(base).get(f"{base}/local", params=query)


def visit(monkeypatch: pytest.MonkeyPatch, *said: str, **headers: str) -> bool:
    """Whether a visitor is local who sends these cookies, as of one header, and these headers."""
    cookies = dict(each.split("=", 1) for each in said)
    monkeypatch.setattr(st, "context", Context("127.0.0.1", cookies, **headers))
    return local_token.is_local()


def test_the_token_leaves_a_cookie_and_leads_to_the_page_without_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = enter(token=local_token.token(), model="folder:my model", text="a&b")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?model=folder%3Amy+model&text=a%26b")
    cookie, *rules = answer.headers["set-cookie"].split("; ")
    assert cookie.startswith("glassformer_local_8501=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} == set(rules)
    assert local_token.token() not in str(answer.headers)
    assert answer.headers["cache-control"] == "no-store"
    assert visit(monkeypatch, "_xsrf=1", cookie)


def test_the_cookie_is_of_the_base_path_and_behind_tls_for_tls() -> None:
    answer = client("/name").get("https://host.example/name/local", params={"token": local_token.token()})
    assert answer.headers["location"] == "/name/"
    assert answer.headers["set-cookie"].startswith("glassformer_local_443=")
    assert "Path=/name/; SameSite=strict; Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize("token", ["", "x", "\u0661", "a" * 43, " ", "%00", "None"])
def test_another_token_gets_nothing(token: str) -> None:
    answer = enter(token=token)
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert "Open the address that its start has printed last" in answer.text
    assert "set-cookie" not in client().get("/local").headers


SAID: dict[str, dict[str, str]] = {
    "nothing": {},
    "a page of this machine": {"Origin": "http://localhost:8501", "Host": "localhost:8501"},
    "a proxy's word": {"X_Forwarded_For": "127.0.0.1", "X_Real_IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"},
}


@pytest.mark.parametrize("headers", SAID.values(), ids=SAID)
@pytest.mark.parametrize(
    "cookies", [[], ["glassformer_local_8501="], ["glassformer_local_8501=x"], ["glassformer_local_8501=\u0661"]]
)
def test_nothing_else_makes_local(monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], cookies: list[str]) -> None:
    assert not visit(monkeypatch, *cookies, **headers)
    assert not visit(monkeypatch, f"glassformer_local_8501={local_token.token()}", **headers)


def test_the_cookie_of_another_app_on_the_host_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    cookie = enter(token=local_token.token()).headers["set-cookie"].partition(";")[0]
    assert visit(monkeypatch, "glassformer_local_8600=another", cookie)


@pytest.mark.parametrize(("where", "has_one"), [(None, True), ("localhost", True), ("127.0.0.1", True), ("::1", True)])
def test_a_server_of_this_machine_makes_a_token(address: dict[str, str | None], where: str, has_one: bool) -> None:
    address["server.address"] = where
    assert len(local_token.token()) >= 43


@pytest.mark.parametrize("where", ["0.0.0.0", "192.168.1.2", "glassformer.example", "::"])
def test_a_server_that_faces_others_has_none_unless_it_is_told(
    address: dict[str, str | None], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    address["server.address"] = where
    assert local_token.token() == ""
    assert enter(token="").status_code == 403
    assert not visit(monkeypatch, "glassformer_local_8501=")
    monkeypatch.setenv(SETTING, OWN)
    cookie = enter(token=OWN).headers["set-cookie"].partition(";")[0]
    assert visit(monkeypatch, cookie)


def test_an_empty_token_makes_nobody_local(monkeypatch: pytest.MonkeyPatch) -> None:
    cookie = enter(token=local_token.token()).headers["set-cookie"].partition(";")[0]
    monkeypatch.setenv(SETTING, "")
    local_token.check_settings()
    assert enter(token="").status_code == 403
    assert not visit(monkeypatch, cookie)
    assert local_token.entry_url("http://localhost:8501") == "http://localhost:8501"


@pytest.mark.parametrize("own", ["short", "with a blank in the middle", "a" * 300, "\u0661" * 30, "a&token=" * 5])
def test_an_impossible_token_stops_the_server(monkeypatch: pytest.MonkeyPatch, own: str) -> None:
    monkeypatch.setenv(SETTING, own)
    with pytest.raises(TokenSettingError, match="20 to 200"):
        local_token.check_settings()


def test_the_start_prints_the_address_and_opens_it(
    address: dict[str, str | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pages.adding.local_token.private_parts.url_at", lambda host: f"http://{host}:8501/name")
    local_token.announce()
    assert f"http://localhost:8501/name/local?token={local_token.token()}\n" in capsys.readouterr().out
    with monkeypatch.context() as changed:
        opened: list[str] = []
        changed.setattr(cli_util, "open_browser", opened.append)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            changed.setitem(address, "server.address", "127.0.0.1")
            changed.setitem(address, "server.port", listening.getsockname()[1])
            local_token.open_browser()
        (place,) = opened
        assert place.startswith("http://127.0.0.1:8501/name/local?token=")
        given = place.partition("=")[2]
        assert given != local_token.token(), "other users of the machine see the commands that run"
        assert [enter(token=given).status_code for _ in range(2)] == [303, 403], "it holds once"
    for option, value in (("server.address", "0.0.0.0"), ("logger.hideWelcomeMessage", "1")):
        with monkeypatch.context() as changed:
            changed.setitem(address, option, value)
            local_token.announce()
    monkeypatch.setenv(SETTING, OWN)
    local_token.announce()
    assert capsys.readouterr().out == ""


def test_the_address_of_the_start_keeps_the_query() -> None:
    expected = f"http://localhost:8501/local?token={local_token.token()}&model=a"
    assert local_token.entry_url("http://localhost:8501/?model=a") == expected
