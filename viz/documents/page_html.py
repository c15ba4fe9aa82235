"""A view of a page as one HTML file that works without a network.

The file holds all parts of the view: text, equations as MathML, tables, Plotly figures and browser components, each
with its data. Its Content-Security-Policy allows no request at all. It allows only the scripts that are written here,
and names them by their SHA-256. So a tag that slipped in with someone's sentence could not run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import get_args

from viz.documents import plotly_script
from viz.documents.counterparts import counterparts
from viz.documents.page_fonts import faces
from viz.documents.page_parts import Component, Group, PagePart, Plot, flatten
from viz.documents.part_html import data_script, encode, part_html
from viz.shared.component_script import join_script
from viz.shared.fonts import Hand
from viz.shared.payload import unpack
from viz.shared.style import COLOURS, Theme

ASSETS = Path(__file__).resolve().parents[2] / "assets"
COMMON_STYLES = ASSETS / "saved_page" / "page.css"


def write_page(title: str, body: Group, facts: Mapping[str, str], link: str, theme: Theme, hand: Hand = "naskh") -> str:
    """The file. Its footer lists `facts`, and `link` leads to the view in the app. `hand` is that of its Urdu words.

    `theme` is the theme of its figures. A reader who prefers the other theme gets their colours exchanged.
    """
    parts = list(flatten(body))
    body_html = part_html(body)
    words = "".join([title, body_html, *facts.values(), *map(words_in_data, parts)])
    content = f"""<main>
<p class="note">This is a picture of one view. It reacts to the pointer, but computes nothing.
{f'<a href="{escape(link)}">Open the view</a> to change it.' if leads_out(link) else ""}</p>
{body_html}
</main>
<footer>
<dl>{"".join(f"<dt>{escape(name)}</dt><dd><bdi>{escape(value)}</bdi></dd>" for name, value in facts.items())}</dl>
</footer>"""
    return write_file(title, content, parts, words, "saved_page/page", theme, hand)


def write_file(
    title: str,
    content: str,
    parts: Iterable[PagePart],
    words: str,
    entry: str,
    theme: Theme,
    hand: Hand = "naskh",
    facts: Mapping[str, str] | None = None,
) -> str:
    """The file around a `content` of HTML, with what its `parts` need, each once: scripts, styles, plotly.js.

    `words` is all text that needs a font. `entry` names the script and the style sheet in assets. `facts`: what else
    that script needs to know of the page, by names.
    """
    parts = list(parts)
    components = {part.name: part for part in parts if isinstance(part, Component)}
    scripts = [_script(entry), *(_register(each) for each in components.values())]
    drawer = plotly_script.script_for(parts)
    plotly = plotly_script.read_script(drawer) if drawer else None
    allowed = [*scripts, plotly[0]] if plotly else scripts
    styles = "".join(
        f'<script type="text/plain" data-style="{escape(each.name)}">{encode(each.style)}</script>\n'
        for each in components.values()
    )
    known = "".join(f' data-{name}="{escape(value)}"' for name, value in (facts or {}).items())
    return f"""<!doctype html>
<html lang="en" data-drawn="{theme}"{known}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(allowed)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style id="fonts">{faces(words, hand)}</style>
<style>{_variables()}{_styles(entry)}</style>
</head>
<body>
{content}
{styles}{data_script("swap", json.dumps({theme: counterparts(theme) for theme in get_args(Theme)}))}
{f'<script type="text/plain" id="plotly">{plotly[1]}</script>' if plotly else ""}
{"".join(f'<script type="module">{script}</script>' for script in scripts[1:])}
<script type="module">{scripts[0]}</script>
<noscript><p>The figures of this page are drawn by its scripts, which this browser does not run.</p></noscript>
</body>
</html>
"""


def _policy(scripts: Iterable[str]) -> str:
    """What the page may do: run these scripts, and ask nobody for anything."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def leads_out(link: str) -> bool:
    """Whether a link leads to the web."""
    return link.startswith(("http://", "https://"))


def words_in_data(part: PagePart) -> str:
    """The words in the data that a part's script draws."""
    match part:
        case Plot():
            return str(json.loads(part.figure))
        case Component(data=bytes(data)):
            return part.script + str(unpack(data)[0])
        case Component(data=data):
            return part.script + str(json.loads(data))
        case _:
            return ""


def _register(component: Component) -> str:
    """A component's module as a script that registers its default export for page.js."""
    place = f"(globalThis.saved ??= {{}})[{json.dumps(component.name)}] = "
    return component.script.replace("export default ", place, 1).replace("</script", "<\\/script")


def _variables() -> str:
    """The house colours as CSS variables: those of the theme that the root names, or else that the reader prefers."""

    def listed(theme: Theme) -> str:
        return "".join(f"--{role}:{value};" for role, value in COLOURS[theme].items())

    dark = listed("dark")
    asked = f":root:not([data-theme]){{{dark}}}"
    return f":root{{{listed('light')}}}@media (prefers-color-scheme: dark){{{asked}}}:root[data-theme=dark]{{{dark}}}"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _script(entry: str) -> str:
    """A script of assets and all its imports."""
    return join_script(ASSETS / f"{entry}.js")


@cache
def _styles(entry: str) -> str:
    """The style sheet of every saved page, and the one of its own that a kind of page has."""
    sheets = dict.fromkeys((COMMON_STYLES, ASSETS / f"{entry}.css"))
    return "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
