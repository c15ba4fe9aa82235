"""The table of readers and books, which the reader edits."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from pages.shared.server.session_values import of_session
from views.inputs.ladder import Ladder
from views.inputs.ratings import EXAMPLE

MAX_UNDO_TABLES = 30


@dataclass
class RatingsSession:
    """The versions of the table, the present one last; and the number of its editor, with the table it began with."""

    tables: list[pd.DataFrame] = field(default_factory=lambda: [EXAMPLE])
    editor: int = 0
    start: pd.DataFrame | None = None


def latest_table() -> pd.DataFrame:
    """The table with the reader's changes."""
    return of_session(RatingsSession).tables[-1]


def edit(view: Ladder) -> None:
    """The editor of the table, which keeps its cells while another rung or page is open. A change runs the page again,
    since the view was made of the table before it."""
    session = of_session(RatingsSession)
    tables, key = session.tables, f"tokens ratings {session.editor}"
    if key not in st.session_state:
        session.start = tables[-1]
    edited: pd.DataFrame = st.data_editor(
        session.start,
        key=key,
        num_rows="dynamic",
        column_config={name: st.column_config.NumberColumn(min_value=-100, max_value=100) for name in EXAMPLE.columns},
    )
    if not edited.equals(tables[-1]):
        tables.append(edited)
        del tables[:-MAX_UNDO_TABLES]
        st.rerun()
    with st.container(horizontal=True):
        st.button("Undo", icon=":material/undo:", on_click=_undo, disabled=len(tables) < 2)
        at_start = edited.equals(EXAMPLE)
        st.button("Back to the example", icon=":material/restart_alt:", on_click=_reset, disabled=at_start)
    st.slider("K, numbers a vector", 1, 10, key="tokens_k")


def _undo() -> None:
    session = of_session(RatingsSession)
    session.tables.pop()
    session.editor += 1  # start a new editor: the old one would repeat its changes


def _reset() -> None:
    session = of_session(RatingsSession)
    session.tables.append(EXAMPLE)
    session.editor += 1
