"""A Plotly figure on a page, and its files: the same picture for print, the numbers, a page that works alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import layout, lecture_screen, state
from viz.shared.alternative import describe_figure
from viz.shared.enlargement import enlarge
from viz.shared.style import Theme, colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from viz.shared.fonts import Hand

Draw = Callable[..., Any]  # theme="light" or "dark" -> the picture, a figure of Plotly's or of Matplotlib's
Rows = Callable[[], Sequence[Mapping[str, Any]]]  # made only where they are shown or saved
PICTURES = {
    "SVG": "svg",
    "PDF": "pdf",
    "PNG": "png",
    "PNG (slide)": "slide",
}  # label -> kind of `viz.print.files.file_of`

_offered: dict[str, list[Draw]] = {}  # by session, of those that are watched


def show(figure: go.Figure, alt: str) -> None:
    """The figure in the house look. `alt` says in a sentence what it shows."""
    chart(figure, alt=describe_figure(alt, figure))


def chart(figure: go.Figure, **how: Any) -> Any:
    """The figure on the page, as `st.plotly_chart` does it; larger while a lecture is presented. For a chart with a key
    or a selection of its own; `alt` must say all that it shows."""
    room = lecture_screen.lecture_room()
    if room is not None:
        figure = enlarge(figure, room.scale, room.tallest)
    return st.plotly_chart(figure, **{"theme": None, "config": {"displayModeBar": False}} | how)


def show_or_list(numbers: bool, figure: go.Figure, alt: str, rows: Rows) -> None:
    """The figure, or at the depth Numbers what it draws, row by row."""
    if numbers:
        st.dataframe(list(rows()), hide_index=True)
    else:
        show(figure, alt)


def export(name: str, figure: go.Figure | Draw, rows: Rows, **arrays: Any) -> None:
    """The Export menu of a view: the figure for print and slides, light or dark, its `rows` as CSV, `arrays` as NPZ,
    and as HTML that needs no network. `rows` is called when the file is asked for, outside the page's script.

    A figure of images, which are painted in their theme, is given as what draws it.
    """
    draw: Draw = partial(_in_theme, figure) if isinstance(figure, go.Figure) else figure
    makers: dict[str, Callable[[], bytes | str]] = {"CSV": partial(_table, rows)}
    if arrays:
        makers["NPZ"] = partial(_arrays, arrays)
    files(name, draw, draw, **makers)


def files(name: str, draw: Draw, living: Draw | None = None, **makers: Callable[[], bytes | str]) -> None:
    """The Export menu of a view whose picture `draw` makes, and of whatever else `makers` make. `living` draws the
    Plotly figure that is saved as HTML."""
    context = get_script_run_ctx()
    if context is not None and context.session_id in _offered:
        _offered[context.session_id].append(draw)
    pictures: dict[str, Callable[[Theme], bytes | str]] = {
        label: partial(_picture, draw, kind, state.get("urdu")) for label, kind in PICTURES.items()
    }
    if living is not None:
        pictures["HTML"] = partial(_page, living, state.get("urdu"))
    layout.export(name, pictures, **makers)


def table(name: str, rows: Rows) -> None:
    """The Export menu of a table that has no picture: its `rows` as CSV."""
    layout.export(name, CSV=partial(_table, rows))


@contextmanager
def watching(session: str) -> Iterator[list[Draw]]:
    """What draws the pictures that the views of a session offer while it is watched, in their order."""
    _offered[session] = []
    try:
        yield _offered[session]
    finally:
        del _offered[session]


def picture(draw: Draw, theme: Theme = "light") -> Figure:
    """The figure for print."""
    from viz.print import from_plotly

    drawn = draw(theme=theme)
    return from_plotly.to_matplotlib(drawn) if isinstance(drawn, go.Figure) else drawn


def named_rows(table: DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of a table for a file, its index as the column `name`."""
    return [dict(row) for row in table.rename_axis(index=name).reset_index().to_dict("records")]


def _in_theme(figure: go.Figure, theme: Theme) -> go.Figure:
    from viz.documents.restyle import restyle_figure

    return restyle_figure(figure, theme)


def _picture(draw: Draw, kind: str, hand: Hand, theme: Theme) -> bytes:
    from viz.print import files

    return files.file_of(picture(draw, theme), kind, hand)


def _page(draw: Draw, hand: Hand, theme: Theme) -> str:
    """The figure on the ground of its theme: its own is transparent, and the page of a file is white."""
    from viz.documents.page_fonts import faces

    figure = go.Figure(draw(theme=theme)).update_layout(paper_bgcolor=colour("background", theme))
    fonts = faces(str(json.loads(figure.to_json())), hand)
    return figure.to_html(include_plotlyjs=True).replace("<head>", f"<head><style>{fonts}</style>", 1)


def _table(rows: Rows) -> bytes:
    from viz.print import files

    return files.rows_csv(rows())


def _arrays(arrays: Mapping[str, Any]) -> bytes:
    from viz.print import files

    return files.npz(**arrays)
