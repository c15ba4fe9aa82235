"""The hover text of a mark in a Plotly figure: its number, written as everywhere else in the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from model.numerals import number

Write = Callable[[float], str]
MOST_TEXTS = 2500  # of one figure; more would make it several times as heavy
END = "<extra></extra>"  # no name of the trace beside the box


def texts(values: ArrayLike, write: Write = number) -> list[Any]:
    """The numbers (...) as texts, in lists of the same shape."""
    array = np.asarray(values)
    return [texts(row, write) for row in array] if array.ndim > 1 else [write(value) for value in array.tolist()]


def told(
    values: ArrayLike, before: str, after: str = END, *, write: Write = number, axis: str = "z", count: int = 0
) -> dict[str, Any]:
    """The part of a trace that tells its `values` between `before` and `after`.

    `values` (...) have the shape of the trace, and stand on its `axis`. Python writes them, as `customdata`. Where the
    figure has too many numbers, `count` in all, Plotly writes three decimals of the number itself: it rounds it as
    Python does.
    """
    if max(np.asarray(values).size, count) > MOST_TEXTS:
        return {"hovertemplate": f"{before}%{{{axis}:.3f}}{after}"}
    return {"customdata": texts(values, write), "hovertemplate": f"{before}%{{customdata}}{after}"}
