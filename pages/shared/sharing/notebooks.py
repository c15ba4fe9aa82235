"""The notebook that recomputes a view: a template of assets/notebooks for its page and part, with the view's values."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from model.edits.text import WrittenEdit, parse
from pages.catalogue import BY_URL
from pages.shared.session.keys import KEYS
from views.shared import begin_words, edit_words
from viz.documents.notebook import SETTINGS, Cell, cells_of, with_settings, write_notebook

LOAD = "load(model)"  # of the templates: it opens the model of the run bar
TEMPLATES = Path(__file__).resolve().parents[3] / "assets" / "notebooks"
HOW_TO_RUN = (
    "Run all cells: each number is computed again, and checked. The first cell of code looks for Glassformer. It finds "
    "it where Jupyter was started in Glassformer's own folder, in the environment that runs the app (`pip install -r "
    "requirements.txt` and `pip install jupyterlab`). Elsewhere, as in Colab, it installs it from the repository."
)
REPOSITORY_VARIABLE = "GLASSFORMER_REPOSITORY"  # of the environment: the repository's address, for `git clone`
MAX_ADDRESS_CHARACTERS = 300
INSTALL = """\
repository = {repository!r}  # for `git clone`, such as "https://github.com/NAME/glassformer"

import pathlib
import subprocess
import sys

try:
    import model.names
    import viz.shared.tokens
except ModuleNotFoundError:
    folder = pathlib.Path("glassformer").resolve()
    if not repository and not folder.is_dir():
        raise SystemExit(
            "Glassformer is not here. Write the address of its repository into the first line of this cell. "
            "Where there is none, put Glassformer's folder, named glassformer, beside this notebook. "
            "Then run this cell again."
        ) from None
    if not folder.is_dir():
        subprocess.run(["git", "clone", "--depth", "1", repository, str(folder)], check=True)
    needs = str(folder / "requirements.txt")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "-r", needs], check=True)
    sys.path.insert(0, str(folder))  # If an import fails below, restart the kernel: it had older packages loaded.
"""


def template_of(page: str, values: Mapping[str, Any]) -> Path:
    """The template of a view: for its part, else for its page, else for any view."""
    parts = [_slug(str(values[key])) for key in BY_URL[page].part_keys]
    names = ["-".join([page, *parts[:count]]) for count in range(len(parts), -1, -1)]
    paths = (TEMPLATES / f"{name}.py" for name in (*names, "any"))
    return next(path for path in paths if path.is_file())


def make_notebook(page: str, title: str, values: Mapping[str, Any], link: str) -> str:
    """The notebook of a view. `values`: of all keys (`pages.shared.session.keys`); `link`: the view's address."""
    aim = f"This notebook recomputes [a view of Glassformer]({link}) with Glassformer's library."
    head = Cell("markdown", f"# {title}\n\n{aim}\n\n{HOW_TO_RUN}")
    return write_notebook([head, install_cell(), *view_cells(page, values)])


def install_cell() -> Cell:
    """The cell that installs what the others need, where it is missing."""
    repository = os.environ.get(REPOSITORY_VARIABLE, "").strip()[:MAX_ADDRESS_CHARACTERS]
    return Cell("code", INSTALL.format(repository=repository).strip())


def view_cells(page: str, values: Mapping[str, Any]) -> list[Cell]:
    """The cells that recompute a view."""
    cells = cells_of(template_of(page, values).read_text(encoding="utf-8"))
    names = [name for cell in cells if cell.name == SETTINGS for name in assigned_names(cell)]
    settings = {name: values[key_of(name, page)] for name in names}
    edits = parse(values["edits"]) if page in KEYS["edits"].pages else ()
    return [
        replace(cell, source=_as_run(cell.source, edits, values["begin"])) if cell.kind == "code" else cell
        for cell in with_settings(cells, settings)
    ]


def _as_run(source: str, edits: tuple[WrittenEdit, ...], begin: str) -> str:
    """Code of a template that opens the model of the run bar as the view has it."""
    return begin_words.in_code(edit_words.in_code(source, LOAD, edits), begin)


def key_of(setting: str, page: str) -> str:
    """The key that a setting stands for. The setting may lack the page's name; `with_` stands for `with`."""
    is_shared = setting in KEYS and page in (KEYS[setting].pages or (page,))
    return setting if is_shared else f"{page}_{setting.rstrip('_')}"


def assigned_names(cell: Cell) -> list[str]:
    """The names that a cell of settings assigns."""
    statements = ast.parse(cell.source).body
    return [
        target.id
        for statement in statements
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    ]


def _slug(value: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
