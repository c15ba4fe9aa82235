"""The notebook of what a page shows: written as Share offers it, run as Jupyter runs it."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import nbformat
import pytest
from streamlit.testing.v1 import AppTest

from model.loading import load
from pages.shared.elements.shown import ShownSession
from pages.shared.sharing import notebooks
from tests.conftest import loaded
from tests.pages.conftest import session_of
from views.notebook.cells import TIMED

CHECKED = "cells are as the app showed them"


def written(app: AppTest) -> str:
    """The notebook of what a page shows."""
    page = session_of(app, ShownSession).page
    assert page is not None
    return notebooks.make_notebook(page, "A view", "http://localhost:8501/")


def executed(text: str) -> dict[str, Any]:
    """What the cells of a notebook leave behind; they are run one after the other, as Jupyter does. They check numbers.

    They get the models of this process: to open one takes as long as all cells of most notebooks.
    """
    made = nbformat.reads(text, as_version=4)
    nbformat.validate(made)
    names: dict[str, Any] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as said:
        patch.setattr("model.load", lambda name, **how: load(name, **how) if how else loaded(name))
        for cell in made.cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, cell.id, "exec"), names)
    assert CHECKED in said.getvalue() or any(cell.source == TIMED for cell in made.cells)
    return names
