"""What a view shows at a depth: its words, its equations, its tables and its files."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tests.pages.printed_digits import assert_digits_hold
from views.parts import Chart, DataTable, Files
from views.shared.quotes import tex
from views.shown_page import walk
from views.view import Depth, View
from viz.documents.page_parts import Equation, Heading, Text


def parts(view: View, depth: Depth = "Picture") -> list[Any]:
    """The parts of a view and of the views and groups in it, in order."""
    return list(walk(view.at(depth), depth))


def said(view: View, depth: Depth = "Picture") -> str:
    """All Markdown and the headings, one piece a line."""
    return "\n".join(part.text for part in parts(view, depth) if isinstance(part, Text | Heading))


def messages(view: View, depth: Depth = "Picture") -> list[tuple[str, str]]:
    """The kind and the text of each note."""
    notes = [part for part in parts(view, depth) if isinstance(part, Text)]
    return [(part.kind, part.text) for part in notes if part.kind in ("info", "warning", "error", "success")]


def tables(view: View, depth: Depth = "Numbers") -> list[pd.DataFrame]:
    """The tables."""
    return [part.make() for part in parts(view, depth) if isinstance(part, DataTable)]


def charts(view: View, depth: Depth = "Picture") -> list[Any]:
    """The figures of Plotly's."""
    return [part.draw() for part in parts(view, depth) if isinstance(part, Chart)]


def files(view: View, depth: Depth = "Picture") -> dict[str, Files]:
    """The files, by the beginning of their names."""
    return {part.name: part for part in parts(view, depth) if isinstance(part, Files)}


def equations(view: View) -> list[str]:
    """The equations, with = also in the place of ≈. Their digits hold."""
    found = [part.latex for part in parts(view, "Formula") if isinstance(part, Equation)]
    for latex in found:
        assert_digits_hold(latex)
    return [latex.replace(r"\approx", "=") for latex in found]


def ends(latex: str, value: float) -> bool:
    """Whether an equation ends in a value, in brackets where it is negative."""
    return latex.endswith(f"= {tex(value)}")
