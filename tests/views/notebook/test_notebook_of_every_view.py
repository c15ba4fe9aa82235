"""The notebook of every view: its cells run, make the view again with the library alone, and find the same numbers. The
lines of “Copy as Python” make an equal view."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import pytest

from model.loading import load
from pages.attention.heads_parts import sweep_work
from tests.conftest import loaded
from tests.pages.views import VIEWS
from tests.pages.views import View as Link
from tests.views.notebook.copied_lines import view_of
from tests.views.opened import shown
from views.attention.many_texts.effect import EffectOnTexts
from views.learning.bench.broken_parts import BrokenParts
from views.notebook import cells
from views.notebook.numbers import check_numbers, numbers_of
from views.view import View


@pytest.fixture(autouse=True)
def quick_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models that other tests have opened, and all that a page measures at once, however busy the machine is."""
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 60.0)
    monkeypatch.setattr("glassformer.load", lambda name, **how: load(name, **how) if how else loaded(name))


@pytest.mark.slow
@pytest.mark.parametrize("link", VIEWS, ids=str)
def test_the_notebook_of_a_view_finds_its_numbers(link: Link) -> None:
    page = shown(link, "Picture")
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as said:
        for cell in cells.cells_of_view(page):
            if cell.kind == "code":
                exec(compile(cell.source, "cell", "exec"), names)
        assert type(names["view"]) is type(page.view)
        assert page.view.is_timed or "cells are as the app showed them" in said.getvalue()
        if link.part == "training: published":  # no class makes it: it needs a model of the hub
            assert page.live is None
        else:
            assert page.live is not None
            assert_equal(view_of(page.live.copied), page.view)


def assert_equal(made: View, of_app: View) -> None:
    """Equal values; where a value holds tensors, equal numbers."""
    assert type(made) is type(of_app)
    if isinstance(made, BrokenParts):  # the app measures when its button is pressed
        assert isinstance(of_app, BrokenParts)
        assert made.removal == of_app.removal
    elif isinstance(made, EffectOnTexts):  # and here, too
        assert replace(made, effect=None) == of_app
    elif not made.is_timed:
        try:
            assert made == of_app
        except (RuntimeError, ValueError):  # of tensors and of arrays, which have several cells
            check_numbers(made, numbers_of(of_app))
