"""The whole matrix of a head over a long text, in blocks of cells. A click on a block shows its cells below."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from model.arrays import Array
from pages.shared.elements import figures, layout
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes
from viz.attention.whole_matrix import BLOCKS, block_rows, blocks_figure
from viz.shared.payload import pool_edges
from viz.shared.style import number


def show(screen: HeadOfRun, values: Array, kind: str) -> None:
    """values (queries, keys)."""
    shown = token_window.part_of(values.shape, (screen.query, screen.key))
    draw = partial(blocks_figure, values, screen.hidden.numpy(), kind, shown)
    picked = partial(_take_block, *values.shape)
    alt = f"All {kind} of {screen.place}, {len(values):,} queries and {values.shape[1]:,} keys"
    figures.chart(draw(state.theme()), key="heads whole", on_select=picked, selection_mode="points", alt=alt)
    i, j = _largest(screen, values)
    layout.caption(
        f"All {values.shape[0]:,} × {values.shape[1]:,} {kind}, each cell here the largest of a block: "
        f"{BLOCKS} × {BLOCKS} blocks. Largest away from the first token: {quotes.quote(screen.queries[i], i)} to "
        f"{quotes.quote(screen.keys[j], j)}, {number(float(values[i, j]))}. "
        "Click a block for its cells, framed here and drawn below."
    )
    figures.export(f"{screen.file_name}-all-{kind}", draw, partial(block_rows, values, screen.hidden.numpy()))


def _largest(screen: HeadOfRun, values: Array) -> tuple[int, int]:
    """The (query, key) of the largest visible value after the first key."""
    visible = np.where(screen.hidden.numpy(), -np.inf, values)
    visible[:, 0] = -np.inf
    row, column = np.unravel_index(int(visible.argmax()), visible.shape)
    return int(row), int(column)


def _take_block(queries: int, keys: int) -> None:
    points = st.session_state["heads whole"]["selection"]["points"]
    if points:
        down, across = (
            int(pool_edges(size, BLOCKS)[int(points[0][axis])]) for size, axis in ((queries, "y"), (keys, "x"))
        )
        state.put(window=token_window.around(down, queries), columns=token_window.around(across, keys))
