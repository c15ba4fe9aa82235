"""The notebook of every view has the same numbers as its page, whichever depth a link opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.session.keys import DEPTHS
from tests.pages.conftest import run_page
from tests.pages.executed_notebooks import drawn_on, executed, numbers_on, written
from tests.pages.views import VIEWS, View

# Parts whose notebook proves itself by its own checks alone: the page shows a list, every head, or measured times.
OWN_CHECKS = {
    "home", "tokens: tokeniser", "tokens: ladder, one-hot", "tokens: ladder, presence", "tokens: ladder, tf-idf",
    "tokens: ladder, glove", "tokens: ladder, context", "positions: table", "masks: passes", "heads: Lines",
    "heads: All heads", "heads: What they do, sweep", "predict: cache", "see: kinds", "see: map", "training: live",
    "training: published", "cost: Time",
}  # fmt: skip


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """`figure.show()` of a notebook opens no browser here."""
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_the_notebook_of_a_view_has_its_numbers(view: View) -> None:
    app = run_page(view.file, **view.values)
    notebook = executed(written(app, view.page))
    if OWN_CHECKS.isdisjoint({view.part, str(view)}):
        assert agrees(notebook, app) or any(agrees(notebook, opened_at(view, depth)) for depth in DEPTHS[1:])


def opened_at(view: View, depth: str) -> AppTest:
    """The page, opened at a depth by a link."""
    return run_page(view.file, **view.values, depth=depth)


def agrees(names: Mapping[str, Any], app: AppTest) -> bool:
    """Whether the page draws the figures that a notebook leaves behind, or has its numbers."""
    if names.get("shows"):
        on_page = numbers_on(app)
        return all(is_among(np.asarray(values).ravel(), on_page) for values in names["shows"].values())
    figures = names.get("figures") or [names[name] for name in ["figure"] if name in names]
    return bool(figures) and all(drawn_on(app, figure) for figure in figures)


def is_among(mine: np.ndarray, arrays: list[np.ndarray]) -> bool:
    alike = (each for each in arrays if each.size == mine.size)
    return any(np.allclose(each, mine, rtol=1e-3, atol=2e-4, equal_nan=True) for each in alike)
