"""Notebooks of views: Jupyter runs them, and they hold a reader's text as text.

That the notebook of every view runs and finds its numbers: tests/views/notebook/test_notebook_of_every_view.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import plotly.graph_objects as go
import pytest
from nbclient import NotebookClient

from pages.shared.sharing import notebooks
from tests.pages.conftest import run_page
from tests.pages.executed_notebooks import executed, written

ROOT = Path(__file__).resolve().parents[4]
ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """`figure.show()` opens no browser here."""
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)


@pytest.mark.slow
def test_jupyter_runs_a_notebook() -> None:
    app = run_page("attention/heads.py", **ENGLISH, heads_view="Matrix")
    made = nbformat.reads(written(app), as_version=4)
    NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in made.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.output_type == "error"]
    (live,) = (
        output.data for output in shown if output.get("data", {}).get("text/plain", "").startswith("views.heads")
    )
    assert "<iframe" in live["text/html"], "the picture"


def test_a_hostile_sentence_stays_text() -> None:
    hostile = '"); import os; os.abort()  # <script>alert(1)</script> `$x$` \n """'
    app = run_page("attention/heads.py", model="tiny-lm", text=hostile, heads_view="Matrix")
    text = written(app)
    made = nbformat.reads(text, as_version=4)
    assert all("script" not in cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert executed(text)["live"].run.text == hostile


def test_the_first_cell_of_code_finds_glassformer_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("nothing is installed"))
    exec(compile(notebooks.install_cell().source, "install", "exec"), {})


def install_elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[list[str]]:
    """Runs the cell in a folder, where Glassformer is not installed. Returns the commands that it started."""
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: started.append(command))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", *(each for each in sys.path if Path(each).resolve() != ROOT)])
    monkeypatch.delitem(sys.modules, "glassformer", raising=False)
    exec(compile(notebooks.install_cell().source, "install", "exec"), {})
    return started


def test_elsewhere_it_installs_from_the_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(notebooks.REPOSITORY_VARIABLE, "https://example.org/it's.git")
    clone, install = install_elsewhere(monkeypatch, tmp_path)
    assert clone == ["git", "clone", "--depth", "1", "https://example.org/it's.git", str(tmp_path / "glassformer")]
    assert install[1:] == ["-m", "pip", "install", "--quiet", str(tmp_path / "glassformer")]


def test_elsewhere_without_a_repository_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(notebooks.REPOSITORY_VARIABLE, raising=False)
    with pytest.raises(SystemExit, match="Write the address of its repository"):
        install_elsewhere(monkeypatch, tmp_path)


def test_a_folder_of_the_repository_beside_the_notebook_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Python takes a folder of this name for a package, which has nothing in it."""
    (tmp_path / "glassformer").mkdir()
    [install] = install_elsewhere(monkeypatch, tmp_path)
    assert install[-1] == str(tmp_path / "glassformer")
