"""The words of a table: its cells, its columns and its rows, as a reader sees them."""

from __future__ import annotations

import math
from typing import Any

from model.numerals import fixed
from viz.shared.style import number


def name_text(name: Any) -> str:
    """The name of a column or a row."""
    return "" if name is None else " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def cell_text(value: Any, missing: str = "", decimals: int | None = None) -> str:
    """A cell. `missing` stands where there is no number. `decimals`: of a number; None for four figures."""
    if isinstance(value, float):
        if math.isfinite(value) and decimals is not None:
            return fixed(value, decimals)
        return missing if value != value else number(value, 4)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
