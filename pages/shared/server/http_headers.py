"""The security headers of every response, and the addresses that are closed.

The Content-Security-Policy allows only the server itself, with the exceptions that Streamlit's frontend needs. Each was
found by experiment: without it a browser reports a violation on some page (`tests/browser/test_http_headers.py`).

| directive | exception | needed by |
|---|---|---|
| `script-src` | `blob:` | Streamlit imports the script of each component from a blob |
| `script-src` | `'wasm-unsafe-eval'` | Streamlit reads messages with it; Firefox reports the refusal as an error |
| `script-src` | hashes | the inline scripts of `index.html` (`pages.shared.server.index_page`) |
| `style-src` | `'unsafe-inline'` | style sheets that Emotion, `st.html` and the components write into the page |
| `img-src` | `data:` | the logo, and the pictures in charts |
| `connect-src` | `data:` | Streamlit reads the photo that the camera took by a request for its data |
| `font-src` | `data:` | the smallest fonts of KaTeX, which Streamlit keeps in its style sheet |

Sources: https://www.w3.org/TR/CSP3/, https://www.w3.org/TR/referrer-policy/, https://fetch.spec.whatwg.org/#nosniff
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse

from model.errors import GlassformerError
from pages.shared.server.index_page import index_html

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

FRAME_ANCESTORS = (
    "GLASSFORMER_FRAME_ANCESTORS"  # the sites that may embed the app, such as "'self' https://lms.example"
)
POLICY = "Content-Security-Policy"
METRICS = "GLASSFORMER_METRICS"  # "1" opens the measurements of the app and of Streamlit
OWN_METRICS_PATH = "/metrics"
METRICS_PATHS = (OWN_METRICS_PATH, "/_stcore/metrics")
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
# 'self', 'none', a scheme such as https:, or an origin whose host may begin with *. and whose port may be *.
SOURCE = re.compile(r"'self'|'none'|https?:|(https?://)?(\*\.)?[\w-]+(\.[\w-]+)*(:(\d+|\*))?", re.ASCII)


class SecurityHeaders:
    """ASGI middleware that adds the headers to each HTTP response and closes the metrics.

    A response that has a policy of its own keeps that: the page for students allows less (`pages.follow.shell`).

    Raises GlassformerError if `GLASSFORMER_FRAME_ANCESTORS` is no list of sites.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = security_headers(os.environ.get(FRAME_ANCESTORS, ""))
        self.shows_metrics = os.environ.get(METRICS) == "1"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                own_policy = {POLICY: headers[POLICY]} if POLICY in headers else {}
                headers.update(self.headers | own_policy)
            await send(message)

        app = PlainTextResponse("Not Found", 404) if self._is_closed(scope["path"]) else self.app
        await app(scope, receive, send_with_headers)

    def _is_closed(self, path: str) -> bool:
        return path.rstrip("/").endswith(METRICS_PATHS) and not self.shows_metrics


def security_headers(frame_ancestors: str = "") -> dict[str, str]:
    """The headers of every response, by name. `frame_ancestors`: the sites that may embed the app; its own for ""."""
    return {
        POLICY: content_security_policy(frame_ancestors),
        # A browser takes a file only for what the server calls it.
        "X-Content-Type-Options": "nosniff",
        # The address of a page holds the reader's sentence, so no other site hears of it.
        "Referrer-Policy": "same-origin",
    }


def content_security_policy(frame_ancestors: str = "") -> str:
    """The value of the header Content-Security-Policy."""
    scripts = " ".join(f"'{script_hash(script)}'" for script in INLINE_SCRIPT.findall(index_html()))
    directives = {
        "default-src": "'none'",
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {scripts}".rstrip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self' data:",
        "connect-src": "'self' data:",  # 'self' is its WebSockets too
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": checked_sources(frame_ancestors),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def script_hash(script: str) -> str:
    """The hash of an inline script, as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def checked_sources(sources: str) -> str:
    """The sites of a list, one space between them; `'self'` for an empty list. Raises GlassformerError for any other
    text, since a semicolon would begin a new directive."""
    found = sources.split()
    for source in found:
        if not SOURCE.fullmatch(source):
            raise GlassformerError(
                f"{FRAME_ANCESTORS} names {source!r}, which is no site. Write sites with spaces between them, such as "
                "'self' https://lms.example.org"
            )
    return " ".join(found) or "'self'"
