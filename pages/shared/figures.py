"""A Plotly figure on a page, and its files: the same picture for print, the numbers, a page that works alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st

from pages.shared import lesson

if TYPE_CHECKING:
    from pandas import DataFrame

Rows = Callable[[], Sequence[Mapping[str, Any]]]  # made only where they are shown or saved


def show(figure: go.Figure, alt: str) -> None:
    """The figure in the house look. `alt` says in a sentence what it shows."""
    st.plotly_chart(figure, theme=None, config={"displayModeBar": False}, alt=alt)


def show_or_list(numbers: bool, figure: go.Figure, alt: str, rows: Rows) -> None:
    """The figure, or at the depth Numbers what it draws, row by row."""
    if numbers:
        st.dataframe(list(rows()), hide_index=True)
    else:
        show(figure, alt)


def export(name: str, figure: go.Figure, rows: Rows, **arrays: Any) -> None:
    """The Export menu of a view: the figure as SVG, PDF and PNG, its `rows` as CSV, `arrays` as NPZ, and as HTML that
    needs no network. `rows` is called when the file is asked for, outside the page's script."""
    lesson.export(name, **files_of(figure, rows, **arrays))


def named_rows(table: DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of a table for a file, its index as the column `name`."""
    return [dict(row) for row in table.rename_axis(index=name).reset_index().to_dict("records")]


def files_of(figure: go.Figure, rows: Rows, **arrays: Any) -> dict[str, Callable[[], bytes | str]]:
    """What makes each file of a figure, by its label."""
    made: dict[str, Callable[[], bytes | str]] = {
        kind.upper(): partial(_picture, figure, kind) for kind in ("svg", "pdf", "png")
    }
    made["CSV"] = partial(_table, rows)
    if arrays:
        made["NPZ"] = partial(_arrays, arrays)
    made["HTML"] = partial(figure.to_html, include_plotlyjs=True)
    return made


def _picture(figure: go.Figure, kind: str) -> bytes:
    from viz import files, vector

    return files.file_of(vector.drawn(figure), kind)


def _table(rows: Rows) -> bytes:
    from viz import files

    return files.rows_csv(rows())


def _arrays(arrays: Mapping[str, Any]) -> bytes:
    from viz import files

    return files.npz(**arrays)
