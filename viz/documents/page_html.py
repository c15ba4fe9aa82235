"""A view of a page as one HTML file that works without a network.

The file holds all parts of the view: text, equations as MathML, tables, Plotly figures and browser components, each
with its data. Its Content-Security-Policy allows no request at all. It allows only the scripts that are written here,
and names them by their SHA-256. So a tag that slipped in with someone's sentence could not run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import get_args

from viz.documents.page_fonts import faces
from viz.documents.page_parts import (
    MAX_COLUMNS,
    MAX_ROWS,
    Code,
    Component,
    Equation,
    Group,
    Heading,
    Metric,
    Part,
    Plot,
    Table,
    Text,
    flatten,
)
from viz.documents.page_text import html_of, line_of, mathml_of
from viz.documents.restyle import counterparts
from viz.shared.fonts import Hand
from viz.shared.payload import unpack
from viz.shared.style import COLOURS, Theme

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "saved_page"


def write_page(title: str, body: Group, facts: Mapping[str, str], link: str, theme: Theme, hand: Hand = "naskh") -> str:
    """The file. Its footer lists `facts`, and `link` leads to the view in the app. `hand` is that of its Urdu words.

    `theme` is the theme of its figures. A reader who prefers the other theme gets their colours exchanged.
    """
    parts = list(flatten(body))
    components = {part.name: part for part in parts if isinstance(part, Component)}
    scripts = [_asset("page.js"), *(_register(each) for each in components.values())]
    plotly = _plotly() if any(isinstance(part, Plot) for part in parts) else None
    allowed = [*scripts, plotly[0]] if plotly else scripts
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in allowed)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    styles = "".join(
        f'<script type="text/plain" data-style="{escape(each.name)}">{_encode(each.style)}</script>\n'
        for each in components.values()
    )
    body_html = _part_html(body)
    words = "".join([title, body_html, *facts.values(), *map(_words_in_data, parts)])
    return f"""<!doctype html>
<html lang="en" data-drawn="{theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{faces(words, hand)}{_variables()}{_asset("page.css")}</style>
</head>
<body>
<main>
<p class="note">This is a picture of one view. It reacts to the pointer, but computes nothing.
{f'<a href="{escape(link)}">Open the view</a> to change it.' if _leads_out(link) else ""}</p>
{body_html}
</main>
<footer>
<dl>{"".join(f"<dt>{escape(name)}</dt><dd><bdi>{escape(value)}</bdi></dd>" for name, value in facts.items())}</dl>
</footer>
{styles}{_data_script("swap", json.dumps({theme: counterparts(theme) for theme in get_args(Theme)}))}
{f'<script type="text/plain" id="plotly">{plotly[1]}</script>' if plotly else ""}
{"".join(f'<script type="module">{script}</script>' for script in scripts[1:])}
<script type="module">{scripts[0]}</script>
<noscript><p>The figures of this page are drawn by its scripts, which this browser does not run.</p></noscript>
</body>
</html>
"""


def _leads_out(link: str) -> bool:
    return link.startswith(("http://", "https://"))


def _part_html(part: Part) -> str:
    match part:
        case Group():
            return _group_html(part)
        case Heading():
            return f"<h{part.level}>{line_of(part.text)}</h{part.level}>\n"
        case Text():
            return f'<div class="{escape(part.kind)}">{html_of(part.text)}</div>\n'
        case Equation():
            return f'<div class="equation">{mathml_of(part.latex)}</div>\n'
        case Code():
            return f'<pre tabindex="0"><code>{escape(part.text)}</code></pre>\n'
        case Metric():
            return f'<div class="metric">{html_of(part.label)}<strong>{line_of(part.value)}</strong></div>\n'
        case Table():
            return _table_html(part)
        case Plot():
            return (
                f'<figure role="img" aria-label="{escape(part.alt)}"><div class="plot"></div>'
                f"{_data_script('', part.figure)}</figure>\n"
            )
        case Component():
            kind = "bytes" if isinstance(part.data, bytes) else "json"
            data = base64.b64encode(part.data).decode() if isinstance(part.data, bytes) else _encode(part.data)
            return (
                f'<div class="component" data-component="{escape(part.name)}">'
                f'<script type="text/plain" data-kind="{kind}">{data}</script></div>\n'
            )


def _words_in_data(part: Part) -> str:
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


def _group_html(group: Group) -> str:
    inside = "".join(_part_html(part) for part in group.parts)
    if not inside:
        return ""
    if group.kind == "fold":
        return f"<details><summary>{line_of(group.title)}</summary>{inside}</details>\n"
    weight = f' style="--weight:{group.weight:.4g}"' if group.kind == "column" else ""
    return f'<div class="{escape(group.kind)}"{weight}>{inside}</div>\n'


def _table_html(table: Table) -> str:
    head = "".join(f'<th scope="col"><bdi>{escape(name)}</bdi></th>' for name in table.columns[:MAX_COLUMNS])
    rows = "".join(
        "<tr>" + "".join(f"<td><bdi>{escape(cell)}</bdi></td>" for cell in row[:MAX_COLUMNS]) + "</tr>\n"
        for row in table.rows[:MAX_ROWS]
    )
    total = max(table.total, len(table.rows))
    left_out = []
    if total > MAX_ROWS:
        left_out.append(f"the first {MAX_ROWS:,} of {total:,} rows")
    if len(table.columns) > MAX_COLUMNS:
        left_out.append(f"the first {MAX_COLUMNS:,} of {len(table.columns):,} columns")
    note = f'<p class="caption">Here are {" and ".join(left_out)}.</p>' if left_out else ""
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>'
        f"</div>{note}\n"
    )


def _register(component: Component) -> str:
    """A component's module as a script that registers its default export for page.js."""
    place = f"(globalThis.saved ??= {{}})[{json.dumps(component.name)}] = "
    return component.script.replace("export default ", place, 1).replace("</script", "<\\/script")


@cache
def _plotly() -> tuple[str, str]:
    """plotly.js, and its compressed form for the file: 1.9 MB instead of 4.8."""
    from plotly.offline import get_plotlyjs

    source = get_plotlyjs()
    return source, base64.b64encode(gzip.compress(source.encode(), 9, mtime=0)).decode()


def _variables() -> str:
    """The house colours as CSS variables, light and dark."""

    def listed(theme: Theme) -> str:
        return "".join(f"--{role}:{value};" for role, value in COLOURS[theme].items())

    return f":root{{{listed('light')}}}@media (prefers-color-scheme: dark){{:root{{{listed('dark')}}}}}"


def _data_script(name: str, text: str) -> str:
    return f'<script type="text/plain"{f" id={name}" if name else ""}>{_encode(text)}</script>'


def _encode(text: str) -> str:
    """Text inside a script that does not run: base64, so that nothing in it can end the script."""
    return base64.b64encode(text.encode()).decode()


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
