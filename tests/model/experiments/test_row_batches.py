"""Batches of rows: each row is in one of them, and they hold no more than they may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from model.experiments import row_batches
from model.experiments.row_batches import batches, numbers_of_row
from tests.model.networks import config


@given(rows=st.integers(0, 200), numbers=st.integers(1, 2 * row_batches.MOST_NUMBERS))
def test_each_row_is_in_one_batch_of_bounded_size(rows: int, numbers: int) -> None:
    found = list(batches(rows, numbers))
    assert [row for batch in found for row in batch] == list(range(rows))
    assert all(len(batch) * numbers <= row_batches.MOST_NUMBERS or len(batch) == 1 for batch in found)
    assert all((len(batch) + 1) * numbers > row_batches.MOST_NUMBERS for batch in found[:-1]), "and no smaller"


def test_the_numbers_of_a_row_by_hand() -> None:
    small = config("decoder", n_heads=4, d_ff=10)
    assert numbers_of_row(small, 5, 6) == 3 * 4 * 5 * 6 + 2 * 5 * 10
