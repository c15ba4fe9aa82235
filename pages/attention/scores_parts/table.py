"""A table of attention weights to edit: the effect of a row of weights, without any model. Shamsi (2024)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model import GlassformerError
from model.analysis import scores
from pages.attention.scores_parts import steps
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.columns import decimals
from pages.shared.model_runs import traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.head_of_run import KEEP
from views.shared import quotes
from viz.attention.printed_heads import NamedMatrix, matrix_figure
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import markdown_text, number, percent

WORDS = ("Hello", "I", "like", "you")
SHAMSI = ((0.8, 0.1, 0.05, 0.05), (0.1, 0.6, 0.2, 0.1), (0.05, 0.2, 0.65, 0.1), (0.2, 0.1, 0.1, 0.6))
FRAMED = (2, 1)  # the cell that the picture frames at first
SENTENCE = " ".join(WORDS)
AT_THEMSELVES = "the number of words that look most at themselves"
LARGEST = "the largest weight"
PROMPTS = (
    layout.Prompt(
        "Shamsi's table",
        "Each word looks most at itself.",
        {"scores_table": ""},
        claim=Claim(AT_THEMSELVES, "is", len(WORDS)),
    ),
    layout.Prompt(
        "All the same",
        "Equal weights: every word becomes the same mean.",
        {"scores_table": ",".join(["0.25"] * 16)},
        claim=Claim(LARGEST, "is", 0.25),
    ),
    layout.Prompt(
        "This sentence in the model",
        "The same four words through the steps of a real head.",
        {"text": SENTENCE, "scores_part": "steps"},
        claim=Claim(steps.SENTENCE, "is", SENTENCE),
        at="scores steps",
    ),
)


@dataclass
class TableSession:
    """The editor on screen: its number, the table that it began with, and the value of the key that it has made.

    `left`: the reader's own table, before Shamsi's came back.
    """

    editor: int = 0
    start: pd.DataFrame | None = None
    shown: str | None = None
    left: str = ""


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(scores.check_table)
        return
    if depth == "Formula":
        _show_formula()
        return
    rows = _edit_table()
    _show_resets()
    try:
        weights = scores.check_table(rows, WORDS).numpy()
    except GlassformerError as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        layout.try_this(*PROMPTS)
        return
    state.put(scores_table="" if np.allclose(weights, SHAMSI) else ",".join(f"{value:g}" for value in weights.flat))
    of_session(TableSession).shown = state.get("scores_table")
    claims.tell(AT_THEMSELVES, int((weights.argmax(1) == np.arange(len(WORDS))).sum()))
    claims.tell(LARGEST, round(float(weights.max()), 6))
    st.markdown("\n".join(f"- {_describe_row(i, row)}" for i, row in enumerate(weights)))
    if depth == "Picture":
        _show_beside_head(weights)
    layout.caption(
        "An illustration by hand, not the output of a model: Shamsi (2024), fig. 10. Each row says how much of every "
        "word goes into the new vector of one word."
    )
    figures.files(
        "attention-table",
        partial(matrix_figure, NamedMatrix("A table by hand: Shamsi (2024), fig. 10", weights, WORDS, WORDS)),
        CSV=lambda: head_pictures.matrix_csv(weights, WORDS, WORDS),
        NPZ=partial(npz, weights=weights, words=WORDS),
    )
    layout.try_this(*PROMPTS)


def _show_formula() -> None:
    layout.equation(
        r"h_i = \sum_j A_{ij}\, v_j, \qquad \sum_j A_{ij} = 1",
        "Palaskos (2022), eq. 3.15; the table: Shamsi (2024), fig. 10",
    )
    for word, row in zip(WORDS, _read_table(), strict=True):
        shares = [quotes.tex(float(weight), 2) for weight in row]
        terms = [rf"{share}\,v_{{\text{{{other}}}}}" for share, other in zip(shares, WORDS, strict=True)]
        layout.work_out(
            f"The row of {quotes.quote(word)}, and its sum:",
            " + ".join(terms),
            f"{' + '.join(shares)} = {quotes.tex(float(row.sum()), 2)}",
        )


def _edit_table() -> list[list[float | None]]:
    """Draws the editor and returns its rows, None for an empty cell.

    A table that the editor has not made, of a link or a prompt, begins a new editor.
    """
    session = of_session(TableSession)
    if session.start is None or session.shown != state.get("scores_table"):
        session.editor += 1
        session.start = pd.DataFrame(_read_table(), index=list(WORDS), columns=list(WORDS))
        session.shown = state.get("scores_table")
    columns = {word: decimals(2, label=word, step=0.01) for word in WORDS}
    table = st.data_editor(session.start, column_config=columns, key=f"scores editor {session.editor}", width=460)
    return [[None if pd.isna(value) else float(value) for value in row] for row in table.to_numpy()]


def _read_table() -> np.ndarray:
    """The table of the link, or Shamsi's where the link holds none or not sixteen numbers."""
    text = state.get("scores_table")
    if not text:
        return np.array(SHAMSI)
    try:
        return np.array([float(part) for part in text.split(",")]).reshape(4, 4)
    except ValueError:
        state.say("scores_table", "The link's table is not sixteen numbers. Shown: Shamsi's.")
        return np.array(SHAMSI)


def _show_resets() -> None:
    """The way back to Shamsi's table, and from there back to the reader's own."""
    with st.container(horizontal=True):
        st.button("Back to Shamsi's table", on_click=_reset, type="tertiary", icon=":material/restart_alt:")
        if of_session(TableSession).left and not state.get("scores_table"):
            st.button("Undo: my table again", on_click=_undo, type="tertiary", icon=":material/undo:")


def _reset() -> None:
    of_session(TableSession).left = state.get("scores_table")
    state.put(scores_table="")


def _undo() -> None:
    state.put(scores_table=of_session(TableSession).left)


def _describe_row(i: int, row: np.ndarray) -> str:
    order = np.argsort(-row, kind="stable")
    terms = " + ".join(f"{number(float(row[j]), 2)} {WORDS[j]}" for j in order if row[j] > 0)
    return f"**{WORDS[i]}** becomes {terms}; it looks most at **{WORDS[order[0]]}**, {percent(float(row[order[0]]))}."


def _show_beside_head(weights: np.ndarray) -> None:
    """The table as a picture. Beside it a real head on these four words, where they are the tokens of the model."""
    panels = [Panel("The table", "by hand", "table", weights)]
    screen = head_controls.choose()
    try:
        trace = traces.trace(screen.run.model, SENTENCE, KEEP, target=screen.run.target)
    except traces.errors() as error:
        traces.complain(error)
        return
    of_head = trace[f"{screen.at.path}.weights"][screen.head].numpy()
    has_words = [token.text.strip().lower() for token in trace.tokens] == [word.lower() for word in WORDS]
    if has_words and of_head.shape == weights.shape:
        panels.append(Panel("A real head", screen.place, "head", of_head))
    matrix_mounts.panels(
        pack_panels(panels, WORDS, WORDS, identity="table", title="Weights of four words", selected=FRAMED, sums=True),
        key="scores table panels",
        on_cell=_ignore_cell,
    )
    if len(panels) > 1:
        figures.files(
            "attention-table-and-head",
            partial(panel_pictures.panels_picture, panels, WORDS, WORDS, "Weights of four words", selected=FRAMED),
            CSV=lambda: head_pictures.matrix_csv(of_head, WORDS, WORDS),
            NPZ=partial(npz, table=weights, head=of_head, words=WORDS),
        )


def _ignore_cell() -> None:
    """The framed cell is not kept: no other part of the page shows it."""
