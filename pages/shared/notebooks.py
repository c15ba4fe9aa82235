"""Which notebook recomputes a view: a template of assets/notebooks, by page and part, with the view's values in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pages.catalogue import BY_URL
from pages.shared.keys import KEYS
from viz.documents.notebook import SETTINGS, Cell, cells_of, notebook, with_settings

TEMPLATES = Path(__file__).resolve().parents[2] / "assets" / "notebooks"
NEEDED = (
    "Start Jupyter in Glassformer's own folder, in the environment that runs the app (`pip install -r requirements.txt`"
    " and `pip install jupyterlab`). Then run all cells: each number is computed again, and checked."
)


def template_of(page: str, values: Mapping[str, Any]) -> Path:
    """The template of a view: that of its part, else of its page, else the one for any view."""
    parts = [_slug(str(values[key])) for key in BY_URL[page].part_keys]
    names = ["-".join([page, *parts[:count]]) for count in range(len(parts), -1, -1)]
    found = (TEMPLATES / f"{name}.py" for name in (*names, "any"))
    return next(path for path in found if path.is_file())


def make_notebook(page: str, title: str, values: Mapping[str, Any], link: str) -> str:
    """The notebook of a view. `values`: those of all keys (`pages.shared.keys`); `link`: where the view lives."""
    cells = cells_of(template_of(page, values).read_text(encoding="utf-8"))
    head = (
        f"# {title}\n\nThis notebook recomputes [a view of Glassformer]({link}) with Glassformer's library.\n\n{NEEDED}"
    )
    own = {name: values[key_of(name, page)] for cell in cells if cell.name == SETTINGS for name in assigned_names(cell)}
    return notebook([Cell("markdown", head), *with_settings(cells, own)])


def key_of(setting: str, page: str) -> str:
    """A setting has the name of a key, with or without the page's name in front; `with_` stands for `with`."""
    return setting if setting in KEYS else f"{page}_{setting.rstrip('_')}"


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
