"""A Plotly figure on a page, and its files: the same picture for print, its numbers, and a page that works alone."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st

from pages.catalogue import BY_URL
from pages.shared.elements import layout, lecture_screen
from pages.shared.recording import page_recording
from pages.shared.session import state
from pages.shared.session.handed_over import HandedOver
from viz.shared.enlargement import enlarge
from viz.shared.labels import CHART_WIDTHS, least_width
from viz.shared.style import Theme, colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from viz.shared.fonts import Hand

Draw = Callable[..., Any]  # theme="light" or "dark" -> a figure of Plotly's or of Matplotlib's
Rows = Callable[[], Sequence[Mapping[str, Any]]]  # called only when the rows are shown or saved
PICTURES = {
    "SVG": "svg",
    "PDF": "pdf",
    "PNG": "png",
    "PNG (slide)": "slide",
}  # label -> kind of `viz.print.files.file_of`
MAX_NARROW_PIXELS = 200  # of a chart that any screen has room for


@dataclass(frozen=True)
class Drawer:
    """The function that draws a picture of a page. `focus`: the elements of the page that the picture shows, by their
    names in `pages.shared.recording.focus_names`; none where it is the page's only or first picture."""

    draw: Draw
    focus: tuple[str, ...] = ()


_collected: HandedOver[list[Drawer]] = HandedOver()


def chart(figure: go.Figure, **how: Any) -> Any:
    """The figure on the page, as by `st.plotly_chart`, larger on a large screen and while a lecture is presented.

    Use it for a chart with a key or a selection. Its `alt` must describe everything in it.
    """
    screen = lecture_screen.chart_screen()
    needed = least_width(figure)
    if screen is not None:
        page_recording.take_original(figure)
        figure = enlarge(figure, screen.scale, screen.max_chart_pixels)
    with _wide_enough(needed, str(how.get("key") or how.get("alt"))):
        return st.plotly_chart(figure, **{"theme": None, "config": {"displayModeBar": False}} | how)


def _wide_enough(needed: float, name: str) -> AbstractContextManager[Any]:
    """A place for a chart that needs so many pixels. Where a screen has fewer, the chart is moved sideways."""
    if needed <= MAX_NARROW_PIXELS:
        return nullcontext()
    least = next((width for width in CHART_WIDTHS if width >= needed), CHART_WIDTHS[-1])
    return st.container(key=f"labels-{least} {zlib.crc32(name.encode()):x}")


def files(
    name: str,
    draw: Draw,
    interactive: Draw | None = None,
    focus: tuple[str, ...] = (),
    /,
    **makers: Callable[[], bytes | str],
) -> None:
    """The Export menu of a view. `draw` makes its picture, `makers` make its other files, by their labels.

    `interactive` draws the Plotly figure that is saved as HTML. `focus`: see `Drawer`.
    """
    if (drawers := _collected.here()) is not None:
        drawers.append(Drawer(draw, focus))
    pictures: dict[str, Callable[[Theme], bytes | str]] = {
        label: partial(_make_picture, draw, kind, state.get("urdu"), _title()) for label, kind in PICTURES.items()
    }
    if interactive is not None:
        pictures["HTML"] = partial(_make_page, interactive, state.get("urdu"))
    layout.export(name, pictures, **makers)


def collect_drawers(session: str) -> AbstractContextManager[list[Drawer]]:
    """The pictures of a session's Export menus, in their order. The list fills up as the page runs in the `with`."""
    return _collected.to(session, [])


def forget_drawers() -> None:
    """Forget the pictures that were collected in this session. Call it when its page begins a new run."""
    if (drawers := _collected.here()) is not None:
        drawers.clear()


def in_focus(focus: str, drawers: Sequence[Drawer]) -> list[Drawer]:
    """The pictures that show the element `focus`; the first picture where none does; all pictures for the focus "".

    Those that name no element come first: the page is about them.
    """
    ordered = sorted(drawers, key=lambda each: bool(each.focus))
    named = [each for each in ordered if not focus or focus in each.focus]
    return named or ordered[:1]


def print_figure(draw: Draw, theme: Theme = "light") -> Figure:
    """The picture of an Export menu as a Matplotlib figure."""
    from viz.print import from_plotly

    drawn = draw(theme=theme)
    return from_plotly.to_matplotlib(drawn) if isinstance(drawn, go.Figure) else drawn


def _title() -> str:
    """The page and its open part: the title of a slide."""
    entry = BY_URL.get(state.page())
    return ": ".join(filter(None, (entry.title if entry else "", layout.open_part())))


def _make_picture(draw: Draw, kind: str, hand: Hand, title: str, theme: Theme) -> bytes:
    from viz.print import files

    return files.file_of(print_figure(draw, theme), kind, hand, title)


def _make_page(draw: Draw, hand: Hand, theme: Theme) -> str:
    """The figure as HTML on the background of its theme. The figure's own background is transparent, the page white."""
    from viz.documents.page_fonts import faces

    figure = go.Figure(draw(theme=theme)).update_layout(paper_bgcolor=colour("background", theme))
    fonts = faces(str(json.loads(figure.to_json())), hand)
    return figure.to_html(include_plotlyjs=True).replace("<head>", f"<head><style>{fonts}</style>", 1)


def make_csv(rows: Rows) -> bytes:
    """The rows as a CSV file."""
    from viz.print import files  # It imports Matplotlib, which takes half a second.

    return files.rows_csv(rows())


def make_npz(arrays: Mapping[str, Any]) -> bytes:
    """Arrays by their names as an NPZ file."""
    from viz.print import files

    return files.npz(**arrays)
