"""The HTML of the page for students, and its Content-Security-Policy. No session of Streamlit is behind it.

It has the landmarks of the app, by Streamlit's names. So the scripts that point, scroll and ask there work here too
(assets/components/teach/).
"""

from __future__ import annotations

import os
from functools import cache

from pages.follow import files
from pages.shared.server.http_headers import FRAME_ANCESTORS, checked_sources

HTML = """<!doctype html>
<html lang="en" data-bar-style="{base}/follow/files/{bar}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Follow a lecture · Glassformer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{base}/follow/files/{styles}">
<script type="module" src="{base}/follow/files/{script}"></script>
</head>
<body>
<div data-testid="stApp" data-test-connection-state="CONNECTING" data-test-script-state="notRunning">
<main data-testid="stMain" tabindex="0"><div data-testid="stMainBlockContainer"></div></main>
</div>
<noscript><p>A lecture is followed by the scripts of this page, which this browser does not run.</p></noscript>
</body>
</html>
"""


@cache
def shell_html(base: str) -> str:
    """The page. `base`: the server's base path, "" or "/name"."""
    names = {"bar": "bar.css", "styles": "page.css", "script": "follow.js"}
    return HTML.format(base=base, **{place: files.name_of(name) for place, name in names.items()})


@cache
def content_security_policy() -> str:
    """Scripts, fonts and requests of this server alone. Plotly and the groups of a view write style attributes."""
    directives = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": checked_sources(os.environ.get(FRAME_ANCESTORS, "")),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())
