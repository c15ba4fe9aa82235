"""A small table of readers and books, factorised as the reader edits it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model.errors import GlassformerError
from model.numerals import fixed
from model.vectors import factorisation
from pages.shared.elements import figures, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared.matrix_tables import named_rows
from viz.inputs.ladder import loss_figure, ratings_figure
from viz.shared.style import markdown_text, number

FIT_STEPS = 15  # of two half-steps each
PENALTY = 0.1
MAX_READERS = 60
MAX_UNDO_TABLES = 30
EXAMPLE = pd.DataFrame(
    {
        "Dune": [5.0, 4.0, None, 1.0, 2.0, None],
        "Foundation": [4.0, None, 5.0, 2.0, None, 1.0],
        "Solaris": [None, 5.0, 4.0, None, 1.0, 2.0],
        "Emma": [1.0, 2.0, None, 5.0, 4.0, None],
        "Persuasion": [None, 1.0, 2.0, 4.0, None, 5.0],
    },
    index=["Ada", "Ben", "Cem", "Dua", "Eve", "Fay"],
)


def show(numbers: bool) -> None:
    st.markdown("Each cell is a reader's rating of a book. Change, empty or add cells. Empty cells are predicted.")
    edited = _edit_table()
    st.slider("K, numbers a vector", 1, 10, key="tokens_k")
    ratings = edited.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    if len(ratings) > MAX_READERS:
        st.warning(f"The table has {len(ratings)} readers: at most {MAX_READERS} can be fitted here. Delete some rows.")
        return
    try:
        factors = list(factorisation.fit(ratings, state.get("tokens_k"), PENALTY, FIT_STEPS))
    except GlassformerError as error:
        st.warning(markdown_text(str(error)), icon=":material/info:")
        return
    losses = [factorisation.loss(ratings, each, PENALTY) for each in factors]
    predicted = factors[-1].predicted()
    rows = [{"half-step": i, "loss": loss} for i, loss in enumerate(losses)]
    figure = loss_figure(losses, "half-step", state.theme())
    figures.show_or_list(numbers, figure, "The loss after each half-step", lambda: rows)
    missing = int(np.isnan(ratings).sum())
    layout.caption(
        f"{len(losses) - 1} half-steps, readers and books in turn: the loss falls from {number(losses[0])} to "
        f"{number(losses[-1])} and never rises. {missing} missing ratings are predicted below."
    )
    figures.export("tokens-factorisation", figure, lambda: rows, ratings=ratings, predicted=predicted)
    readers, books = [str(i) for i in edited.index], [str(name) for name in edited.columns]
    table = pd.DataFrame(predicted, index=readers, columns=books)
    st.dataframe(table)
    draw = partial(ratings_figure, ratings, predicted, readers, books)
    figures.export("tokens-ratings", draw, partial(named_rows, table, "reader"))
    table_numbers, vector_numbers = factorisation.storage(5_000_000, 500_000, 10)
    fewer = fixed(table_numbers / vector_numbers, 0)
    layout.caption(
        f"The purpose: 5,000,000 readers and 500,000 books make a table of {fixed(table_numbers, 0)} ratings. With "
        f"K = 10 their vectors are {fixed(vector_numbers, 0)} numbers, {fewer} times fewer."
    )
    layout.caption(
        "The table below factorises log(1 + co-occurrence) of words in the same way: words are the readers, and their "
        "neighbours are the books."
    )


@dataclass
class RatingsSession:
    """The versions of the table, the present one last; and the number of its editor, with the table it began with."""

    tables: list[pd.DataFrame] = field(default_factory=lambda: [EXAMPLE])
    editor: int = 0
    start: pd.DataFrame | None = None


def _edit_table() -> pd.DataFrame:
    """Draw the editor of the table, which keeps its cells while another rung or page is open. Returns the table."""
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
    with st.container(horizontal=True):
        st.button("Undo", icon=":material/undo:", on_click=_undo, disabled=len(tables) < 2)
        at_start = edited.equals(EXAMPLE)
        st.button("Back to the example", icon=":material/restart_alt:", on_click=_reset, disabled=at_start)
    return edited


def latest_table() -> pd.DataFrame:
    """The table with the reader's changes."""
    return of_session(RatingsSession).tables[-1]


def _undo() -> None:
    session = of_session(RatingsSession)
    session.tables.pop()
    session.editor += 1  # start a new editor: the old one would repeat its changes


def _reset() -> None:
    session = of_session(RatingsSession)
    session.tables.append(EXAMPLE)
    session.editor += 1
