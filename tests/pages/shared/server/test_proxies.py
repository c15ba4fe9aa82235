"""The visitor behind proxies: counted from the right, whatever the visitor has written before."""

from __future__ import annotations

from typing import Any

import pytest
import uvicorn.config

import serve  # it puts the class into uvicorn
from pages.shared.server.proxies import PROXIES, TRUSTED, ProxySettingError, VisitorAddress, count_proxies
from tests.own_loop import run_in_own_loop


def heard(
    monkeypatch: pytest.MonkeyPatch,
    *,
    proxies: str | None = None,
    trusted: str | None = None,
    peer: str = "10.0.0.9",
    kind: str = "http",
    **headers: str | list[str],
) -> tuple[str, str]:
    """The address and the scheme that the app hears."""
    for name, value in ((PROXIES, proxies), (TRUSTED, trusted)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    told: list[tuple[str, str]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        told.append((scope["client"][0], scope["scheme"]))

    lists = {name: [values] if isinstance(values, str) else values for name, values in headers.items()}
    lines = [(name, each) for name, values in lists.items() for each in values]
    scope = {
        "type": kind,
        "scheme": "ws" if kind == "websocket" else "http",
        "client": (peer, 1),
        "headers": [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in lines],
    }
    uvicorn_trusts = uvicorn.Config(app).forwarded_allow_ips
    run_in_own_loop(VisitorAddress(app, trusted_hosts=uvicorn_trusts)(scope, None, None))
    return told[0]


@pytest.mark.parametrize(
    ("proxies", "header", "visitor"),
    [
        ("1", "203.0.113.5", "203.0.113.5"),
        ("1", "1.1.1.1, 127.0.0.1, 203.0.113.5", "203.0.113.5"),
        ("1", "1.1.1.1,203.0.113.5:4711", "203.0.113.5"),
        ("1", "1.1.1.1, [2001:db8::1]:4711", "2001:db8::1"),
        ("1", ["1.1.1.1", "203.0.113.5"], "203.0.113.5"),
        ("2", "1.1.1.1, 203.0.113.5, 10.0.0.8", "203.0.113.5"),
        ("2", "203.0.113.5", "203.0.113.5"),
        ("1", "", "10.0.0.9"),
        ("1", " , ,", "10.0.0.9"),
        ("0", "203.0.113.5", "10.0.0.9"),
    ],
)
def test_what_proxies_wrote_is_counted_from_the_right(
    monkeypatch: pytest.MonkeyPatch, proxies: str, header: str | list[str], visitor: str
) -> None:
    assert heard(monkeypatch, proxies=proxies, X_Forwarded_For=header)[0] == visitor


def test_a_star_is_one_proxy_and_not_the_word_of_the_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert heard(monkeypatch, trusted="*", X_Forwarded_For="1.1.1.1, 203.0.113.5")[0] == "203.0.113.5"


def test_unset_only_a_proxy_on_this_computer_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    header = "1.1.1.1, 203.0.113.5"
    assert heard(monkeypatch, X_Forwarded_For=header)[0] == "10.0.0.9"
    assert heard(monkeypatch, peer="127.0.0.1", X_Forwarded_For=header)[0] == "203.0.113.5"
    assert heard(monkeypatch, trusted="10.0.0.0/24", X_Forwarded_For=f"{header}, 10.0.0.4")[0] == "203.0.113.5"


def test_with_no_proxy_not_even_this_computer_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay on this computer hands on what a stranger writes."""
    assert heard(monkeypatch, proxies="0", peer="127.0.0.1", X_Forwarded_For="203.0.113.5")[0] == "127.0.0.1"


def test_a_proxy_tells_the_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    assert heard(monkeypatch, proxies="1", X_Forwarded_Proto="https")[1] == "https"
    assert heard(monkeypatch, proxies="1", X_Forwarded_Proto="https", kind="websocket")[1] == "wss"
    assert heard(monkeypatch, proxies="1", X_Forwarded_Proto="javascript")[1] == "http"
    assert heard(monkeypatch, proxies="0", X_Forwarded_Proto="https")[1] == "http"


@pytest.mark.parametrize("text", ["-1", "one", "1.5", "10", "²"])
def test_an_impossible_number_of_proxies_is_named_at_the_start(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(PROXIES, text)
    with pytest.raises(ProxySettingError, match=PROXIES):
        count_proxies()


def test_uvicorn_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    config = uvicorn.Config(serve.app)
    config.load()
    assert isinstance(config.loaded_app, VisitorAddress)
