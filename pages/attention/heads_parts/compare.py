"""Heads, view Compare: two heads, or two sentences of equal length in one head, side by side and subtracted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.attention.heads_parts import head_choice, next_words
from pages.attention.heads_parts.matrix import show_matrix
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state, token_window
from pages.shared.session.keys import MAX_CHARACTERS
from views.head_of_run import HeadOfRun
from views.shared.matrix_tables import cell_rows, matrix_table
from viz.attention.heads import weights_figure
from viz.attention.printed_heads import NamedMatrix, compared_figure
from viz.print.files import npz, rows_csv
from viz.shared.alternative import describe_figure
from viz.shared.labels import COLUMN_WIDTH
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import shorten

LARGEST = "the largest difference of a weight"


def show(screen: HeadOfRun, numbers: bool) -> None:
    """Three matrices (first, second, first − second), and where they differ most."""
    other = _read_other(screen)
    if other is None:
        return
    hidden = screen.hidden.numpy()
    first = NamedMatrix(_title(screen, other), screen.weights.numpy(), screen.queries, screen.keys, hidden=hidden)
    second = NamedMatrix(_title(other, screen), other.weights.numpy(), other.queries, other.keys, hidden=hidden)
    difference = NamedMatrix(
        "First − second",
        first.values - second.values,
        _pair_words(first.queries, second.queries),
        _pair_words(first.keys, second.keys),
        "difference",
        hidden,
    )
    choose = token_window.choose_part if numbers else token_window.choose_pair
    down, across = shown = choose("compare", hidden.shape, (screen.query, screen.key))
    if numbers:
        st.markdown(f"**{first.title} − {second.title}**")
        part, places = difference.part(down, across), (down.start, across.start)
        show_matrix(matrix_table(part.values, part.queries, part.keys, hidden[down, across], places))
    else:
        with st.container(key="heads compared"):
            _show_figures((first, second, difference), down, across)
    words, outcome = st.columns([7, 5], gap="large")  # below: three pictures need the whole width
    with words:
        layout.caption(_describe_difference(difference, hidden) + token_window.say_part(shown, hidden.shape))
        _export(screen, first, second, difference, *token_window.in_files(shown, hidden.shape))
    with outcome:
        next_words.show(screen)


def _show_figures(matrices: Sequence[NamedMatrix], down: slice, across: slice) -> None:
    for column, name, matrix in zip(st.columns(3), ("first", "second", "difference"), matrices, strict=True):
        with column:
            st.markdown(f"**{markdown_text(matrix.title)}**")
            part = matrix.part(down, across)
            figure = weights_figure(
                part.values, part.queries, part.keys, kind=matrix.kind,
                hidden=part.hidden, theme=state.theme(), most_high=400, most_wide=COLUMN_WIDTH,
                first_query=down.start,
            )  # fmt: skip
            alt = f"{matrix.title}: {matrix.kind} of {len(matrix.queries)} queries and {len(matrix.keys)} keys"
            figures.chart(figure, key=f"heads {name}", alt=describe_figure(alt, figure))


def _title(screen: HeadOfRun, other: HeadOfRun) -> str:
    """The thing in which a head differs from the other one: its place or its sentence."""
    if (screen.at.layer, screen.head) != (other.at.layer, other.head):
        return f"Layer {screen.at.layer}, head {screen.head}"
    return shorten(screen.run.text, 60)


def choose_other(screen: HeadOfRun) -> None:
    """Draws the controls that set another head, or another sentence, beside the chosen one."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Compare with", ("Another head", "Another sentence"), key="heads_with", required=True, width="content"
        )
        if state.get("heads_with") == "Another head":
            head_choice.other_head(screen)  # its layer and head exist when the controls are drawn
            st.number_input("Second layer", 0, screen.n_layers - 1, key="heads_layer2", width=130)
            st.number_input("Second head", 0, screen.config.n_heads - 1, key="heads_head2", width=130)
        else:
            st.text_input(
                "Second sentence",
                key="heads_text2",
                max_chars=MAX_CHARACTERS,
                placeholder=f"{len(screen.queries)} tokens, such as the first sentence with one word changed",
            )


def _read_other(screen: HeadOfRun) -> HeadOfRun | None:
    """The head that the controls set beside the chosen one. None, after a message, where it cannot be shown."""
    if state.get("heads_with") == "Another head":
        return head_choice.other_head(screen)
    text = state.get("heads_text2")
    if not text.strip():
        layout.caption("Type a second sentence with as many tokens as the first.")
        return None
    try:
        return head_choice.other_sentence(screen, text)
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None


def _pair_words(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """One label for the tokens of two sentences at the same place: both words where they differ."""
    return [a if a == b else f"{a} / {b}" for a, b in zip(first, second, strict=True)]


def _describe_difference(difference: NamedMatrix, hidden: NDArray[np.bool_]) -> str:
    """The pair at which both heads differ most, and the mean difference. Markdown."""
    change = np.where(hidden, 0, difference.values)
    claims.tell(LARGEST, float(np.abs(change).max()))
    i, j = divmod(int(np.abs(change).argmax()), change.shape[1])
    if change[i, j] == 0:
        return "Both are the same."
    stronger = "first" if change[i, j] > 0 else "second"
    query, key = markdown_text(difference.queries[i]), markdown_text(difference.keys[j])
    moved = float(np.abs(change).sum(1).mean() / 2)  # a weight that moves is missing in one place and added in another
    return (
        f"They differ most at **{query}** → **{key}**: the {stronger} gives {number(abs(change[i, j]), 2)} more. "
        f"On average {percent(moved)} of a query's attention goes to other keys."
    )


def _export(
    screen: HeadOfRun,
    first: NamedMatrix,
    second: NamedMatrix,
    difference: NamedMatrix,
    down: slice,
    across: slice,
) -> None:
    """The pictures and the table hold a part of the matrices, the archive holds all."""
    shown = [each.part(down, across) for each in (first, second, difference)]
    queries, keys, hidden = shown[-1].queries, shown[-1].keys, shown[-1].hidden
    names = ("first", "second", "difference")
    cells = {name: each.values for name, each in zip(names, shown, strict=True)}
    whole = {name: each.values for name, each in zip(names, (first, second, difference), strict=True)}
    figures.files(
        f"{screen.file_name}-compared",
        partial(compared_figure, shown, screen.run.model.card.title),
        partial(weights_figure, cells["difference"], queries, keys, kind="difference", hidden=hidden),
        CSV=lambda: rows_csv(cell_rows(queries, keys, cells)),
        NPZ=partial(npz, **whole, queries=difference.queries, keys=difference.keys),
    )
