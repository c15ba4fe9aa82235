"""The notebook that recomputes a view: a template of assets/notebooks for its page and part, with the view's values."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pages.catalogue import BY_URL
from pages.shared import muted_heads
from pages.shared.keys import KEYS
from viz.documents.notebook import SETTINGS, Cell, cells_of, with_settings, write_notebook

LOAD = "load(model)"  # of the templates: it opens the model of the run bar
TEMPLATES = Path(__file__).resolve().parents[2] / "assets" / "notebooks"
HOW_TO_RUN = (
    "Start Jupyter in Glassformer's own folder, in the environment that runs the app (`pip install -r requirements.txt`"
    " and `pip install jupyterlab`). Then run all cells: each number is computed again, and checked."
)


def template_of(page: str, values: Mapping[str, Any]) -> Path:
    """The template of a view: for its part, else for its page, else for any view."""
    parts = [_slug(str(values[key])) for key in BY_URL[page].part_keys]
    names = ["-".join([page, *parts[:count]]) for count in range(len(parts), -1, -1)]
    paths = (TEMPLATES / f"{name}.py" for name in (*names, "any"))
    return next(path for path in paths if path.is_file())


def make_notebook(page: str, title: str, values: Mapping[str, Any], link: str) -> str:
    """The notebook of a view. `values`: of all keys (`pages.shared.keys`); `link`: the view's address."""
    cells = cells_of(template_of(page, values).read_text(encoding="utf-8"))
    aim = f"This notebook recomputes [a view of Glassformer]({link}) with Glassformer's library."
    head = Cell("markdown", f"# {title}\n\n{aim}\n\n{HOW_TO_RUN}")
    names = [name for cell in cells if cell.name == SETTINGS for name in assigned_names(cell)]
    settings = {name: values[key_of(name, page)] for name in names}
    muted = values["muted"] if page in KEYS["muted"].pages else ""
    edited = [
        replace(cell, source=muted_heads.in_code(cell.source, LOAD, muted)) if cell.kind == "code" else cell
        for cell in with_settings(cells, settings)
    ]
    return write_notebook([head, *edited])


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
