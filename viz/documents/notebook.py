"""A Jupyter notebook of cells, as JSON (nbformat 4.5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


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
    pictures: Mapping[str, NotebookPicture] = field(default_factory=dict)


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
