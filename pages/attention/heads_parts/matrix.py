"""Heads, view Matrix: the weights or the scores of one head, a row for each query and a column for each key."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from model.arrays import Array
from pages.attention.heads_parts import weight_story, whole_matrix
from pages.shared.elements import columns, figures, layout
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared.matrix_tables import matrix_table
from viz.attention.heads import weights_figure
from viz.attention.printed_heads import NamedMatrix, matrix_figure
from viz.print import head_pictures
from viz.print.files import npz
from viz.shared.alternative import describe_figure
from viz.shared.labels import BESIDE_WORDS_WIDTH
from viz.shared.style import number, plain_text, upper_first

TALL = 20  # rows from which a table scrolls


def show(screen: HeadOfRun, numbers: bool) -> None:
    with weight_story.picture_column(screen):
        st.segmented_control(
            "Values", ("Weights", "Scores"), key="heads_values", required=True, label_visibility="collapsed"
        )
        kind = state.get("heads_values").lower()
        values = (screen.scores if kind == "scores" else screen.weights).numpy()
        if token_window.is_long(values.shape):
            whole_matrix.show(screen, values, kind)
        choose = token_window.choose_part if numbers else token_window.choose_pair
        part = choose("matrix", values.shape, (screen.query, screen.key))
        if numbers:
            show_matrix(_table(screen, values, *part), hidden="−∞" if kind == "scores" else "–")
        else:
            _show_figure(screen, values, kind, *part)
        caption = _describe_scores(screen) if kind == "scores" else weight_story.describe_head(screen)
        shown = token_window.say_part(part, values.shape)
        layout.caption(f"{caption}{shown}" if numbers else f"{caption} Click a cell for its sum.{shown}")
        _export(screen, values, kind, *token_window.in_files(part, values.shape))


def _table(screen: HeadOfRun, values: Array, down: slice, across: slice) -> pd.DataFrame:
    queries, keys, hidden = screen.queries[down], screen.keys[across], screen.hidden.numpy()[down, across]
    return matrix_table(values[down, across], queries, keys, hidden, (down.start, across.start))


def show_matrix(table: pd.DataFrame, hidden: str = "–") -> None:
    """A matrix as numbers that line up. `hidden` stands where the mask hides a cell."""
    decimals = {name: columns.decimals(3) for name in table.columns}
    height: Any = "content" if len(table) <= TALL else 720
    st.dataframe(table, height=height, column_config=decimals, placeholder=hidden)


def _show_figure(screen: HeadOfRun, values: Array, kind: str, down: slice, across: slice) -> None:
    selected = _selected(screen, down, across)
    figure = weights_figure(
        values[down, across],
        screen.queries[down],
        screen.keys[across],
        kind=kind,
        hidden=screen.hidden.numpy()[down, across],
        selected=selected if min(selected) >= 0 else None,
        theme=state.theme(),
        most_wide=BESIDE_WORDS_WIDTH,
        first_query=down.start,
    )
    figures.chart(
        figure,
        key="heads matrix",
        on_select=partial(_take_cell, down.start, across.start),
        selection_mode="points",
        alt=describe_figure(plain_text(weight_story.describe_head(screen)), figure),
    )


def _selected(screen: HeadOfRun, down: slice, across: slice) -> tuple[int, int]:
    """The chosen cell as a place in the part that is shown. One below 0 is not there."""
    return token_window.place_in(down, screen.query), token_window.place_in(across, screen.key)


def _take_cell(first_query: int, first_key: int) -> None:
    points = st.session_state["heads matrix"]["selection"]["points"]
    if points:
        state.put(query=first_query + int(points[0]["y"]), key=first_key + int(points[0]["x"]))


def _describe_scores(screen: HeadOfRun) -> str:
    visible = screen.scores[~screen.hidden]
    return (
        f"{upper_first(screen.place)}: scores from {number(float(visible.min()))} to "
        f"{number(float(visible.max()))}. Softmax turns each row into weights; grey cells are masked."
    )


def _export(screen: HeadOfRun, values: Array, kind: str, down: slice, across: slice) -> None:
    """The pictures and the table hold a part of the matrix, the archive holds all."""
    queries, keys, hidden = screen.queries[down], screen.keys[across], screen.hidden.numpy()[down, across]
    part = values[down, across]
    title = f"{screen.run.model.card.title}, {screen.place}: {kind}"
    named = NamedMatrix(title, part, queries, keys, kind, hidden)
    figures.files(
        f"{screen.file_name}-{kind}",
        partial(matrix_figure, named, selected=_selected(screen, down, across)),
        partial(weights_figure, part, queries, keys, kind=kind, hidden=hidden),
        CSV=partial(head_pictures.matrix_csv, part, queries, keys),
        NPZ=partial(npz, queries=screen.queries, keys=screen.keys, **{kind: values}),
    )
