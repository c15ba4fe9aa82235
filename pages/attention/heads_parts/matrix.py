"""Heads, view Matrix: the weights or the scores of one head, a row for each query and a column for each key."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from pages.attention.heads_parts import weight_story
from pages.attention.tables import matrix_table
from pages.shared.elements import figures, layout
from pages.shared.session import state, token_window
from pages.shared.session.head_on_screen import HeadOnScreen
from viz.attention.heads import weights_figure
from viz.print import head_pictures
from viz.print.files import npz
from viz.shared.alternative import describe_figure
from viz.shared.labels import BESIDE_WORDS_WIDTH
from viz.shared.style import number, plain_text

TALL = 20  # rows from which a table scrolls


def show(screen: HeadOnScreen, numbers: bool) -> None:
    with weight_story.picture_column(screen):
        st.segmented_control(
            "Values", ("Weights", "Scores"), key="heads_values", required=True, label_visibility="collapsed"
        )
        kind = state.get("heads_values").lower()
        values = (screen.scores if kind == "scores" else screen.weights).numpy()
        if numbers:
            show_matrix(matrix_table(values, screen.queries, screen.keys, screen.hidden.numpy()))
        else:
            _show_figure(screen, values, kind)
        caption = _describe_scores(screen) if kind == "scores" else weight_story.describe_head(screen)
        layout.caption(caption if numbers else f"{caption} Click a cell for its sum.")
        _export(screen, values, kind)


def show_matrix(table: pd.DataFrame) -> None:
    """A matrix as numbers that line up."""
    decimals = {name: st.column_config.NumberColumn(format="%.3f") for name in table.columns}
    height: Any = "content" if len(table) <= TALL else 720
    st.dataframe(table, height=height, column_config=decimals, placeholder="–")


def _show_figure(screen: HeadOnScreen, values: NDArray[Any], kind: str) -> None:
    down, across = token_window.choose_pair("matrix", len(screen.queries), len(screen.keys))
    selected = token_window.place_in(down, screen.query), token_window.place_in(across, screen.key)
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


def _take_cell(first_query: int, first_key: int) -> None:
    points = st.session_state["heads matrix"]["selection"]["points"]
    if points:
        state.put(query=first_query + int(points[0]["y"]), key=first_key + int(points[0]["x"]))


def _describe_scores(screen: HeadOnScreen) -> str:
    visible = screen.scores[~screen.hidden]
    return (
        f"{screen.place[0].upper()}{screen.place[1:]}: scores from {number(float(visible.min()))} to "
        f"{number(float(visible.max()))}. Softmax turns each row into weights; grey cells are masked."
    )


def _export(screen: HeadOnScreen, values: NDArray[Any], kind: str) -> None:
    queries, keys, hidden = screen.queries, screen.keys, screen.hidden.numpy()
    visible = np.where(hidden, np.nan, values)
    title = f"{screen.run.model.card.title}, {screen.place}: {kind}"
    figures.files(
        f"{screen.file_name}-{kind}",
        partial(head_pictures.matrix_picture, visible, queries, keys, title, signed=kind == "scores"),
        partial(weights_figure, values, queries, keys, kind=kind, hidden=hidden),
        CSV=partial(head_pictures.matrix_csv, values, queries, keys),
        NPZ=partial(npz, queries=queries, keys=keys, **{kind: values}),
    )
