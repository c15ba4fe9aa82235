"""A Jupyter notebook that recomputes a view: a template with the reader's settings in it.

A template is a Python file of cells. A cell begins with `# %%`, a text with `# %% [markdown]`. The cell `# %% settings`
assigns keys of the view by name, and the reader's values replace the template's own values there. So a template runs
alone, and the linter and the tests read it as ordinary code. The notebook is JSON (nbformat 4.5).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

SETTINGS = "settings"


@dataclass(frozen=True)
class NotebookPicture:
    """A picture as notebooks hold it. `kind`: png, jpeg or webp; `data`: in base64."""

    kind: str
    data: str


@dataclass(frozen=True)
class Cell:
    """One cell: Markdown or Python. Markdown shows `pictures` by the address `attachment:` and their name."""

    kind: Literal["markdown", "code"]
    source: str
    name: str = ""  # the words after `# %%`
    pictures: Mapping[str, NotebookPicture] = field(default_factory=dict)


def cells_of(template: str) -> list[Cell]:
    """The cells of a template, without the lines above the first cell."""
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
    """The cells with `values` assigned in the cell of settings. Raises KeyError for a name without a value."""
    return [replace(cell, source=_assign(cell.source, values)) if cell.name == SETTINGS else cell for cell in cells]


def _assign(source: str, values: Mapping[str, Any]) -> str:
    lines = source.splitlines()
    for statement in reversed(ast.parse(source).body):
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name, last = statement.targets[0].id, statement.end_lineno or statement.lineno
        _, sign, comment = lines[last - 1][statement.end_col_offset :].partition("#")
        assignment = f"{name} = {values[name]!r}" + (f"  {sign}{comment}" if sign else "")
        lines[statement.lineno - 1 : last] = [assignment]
    return "\n".join(lines)


def write_notebook(cells: Iterable[Cell]) -> str:
    """The cells as the JSON of a notebook that has not been run."""
    return json.dumps(
        {
            "cells": [_cell_json(place, cell) for place, cell in enumerate(cells)],
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


def _cell_json(place: int, cell: Cell) -> dict[str, Any]:
    content: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": f"cell-{place}",
        "metadata": {},
        "source": cell.source.splitlines(keepends=True),
    }
    if cell.pictures:
        content["attachments"] = {name: {f"image/{each.kind}": each.data} for name, each in cell.pictures.items()}
    return content if cell.kind == "markdown" else {**content, "execution_count": None, "outputs": []}
