"""Who is local: a browser that was opened with the token that the start of the app has printed, as Jupyter does it.

Addresses, `Origin` and the headers of proxies do not tell it: a relay on this machine, such as `ssh -L`, looks as the
machine itself, and a client writes what it likes. The start opens the browser at `/local?token=...`. That leaves a
cookie, which holds until the browser is closed or the app starts again, and leads on to Home: the token is in no link.

`GLASSFORMER_LOCAL_TOKEN` names a token of your own, for containers and for several processes; empty, nobody is local.
Unset, a server that was told an address which others reach has none.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import socket
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from streamlit import config

from model.errors import GlassformerError
from pages.shared.server.own_address import is_loopback
from pages.shared.server.private_parts import server as private_parts

if TYPE_CHECKING:
    from starlette.requests import Request

SETTING = "GLASSFORMER_LOCAL_TOKEN"
PATH = "/local"
COOKIE = "glassformer_local"  # then the port: browsers send cookies to all ports of a host
OWN_TOKEN = re.compile(r"[A-Za-z0-9._~-]{20,200}")
RANDOM_BYTES = 32
LISTEN_TRIES, LISTEN_SECONDS = 150, 0.1  # until the server listens
NO_STORE = {"Cache-Control": "no-store"}
_tickets: dict[str, bool] = {}  # tokens that hold once
WRONG = (
    "This is not the token of the app that runs here. Open the address that its start has printed last. Each start "
    f"makes a new token, unless {SETTING} names one.\n"
)


class TokenSettingError(GlassformerError):
    """`GLASSFORMER_LOCAL_TOKEN` is no token."""


def check_settings() -> None:
    """Raises `TokenSettingError` if the setting is impossible."""
    own = os.environ.get(SETTING, "")
    if own and not OWN_TOKEN.fullmatch(own):
        raise TokenSettingError(
            f"{SETTING} must have 20 to 200 letters, digits, points, hyphens, underscores and tildes, or be empty. "
            "Make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )


def token() -> str:
    """The token of this process; "" where nobody is local."""
    own = os.environ.get(SETTING)
    if own is not None:
        return own
    return _random_token() if is_loopback(st.get_option("server.address") or "localhost") else ""


def is_local() -> bool:
    """Whether the browser of this session was opened with the token."""
    expected = _cookie_value()
    return any(
        hmac.compare_digest(value.encode(), expected.encode())
        for name, value in st.context.cookies.items()
        if expected and name.startswith(COOKIE)
    )


def entry_url(url: str, once: bool = False) -> str:
    """The address that makes a browser local, and leads it to the app at `url`, which may have a query.

    An address that a program is started with is seen by all users of a machine, so such a one holds only `once`.
    """
    place, _, query = url.partition("?")
    given = token()
    if given and once:
        given = secrets.token_urlsafe(RANDOM_BYTES)
        _tickets[given] = True
    return f"{place.rstrip('/')}{PATH}?{urlencode({'token': given})}{'&' * bool(query)}{query}" if given else url


def announce() -> None:
    """Print where the browser of whoever starts the app becomes local, unless the setting names a token."""
    if token() and SETTING not in os.environ and not st.get_option("logger.hideWelcomeMessage"):
        print(f"  To add models and folders of this machine: {entry_url(_own_url())}\n", flush=True)


def open_browser() -> None:
    """Open the browser of whoever starts the app, once the server listens. Streamlit opens none for an `st.App`."""
    address = str(st.get_option("server.address") or "localhost")
    host = private_parts.reachable_host(address)
    for _ in range(LISTEN_TRIES):
        with suppress(OSError):
            socket.create_connection((host, st.get_option("server.port")), LISTEN_SECONDS).close()
            private_parts.open_in_browser(entry_url(_own_url(), once=True))
            return
        time.sleep(LISTEN_SECONDS)


def _own_url() -> str:
    """The address of the server for a browser of this machine."""
    is_named = config.is_manually_set("browser.serverAddress")
    host = st.get_option("browser.serverAddress" if is_named else "server.address") or "localhost"
    return private_parts.url_at(private_parts.reachable_host(host))


def routes(base: str = "") -> list[Route]:
    """The route for `st.App`. `base` is the server's base path."""

    async def enter(request: Request) -> Response:
        """Gives the cookie to whoever knows the token, and goes on to Home, with what else is in the query."""
        expected, given = token(), request.query_params.get("token", "")
        is_known = hmac.compare_digest(given.encode(), expected.encode()) or _tickets.pop(given, False)
        if not expected or not is_known:
            return PlainTextResponse(WRONG, 403, headers=NO_STORE)
        rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
        response = RedirectResponse(f"{base}/{'?' * bool(rest)}{rest}", 303, headers=NO_STORE)
        is_secure = request.url.scheme == "https"
        name = f"{COOKIE}_{request.url.port or (443 if is_secure else 80)}"
        response.set_cookie(name, _cookie_value(), path=f"{base}/", secure=is_secure, httponly=True, samesite="strict")
        return response

    return [Route(f"{base}{PATH}", enter, methods=["GET"])]


@cache
def _random_token() -> str:
    return secrets.token_urlsafe(RANDOM_BYTES)


def _cookie_value() -> str:
    """What the cookie holds: made of the token, which it does not tell. "" where nobody is local."""
    return hmac.new(token().encode(), COOKIE.encode(), hashlib.sha256).hexdigest() if token() else ""
