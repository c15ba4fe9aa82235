"""A Plotly figure on a page, and its files: vector pictures of the same data, the numbers, a page that works alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st

from pages.shared import lesson

Rows = Callable[[], Sequence[Mapping[str, Any]]]  # made only where they are shown or saved

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def show(figure: go.Figure, alt: str) -> None:
    """The figure in the house look. `alt` says in a sentence what it shows."""
    st.plotly_chart(figure, theme=None, config={"displayModeBar": False}, alt=alt)


def show_or_list(numbers: bool, figure: go.Figure, alt: str, rows: Rows) -> None:
    """The figure, or at the depth Numbers what it draws, row by row."""
    if numbers:
        st.dataframe(list(rows()), hide_index=True)
    else:
        show(figure, alt)


def export(name: str, figure: go.Figure, rows: Rows, draw: Callable[[], Figure], **arrays: Any) -> None:
    """The Export menu of a view: SVG, PDF and PNG of what `draw` gives, `rows` as CSV, `arrays` as NPZ, the figure as
    HTML that needs no network. `rows` and `draw` are called when a file is asked for, outside the page's script."""
    from viz import curves_export, heads_export

    def picture(kind: str) -> bytes:
        return heads_export.file_of(draw(), kind)

    files: dict[str, Callable[[], bytes | str]] = {
        kind.upper(): partial(picture, kind) for kind in ("svg", "pdf", "png")
    }
    files["CSV"] = lambda: curves_export.rows_csv(rows())
    if arrays:
        files["NPZ"] = partial(heads_export.npz, **arrays)
    files["HTML"] = partial(figure.to_html, include_plotlyjs=True)
    lesson.export(name, **files)
