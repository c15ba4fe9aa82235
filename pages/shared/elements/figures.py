"""A Plotly figure on a page, and its files: the same picture for print, its numbers, and a page that works alone."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st

from pages.catalogue import BY_URL
from pages.shared.elements import layout, lecture_screen
from pages.shared.session import state
from views.parts import Draw, Files, Rows
from viz.shared.enlargement import enlarge
from viz.shared.labels import CHART_WIDTHS, least_width
from viz.shared.style import Theme, colour

if TYPE_CHECKING:
    from viz.shared.fonts import Hand

PICTURES = {
    "SVG": "svg",
    "PDF": "pdf",
    "PNG": "png",
    "PNG (slide)": "slide",
}  # label -> kind of `viz.print.files.file_of`
MAX_NARROW_PIXELS = 200  # of a chart that any screen has room for


def chart(figure: go.Figure, **how: Any) -> Any:
    """The figure on the page, as by `st.plotly_chart`, larger on a large screen and while a lecture is presented.

    Use it for a chart with a key or a selection. Its `alt` must describe everything in it.
    """
    screen = lecture_screen.chart_screen()
    needed = least_width(figure)
    if screen is not None:
        figure = enlarge(figure, screen.scale, screen.max_chart_pixels)
    with _wide_enough(needed, str(how.get("key") or how.get("alt"))):
        return st.plotly_chart(figure, **{"theme": None, "config": {"displayModeBar": False}} | how)


def _wide_enough(needed: float, name: str) -> AbstractContextManager[Any]:
    """A place for a chart that needs so many pixels. Where a screen has fewer, the chart is moved sideways."""
    if needed <= MAX_NARROW_PIXELS:
        return nullcontext()
    least = next((width for width in CHART_WIDTHS if width >= needed), CHART_WIDTHS[-1])
    return st.container(key=f"labels-{least} {zlib.crc32(name.encode()):x}")


def files(part: Files) -> None:
    """The Export menu of a view: its pictures for print, and its other files."""
    makers: dict[str, Callable[[], bytes | str]] = {}
    if part.rows is not None:
        makers["CSV"] = partial(_make_csv, part.rows)
    if part.arrays is not None:
        makers["NPZ"] = partial(_make_npz, part.arrays)
    makers |= part.others
    layout.export(part.name, _pictures(part) if part.print is not None else None, **makers)


def _pictures(part: Files) -> dict[str, Callable[[Theme], bytes | str]]:
    """What makes each picture in a theme, by its label."""
    hand, title = state.get("urdu"), _title()
    made: dict[str, Callable[[Theme], bytes | str]] = {
        label: partial(_make_picture, part, kind, hand, title) for label, kind in PICTURES.items()
    }
    return made if part.interactive is None else made | {"HTML": partial(_make_page, part.interactive, hand)}


def _title() -> str:
    """The page and its open part: the title of a slide."""
    entry = BY_URL.get(state.page())
    return ": ".join(filter(None, (entry.title if entry else "", layout.open_part())))


def _make_picture(part: Files, kind: str, hand: Hand, title: str, theme: Theme) -> bytes:
    from viz.print import files

    return files.file_of(part.figure(theme), kind, hand, title)


def _make_page(draw: Draw, hand: Hand, theme: Theme) -> str:
    """The figure as HTML on the background of its theme. The figure's own background is transparent, the page white."""
    from viz.documents.page_fonts import faces

    figure = go.Figure(draw(theme=theme)).update_layout(paper_bgcolor=colour("background", theme))
    fonts = faces(str(json.loads(figure.to_json())), hand)
    return figure.to_html(include_plotlyjs=True).replace("<head>", f"<head><style>{fonts}</style>", 1)


def _make_csv(rows: Rows) -> bytes:
    from viz.print import files  # It imports Matplotlib, which takes half a second.

    return files.rows_csv(rows())


def _make_npz(arrays: Callable[[], Mapping[str, Any]]) -> bytes:
    from viz.print import files

    return files.npz(**arrays())
