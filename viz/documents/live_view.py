"""A view as the data that a student's browser shows: JSON, compressed.

Its HTML is that of a saved page (`part_html`), but without scripts and styles: the browser has each of them once.
`body` holds an element for each part, with its data; `facts` what is computed; `notes` what the view cannot carry.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from viz.documents.counterparts import counterparts
from viz.documents.page_parts import Component, Group, Plot, flatten
from viz.documents.part_html import part_html
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand  # It loads Matplotlib.

COMPRESSION = 5  # of gzip: a tenth larger than at 9, in a third of the time


def write_view(
    page: str,
    title: str,
    body: Group,
    facts: Mapping[str, str],
    notes: Sequence[str],
    theme: Theme,
    hand: Hand,
    name_file: Callable[[str], str] = str,
) -> bytes:
    """The compressed data. `theme`: in which the figures were drawn. `hand`: of the Urdu words.

    `name_file`: where a browser finds a script or a style sheet, such as "heads_atlas.js" or "plotly.js".
    """
    parts = list(flatten(body))
    components = sorted({part.name for part in parts if isinstance(part, Component)})
    has_figures = any(isinstance(part, Plot) for part in parts)
    view = {
        "page": page,
        "title": title,
        "facts": list(facts.items()),
        "notes": list(notes),
        "hand": hand,
        "theme": {"drawn": theme, "swaps": {theme: counterparts(theme)}},
        "components": {name: [name_file(f"{name}.js"), name_file(f"{name}.css")] for name in components},
        "plotly": name_file("plotly.js") if has_figures else "",
        "body": part_html(body),
    }
    text = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8", "replace"), COMPRESSION, mtime=0)
