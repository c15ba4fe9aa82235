"""The editor of the table on Scores, and the real head that stands beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from model import GlassformerError
from model.analysis.scores import check_table
from pages.shared.elements.columns import decimals
from pages.shared.model_runs import traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.attention.scores.table import SENTENCE, SHAMSI, WORDS, Rows, WeightTable, rows_of
from views.head_of_run import KEEP, HeadOfRun
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


@dataclass
class TableSession:
    """The editor on screen: its number, the rows that it began with, and the rows as the reader has edited them.

    `shown`: the value of the key for which it began, or which it has made. `left`: the reader's own table, before
    Shamsi's came back.
    """

    editor: int = 0
    start: Rows = ()
    rows: Rows = ()
    shown: str | None = None
    left: str = ""


def read_rows() -> Rows:
    """The rows of the editor. A table that it has not made, of a link or a prompt, begins a new editor."""
    session = of_session(TableSession)
    if session.shown != state.get("scores_table"):
        session.editor += 1
        session.start = session.rows = _read_link()
        session.shown = state.get("scores_table")
    return session.rows


def _read_link() -> Rows:
    """The table of the link, or Shamsi's where the link holds none or not sixteen numbers."""
    try:
        return rows_of(state.get("scores_table"))
    except GlassformerError:
        state.say("scores_table", "The link's table is not sixteen numbers. Shown: Shamsi's.")
        return SHAMSI


def read_beside(head: HeadOfRun) -> tuple[HeadOfRun | None, Text | None]:
    """The chosen head over the words of the table; or why the model cannot read them."""
    run = head.run
    try:
        return HeadOfRun(traces.run(run.model, SENTENCE, KEEP, target=run.target), head.at, head.head), None
    except traces.errors() as error:
        return None, Text(markdown_text(str(error)), "error", ":material/error:")


def edit(view: WeightTable) -> None:
    """The editor, the way back to Shamsi's table, and from there back to the reader's own."""
    session = of_session(TableSession)
    table = pd.DataFrame(session.start, index=list(WORDS), columns=list(WORDS), dtype=float)
    columns = {word: decimals(2, label=word, step=0.01) for word in WORDS}
    key = _key_of(session)
    st.data_editor(table, column_config=columns, key=key, on_change=_take_edit, width=460)
    with st.container(horizontal=True):
        st.button("Back to Shamsi's table", on_click=_reset, type="tertiary", icon=":material/restart_alt:")
        if session.left and not state.get("scores_table"):
            st.button("Undo: my table again", on_click=_undo, type="tertiary", icon=":material/undo:")


def _key_of(session: TableSession) -> str:
    return f"scores editor {session.editor}"


def _take_edit() -> None:
    """Keep the edited rows, and in the link too where they are weights."""
    session = of_session(TableSession)
    rows = [list(row) for row in session.start]
    for place, cells in st.session_state[_key_of(session)]["edited_rows"].items():
        for word, value in cells.items():
            rows[int(place)][WORDS.index(word)] = None if value is None else float(value)
    session.rows = tuple(map(tuple, rows))
    try:
        weights = check_table(rows, WORDS).numpy()
    except GlassformerError:
        return
    state.put(scores_table="" if np.allclose(weights, SHAMSI) else ",".join(f"{value:g}" for value in weights.flat))
    session.shown = state.get("scores_table")


def _reset() -> None:
    session = of_session(TableSession)
    session.left, session.shown = state.get("scores_table"), None
    state.put(scores_table="")


def _undo() -> None:
    state.put(scores_table=of_session(TableSession).left)
