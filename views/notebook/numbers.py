"""The numbers of a view in its notebook: the first ones that the app showed, and the check that they come again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from views.parts import DataTable
from views.shown_page import walk
from views.view import View

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_ROWS, MAX_COLUMNS = 6, 8  # of each table, in a notebook
DIGITS = 5  # of a number in a notebook
SHARE, LEAST = 1e-3, 2e-4  # two numbers are equal up to this share of the larger one, or up to this difference

Rows = list[list[Any]]


def numbers_of(view: View) -> list[Rows]:
    """The first rows of each table of a view at the depth Numbers."""
    return [_rows_of(each.make()) for each in _tables(view)]


def check_numbers(view: View, shown: Sequence[Sequence[Sequence[Any]]]) -> None:
    """Compare the numbers of a view with those that the app showed. Raises `AssertionError` where they differ."""
    found = numbers_of(view)
    assert len(found) == len(shown), f"The view has {len(found)} tables, the app showed {len(shown)}."
    count = 0
    for mine, others in zip(found, shown, strict=True):
        assert len(mine) == len(others), f"The view has {len(mine)} rows, the app showed {len(others)}."
        for row, other in zip(mine, others, strict=True):
            assert len(row) == len(other), f"The view has the row {row}, the app showed {other}."
            assert all(map(_is_equal, row, other)), f"The view has the row {row}, the app showed {list(other)}."
            count += len(row)
    print(f"{count} cells are as the app showed them.")


def _tables(view: View) -> Iterator[DataTable]:
    return (part for part in walk(view.at("Numbers"), "Numbers") if isinstance(part, DataTable))


def _rows_of(table: DataFrame) -> Rows:
    columns = [table[name].head(MAX_ROWS) for name in list(table.columns)[:MAX_COLUMNS]]
    return [[_cell(value) for value in row] for row in zip(*columns, strict=True)]


def _cell(value: Any) -> Any:
    """A cell as Python writes it: a number with the digits that count, None for none, else its words: Python
    has no word for infinity."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, float):
        return None if math.isnan(value) else str(value)
    return value if isinstance(value, bool | int | None) else str(value)


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=SHARE, abs_tol=LEAST)
    return bool(one == other)
