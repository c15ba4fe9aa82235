"""The headers of responses, the addresses that are closed, and the setting for who may embed the app."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from model.errors import GlassformerError
from pages.catalogue import PAGES
from pages.shared.server import http_headers
from pages.shared.server.http_headers import SecurityHeaders
from pages.shared.server.index_page import STREAMLITS_FILE, address_script, history_script, index_html, routes
from tests.own_loop import run_in_own_loop

EXPECTED = {"content-security-policy", "x-content-type-options", "referrer-policy"}


def answer(path: str, app: Any = None) -> tuple[int, dict[str, str]]:
    """The status and the headers of what the middleware sends for a request."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": []}
    run_in_own_loop(SecurityHeaders(app or PlainTextResponse("app"))(scope, receive, send))
    headers = [(name.decode(), value.decode()) for name, value in sent[0]["headers"]]
    assert len(headers) == len(dict(headers))
    return sent[0]["status"], dict(headers)


def directives(policy: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (part.split() for part in policy.split("; "))}


def test_a_response_has_each_header_once() -> None:
    own = PlainTextResponse("app", headers={"Referrer-Policy": "unsafe-url"})
    status, headers = answer("/heads", own)
    assert status == 200
    assert set(headers) >= EXPECTED
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_a_response_may_allow_less() -> None:
    _, headers = answer("/follow", PlainTextResponse("app", headers={http_headers.POLICY: "default-src 'none'"}))
    assert headers["content-security-policy"] == "default-src 'none'"


def test_the_policy_allows_nothing_that_it_does_not_name() -> None:
    policy = directives(http_headers.content_security_policy())
    assert policy["default-src"] == ["'none'"]
    assert policy["frame-ancestors"] == ["'self'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"} & set(policy["script-src"])


def test_the_policy_names_each_inline_script_of_streamlit() -> None:
    scripts = http_headers.INLINE_SCRIPT.findall(index_html())
    assert any("prerenderReady" in script for script in scripts)
    assert {address_script(), history_script()} <= set(scripts)
    allowed = directives(http_headers.content_security_policy())["script-src"]
    assert {f"'{http_headers.script_hash(script)}'" for script in scripts} <= set(allowed)


def test_the_index_is_streamlits_with_two_scripts_before_the_others() -> None:
    own = "".join(f"<script>{script}</script>\n    " for script in (address_script(), history_script()))
    assert index_html().count(own) == 1
    assert index_html().replace(own, "") == STREAMLITS_FILE.read_text(encoding="utf-8")
    assert index_html().index(own) == index_html().index("<script")


def test_every_page_is_served_below_the_base_path() -> None:
    paths = {route.path for route in routes("/name")}
    assert paths == {"/name/" if entry.url == "home" else f"/name/{entry.url}" for entry in PAGES}


def test_a_hash_is_that_of_the_specification() -> None:
    """The example of https://www.w3.org/TR/CSP3/#framework-directive-source-list and of MDN."""
    assert http_headers.script_hash("doSomething();") == "sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc="


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/_stcore/metrics/", "/name/_stcore/metrics", "/metrics", "/name/metrics/"]
)
def test_metrics_are_closed_unless_asked_for(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    status, headers = answer(path)
    assert status == 404
    assert set(headers) >= EXPECTED
    monkeypatch.setenv(http_headers.METRICS, "1")
    assert answer(path)[0] == 200


def test_other_connections_pass_unchanged() -> None:
    passed: list[Any] = []

    async def app(*given: Any) -> None:
        passed.extend(given)

    given = ({"type": "websocket", "path": "/_stcore/metrics"}, object(), object())
    run_in_own_loop(SecurityHeaders(app)(*given))  # type: ignore[arg-type]
    assert passed == list(given)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("", "'self'"),
        ("  'self'   https://lms.example.org ", "'self' https://lms.example.org"),
        ("'none'", "'none'"),
        ("https://*.example.org:8443 lms.local", "https://*.example.org:8443 lms.local"),
        ("https:", "https:"),
    ],
)
def test_who_may_embed_the_app_is_a_setting(monkeypatch: pytest.MonkeyPatch, setting: str, expected: str) -> None:
    monkeypatch.setenv(http_headers.FRAME_ANCESTORS, setting)
    policy = directives(answer("/")[1]["content-security-policy"])
    assert " ".join(policy["frame-ancestors"]) == expected


@pytest.mark.parametrize(
    "setting", ["'self'; script-src *", "a,b", "'unsafe-inline'", "https://a.example\nX: y;", "javascript:", "*;"]
)
def test_a_setting_that_is_no_list_of_sites_is_refused(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv(http_headers.FRAME_ANCESTORS, setting)
    with pytest.raises(GlassformerError, match="which is no site"):
        SecurityHeaders(PlainTextResponse("app"))
