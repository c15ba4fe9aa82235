"""A notebook that Jupyter's own reader accepts."""

from __future__ import annotations

import nbformat

from viz.documents.notebook import Cell, write_notebook

CELLS = [Cell("markdown", "Two lines\nof text."), Cell("code", 'text = "the dog"\nprint(text)')]


def test_the_notebook_is_a_notebook() -> None:
    made = nbformat.reads(write_notebook(CELLS), as_version=4)
    nbformat.validate(made)
    assert [cell.cell_type for cell in made.cells] == ["markdown", "code"]
    assert made.cells[1].source == CELLS[1].source
