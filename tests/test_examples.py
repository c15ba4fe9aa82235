"""The examples of the library run, their own checks hold, and each shows a picture."""

from __future__ import annotations

import runpy
from pathlib import Path

import plotly.graph_objects as go
import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "assets" / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.usefixtures("loads_once")
def test_an_example_runs(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[go.Figure] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    runpy.run_path(str(example))
    assert shown


def test_the_documents_name_every_example() -> None:
    words = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert all(f"assets/examples/{example.name}" in words for example in EXAMPLES)
