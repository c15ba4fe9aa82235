"""The notebook of every view: its cells run, make the view again with the library alone, and find the same numbers."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import pytest

from model.loading import load
from tests.conftest import loaded
from tests.pages.views import VIEWS
from tests.pages.views import View as Link
from tests.views.opened import shown
from views.notebook import cells


@pytest.mark.slow
@pytest.mark.parametrize("link", VIEWS, ids=str)
def test_the_notebook_of_a_view_finds_its_numbers(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    page = shown(link, "Picture")
    made = cells.cells_of_view(page)
    monkeypatch.setattr("model.load", lambda name, **how: load(name, **how) if how else loaded(name))
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as said:
        for cell in made:
            if cell.kind == "code":
                exec(compile(cell.source, "cell", "exec"), names)
    assert type(names["view"]) is type(page.view)
    assert page.view.is_timed or "cells are as the app showed them" in said.getvalue()
