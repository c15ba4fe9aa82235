"""Runs that differ in one part are rows of a batch. Those of a long text take several batches, one after another."""

from __future__ import annotations

from collections.abc import Iterator

from model.config import TransformerConfig

MOST_NUMBERS = 32_000_000  # that the rows of a batch hold at once, about: 128 MB


def numbers_of_row(config: TransformerConfig, queries: int, keys: int) -> int:
    """About how many numbers a layer holds at once for a row: scores, weights, and inside the feed-forward."""
    return queries * (3 * config.n_heads * keys + 2 * config.d_ff)


def batches(rows: int, numbers: int) -> Iterator[range]:
    """The rows of each batch, where each row takes so many numbers. A batch has at least one."""
    at_once = max(1, MOST_NUMBERS // numbers)
    for first in range(0, rows, at_once):
        yield range(first, min(first + at_once, rows))
