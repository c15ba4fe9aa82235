"""The names of the places on a page, by which a presenter points at them: the keys of its elements, or their order.

assets/components/teach/places.js names the elements of the app alike.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from viz.documents.page_parts import Code, Component, Equation, Group, Heading, Metric, Plot, Table, Text

# Parts without a key are counted by their kind, by Streamlit's names.
KINDS: dict[type, str] = {
    Heading: "stHeading",
    Text: "stMarkdown",
    Equation: "stMarkdown",
    Code: "stCode",
    Metric: "stMetric",
    Table: "stDataFrame",
    Plot: "stPlotlyChart",
}
NOTES = ("info", "warning", "error", "success")  # kinds of texts that Streamlit draws as alerts


def class_of(name: str) -> str:
    """The class of an element or a container, as Streamlit derives it from its key; "" for no name."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", name) if name else ""


def with_places(page: Group, head: int) -> Group:
    """The parts of a page, each in a group "element" with the name of its place.

    The first `head` parts stand above the view: they are counted for themselves.
    """
    above, below = Counter[str](), Counter[str]()
    parts = [_placed(part, above, "page ") for part in page.parts[:head]]
    return replace(page, parts=parts + [_placed(part, below, "") for part in page.parts[head:]])


def _placed(part: Any, counts: Counter[str], where: str) -> Group:
    if isinstance(part, Group):
        inside = [_placed(each, counts, where) for each in part.parts]
        return replace(part, parts=inside, place=class_of(part.key))
    if isinstance(part, Plot | Component) and part.key:
        return Group([part], "element", place=class_of(part.key))
    kind = "stAlert" if isinstance(part, Text) and part.kind in NOTES else KINDS.get(type(part), "#")
    counts[kind] += 1
    return Group([part], "element", place=f"{where}{kind} {counts[kind]}")
