"""Tables of matrices (queries, keys): the names of their rows and columns, and their cells as rows of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from model.arrays import Array


def number_words(words: Sequence[str], first: int = 0) -> list[str]:
    """The words, each after its place. Tokens repeat, and the names of rows and columns must not."""
    return [f"{place} {word}" for place, word in enumerate(words, first)]


def matrix_table(
    values: Array,
    queries: Sequence[str],
    keys: Sequence[str],
    hidden: NDArray[np.bool_],
    first: tuple[int, int] = (0, 0),
) -> pd.DataFrame:
    """A matrix (queries, keys) with its words. Hidden cells are empty. `first`: the places of its first words."""
    visible = np.where(hidden, np.nan, values)
    return pd.DataFrame(visible, index=number_words(queries, first[0]), columns=number_words(keys, first[1]))


def cell_rows(queries: Sequence[str], keys: Sequence[str], matrices: Mapping[str, Array]) -> list[dict[str, Any]]:
    """One row for each cell of matrices (queries, keys), with the value of every matrix under its name."""
    return [
        {"query_index": i, "query": query, "key_index": j, "key": key}
        | {name: float(matrix[i, j]) for name, matrix in matrices.items()}
        for i, query in enumerate(queries)
        for j, key in enumerate(keys)
    ]


def named_rows(table: pd.DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of a table for a file. Its index becomes the column `name`."""
    return [dict(row) for row in table.rename_axis(index=name).reset_index().to_dict("records")]
