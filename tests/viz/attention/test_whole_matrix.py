"""A whole matrix in blocks: each block holds the largest of the cells that the mask shows."""

from __future__ import annotations

import numpy as np
import pytest

from viz.attention.whole_matrix import BLOCKS, block_rows, blocks_figure

QUERIES, KEYS = 300, 260
MATRIX = np.random.default_rng(0).random((QUERIES, KEYS), np.float32)
HIDDEN = np.triu(np.ones((QUERIES, KEYS), bool), 1)


def largest_by_hand(row: int, column: int) -> float:
    """Of the block (row, column), cell after cell; NaN where all are hidden."""
    cells = [
        float(MATRIX[i, j])
        for i in range(row * QUERIES // BLOCKS, (row + 1) * QUERIES // BLOCKS)
        for j in range(column * KEYS // BLOCKS, (column + 1) * KEYS // BLOCKS)
        if not HIDDEN[i, j]
    ]
    return max(cells, default=np.nan)


def test_a_block_holds_its_largest_visible_cell() -> None:
    cells = blocks_figure(MATRIX, HIDDEN, "weights", (slice(0, 64), slice(0, 64))).data[0].z
    assert cells.shape == (BLOCKS, BLOCKS)
    for row, column in ((0, 0), (5, 3), (127, 127), (60, 60), (3, 90)):
        assert cells[row][column] == pytest.approx(largest_by_hand(row, column), nan_ok=True)
    assert np.isnan(cells[3][90])


def test_a_click_lies_on_each_visible_block_and_tells_its_first_query_and_key() -> None:
    cells, grey, clicks = blocks_figure(MATRIX, HIDDEN, "scores", (slice(0, 64), slice(0, 64))).data
    assert (grey.z.astype(bool) == np.isnan(cells.z)).all()  # what is hidden has no colour of a number
    assert len(clicks.x) == int((~np.isnan(cells.z)).sum())
    last = int(np.lexsort((clicks.x, clicks.y))[-1])
    assert tuple(clicks.customdata[last]) == (127 * QUERIES // BLOCKS, 127 * KEYS // BLOCKS)


def test_the_frame_is_around_the_cells_that_are_drawn_below() -> None:
    (frame,) = blocks_figure(MATRIX, HIDDEN, "weights", (slice(75, 150), slice(0, 130))).layout.shapes
    assert (frame.y0, frame.y1) == (75 * BLOCKS / QUERIES - 0.5, 150 * BLOCKS / QUERIES - 0.5)
    assert (frame.x0, frame.x1) == (-0.5, 130 * BLOCKS / KEYS - 0.5)


def test_the_rows_are_the_visible_blocks() -> None:
    rows = block_rows(MATRIX, HIDDEN)
    cells = blocks_figure(MATRIX, HIDDEN, "weights", (slice(0, 64), slice(0, 64))).data[0].z
    assert [row["largest"] for row in rows] == cells[~np.isnan(cells)].tolist()
    assert rows[0] == {"first query": 0, "first key": 0, "largest": pytest.approx(largest_by_hand(0, 0))}
