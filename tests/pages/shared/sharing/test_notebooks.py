"""Notebooks of views: Jupyter runs them, and they hold a reader's text as text.

That the notebook of every view runs, passes its own checks and has the numbers of its page: test_view_notebooks.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import plotly.graph_objects as go
import pytest
from nbclient import NotebookClient

from pages.catalogue import BY_URL
from pages.shared.session.keys import KEYS
from pages.shared.sharing import notebooks
from tests.pages.conftest import run_page
from tests.pages.executed_notebooks import executed, written
from viz.documents.notebook import cells_of

ROOT = Path(__file__).resolve().parents[4]
ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """`figure.show()` opens no browser here."""
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)


@pytest.mark.slow
def test_jupyter_runs_a_notebook() -> None:
    app = run_page("attention/heads.py", **ENGLISH, heads_view="Matrix")
    made = nbformat.reads(written(app, "attention/heads.py"), as_version=4)
    NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in made.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.output_type == "error"]
    assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in shown)


@pytest.mark.parametrize("template", sorted(notebooks.TEMPLATES.glob("*.py")), ids=lambda path: path.stem)
def test_every_template_belongs_to_a_view(template: Path) -> None:
    """Its page exists, and so does each key that its settings name."""
    page = template.stem.split("-")[0]
    cells = cells_of(template.read_text(encoding="utf-8"))
    assert page in {*BY_URL, "any"}
    assert cells[0].kind == "markdown"
    settings = next(cell for cell in cells if cell.name == "settings")
    for name in notebooks.assigned_names(settings):
        assert notebooks.key_of(name, page) in KEYS, name


def test_a_view_without_a_template_gets_the_run_it_draws_from() -> None:
    assert notebooks.template_of("follow", {}).name == "any.py"
    assert notebooks.template_of("see", {"see_part": "patches"}).name == "see.py"


def test_a_hostile_sentence_stays_text() -> None:
    hostile = '"); import os; os.abort()  # <script>alert(1)</script> `$x$` \n """'
    app = run_page("attention/heads.py", model="tiny-lm", text=hostile, heads_view="Matrix")
    text = written(app, "attention/heads.py")
    made = nbformat.reads(text, as_version=4)
    assert all("script" not in cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert executed(text)["text"] == hostile


def test_the_first_cell_of_code_finds_glassformer_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("nothing is installed"))
    exec(compile(notebooks.install_cell().source, "install", "exec"), {})


def install_elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[list[str]]:
    """Runs the cell where Glassformer is not. Returns the commands that it started."""
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: started.append(command))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("model.names", "viz.shared.tokens"):
        monkeypatch.setitem(sys.modules, name, None)  # Importing it raises ModuleNotFoundError.
    exec(compile(notebooks.install_cell().source, "install", "exec"), {})
    return started


def test_elsewhere_it_installs_from_the_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(notebooks.REPOSITORY_VARIABLE, "https://example.org/it's.git")
    clone, install = install_elsewhere(monkeypatch, tmp_path)
    assert clone == ["git", "clone", "--depth", "1", "https://example.org/it's.git", str(tmp_path / "glassformer")]
    assert install[-2:] == ["-r", str(tmp_path / "glassformer" / "requirements.txt")]


def test_elsewhere_without_a_repository_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(notebooks.REPOSITORY_VARIABLE, raising=False)
    with pytest.raises(SystemExit, match="Write the address of its repository"):
        install_elsewhere(monkeypatch, tmp_path)
