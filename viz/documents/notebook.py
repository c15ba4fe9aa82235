"""A Jupyter notebook that recomputes a view: a template with the reader's settings in it.

A template is a Python file of cells, each begun by `# %%`, text by `# %% [markdown]`. Its cell `# %% settings` assigns
what the view's state says; there the reader's values take the place of the template's own, by name. So a template runs
alone, and is checked and tested as the code that it is. The notebook is JSON (nbformat 4.5).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

SETTINGS = "settings"


@dataclass(frozen=True)
class Cell:
    """One cell: Markdown or Python."""

    kind: Literal["markdown", "code"]
    source: str
    name: str = ""  # what stands behind its `# %%`


def cells_of(template: str) -> list[Cell]:
    """The cells of a template. What stands above the first one is left out."""
    cells: list[Cell] = []
    for line in template.splitlines():
        if line.startswith("# %%"):
            name = line.removeprefix("# %%").strip()
            cells.append(Cell("markdown" if name == "[markdown]" else "code", "", name))
        elif cells:
            text = line.removeprefix("#").removeprefix(" ") if cells[-1].kind == "markdown" else line
            cells[-1] = replace(cells[-1], source=f"{cells[-1].source}{text}\n")
    return [replace(cell, source=cell.source.strip()) for cell in cells]


def with_settings(cells: Iterable[Cell], values: Mapping[str, Any]) -> list[Cell]:
    """The cells with `values` in place of what the cell of settings assigns; KeyError for a name without a value."""
    return [replace(cell, source=_assigned(cell.source, values)) if cell.name == SETTINGS else cell for cell in cells]


def _assigned(source: str, values: Mapping[str, Any]) -> str:
    lines = source.splitlines()
    for statement in reversed(ast.parse(source).body):
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name, last = statement.targets[0].id, statement.end_lineno or statement.lineno
        _, sign, remark = lines[last - 1][statement.end_col_offset :].partition("#")
        written = f"{name} = {values[name]!r}" + (f"  {sign}{remark}" if sign else "")
        lines[statement.lineno - 1 : last] = [written]
    return "\n".join(lines)


def notebook(cells: Iterable[Cell]) -> str:
    """The cells as a notebook that has not been run."""
    return json.dumps(
        {
            "cells": [_written(place, cell) for place, cell in enumerate(cells)],
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        ensure_ascii=False,
        indent=1,
    )


def _written(place: int, cell: Cell) -> dict[str, Any]:
    written: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": f"cell-{place}",
        "metadata": {},
        "source": cell.source.splitlines(keepends=True),
    }
    return written if cell.kind == "markdown" else {**written, "execution_count": None, "outputs": []}
