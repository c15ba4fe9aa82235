"""Patching over several pairs: the menu of tasks, and the table of pairs, which the reader types, edits and pastes."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from model import Model
from model.experiments.pair_text import CELLS, read_pairs, write_pairs
from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair, usual_task
from pages.shared.server.session_values import of_session
from pages.shared.session import state

OWN = "your own"  # what the menu says while the pairs are those of no task
NONE = "\t"  # a table without a pair: "" stands for the page's own task
MOST_PAIRS = 50
TITLES = {
    "clean": "clean prompt",
    "changed": "changed prompt, with as many tokens",
    "answer": "answer",
    "against": "other answer",
}


@dataclass
class PairTableSession:
    """The editor on screen: its number, the table with which it began, and the text of what it has now."""

    editor: int = 0
    start: pd.DataFrame | None = None
    text: str | None = None


def read(model: Model) -> tuple[PromptPair, ...]:
    """The pairs of the present keys, at most `MOST_PAIRS`."""
    pairs = read_pairs(_text(model))
    if len(pairs) > MOST_PAIRS:
        state.say("why_pairs", f"The table has {len(pairs):,} pairs. The first {MOST_PAIRS} are read.")
    return pairs[:MOST_PAIRS]


def _text(model: Model) -> str:
    text: str = state.get("why_pairs")
    return text or usual_task(model)


def choose_task(model: Model) -> None:
    """The menu of the tasks that stand ready."""
    text = _text(model)
    own = () if text in EXAMPLE_PAIRS else (OWN,)
    st.session_state["why task"] = own[0] if own else text
    st.selectbox("Task", (*own, *EXAMPLE_PAIRS), key="why task", on_change=_take_task, width=210)


def _take_task() -> None:
    chosen = st.session_state["why task"]
    if chosen != OWN:
        state.put(why_pairs=chosen, why_mean_cell=())


def edit(model: Model) -> None:
    """The editor of the table. A change runs the page again, since the view was made of the pairs before it."""
    session, text = of_session(PairTableSession), _text(model)
    if session.text != text:  # of a link, of a prompt, or of the menu: the old editor would repeat its changes
        session.editor, session.text = session.editor + 1, text
        session.start = _table(read_pairs(text))
    edited: pd.DataFrame = st.data_editor(
        session.start,
        key=f"why pairs editor {session.editor}",
        num_rows="dynamic",
        hide_index=True,
        column_config={cell: st.column_config.TextColumn(title) for cell, title in TITLES.items()},
    )
    pairs = [PromptPair(*row) for row in edited.fillna("").astype(str).itertuples(index=False)]
    if (now := write_pairs(pairs) or NONE) != text:
        session.text = now
        state.put(why_pairs=now)
        st.rerun()


def _table(pairs: tuple[PromptPair, ...]) -> pd.DataFrame:
    rows = [[getattr(pair, cell) for cell in CELLS] for pair in pairs]
    return pd.DataFrame(rows, columns=list(CELLS), dtype=str)
