"""A part of a view as HTML, with the data that its script draws. No script and no style is in it."""

from __future__ import annotations

import base64
from html import escape

from viz.documents.page_parts import (
    MAX_COLUMNS,
    MAX_ROWS,
    Code,
    Component,
    Equation,
    Group,
    Heading,
    Metric,
    PagePart,
    Picture,
    Plot,
    Table,
    Text,
)
from viz.documents.page_text import html_of, line_of, mathml_of


def part_html(part: PagePart) -> str:
    """A part as HTML, with the data that its script draws."""
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
            width = f' style="min-width: {part.least}px"' if part.least else ""
            return (
                f'<figure role="img" aria-label="{escape(part.alt)}"{_key(part.key)}><div class="plot"{width}></div>'
                f"{data_script('', part.figure)}</figure>\n"
            )
        case Picture():
            return f'<img class="picture" src="{escape(part.address)}" alt="{escape(part.alt)}">\n'
        case Component():
            kind = "bytes" if isinstance(part.data, bytes) else "json"
            data = base64.b64encode(part.data).decode() if isinstance(part.data, bytes) else encode(part.data)
            return (
                f'<div class="component" data-component="{escape(part.name)}"{_key(part.key)}>'
                f'<script type="text/plain" data-kind="{kind}">{data}</script></div>\n'
            )


def _key(key: str) -> str:
    """The name of a picture, by which a notebook knows where a hand was."""
    return f' data-key="{escape(key)}"' if key else ""


def _group_html(group: Group) -> str:
    inside = "".join(part_html(part) for part in group.parts)
    if not inside:
        return ""
    if group.kind == "fold":
        return f"<details><summary>{line_of(group.title)}</summary>{inside}</details>\n"
    if group.kind == "element":
        return f'<div data-testid="stElementContainer" data-place="{escape(group.place)}">{inside}</div>\n'
    name = f' data-name="{escape(group.place)}"' if group.place else ""
    weight = f' style="--weight:{group.weight:.4g}"' if group.kind == "column" else ""
    return f'<div class="{escape(group.kind)}"{name}{weight}>{inside}</div>\n'


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


def data_script(name: str, text: str) -> str:
    """Text that a script of the page reads."""
    return f'<script type="text/plain"{f" id={name}" if name else ""}>{encode(text)}</script>'


def encode(text: str) -> str:
    """Text inside a script that does not run: base64, so that nothing in it can end the script."""
    return base64.b64encode(text.encode()).decode()
