"""Padding stands on the right, and `real_places` finds it."""

from hypothesis import given
from hypothesis import strategies as st

from model.tokens.padding import pad_rows, real_places


@given(st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=6), min_size=1, max_size=5))
def test_padding_fills_the_right(rows: list[list[int]]) -> None:
    padded = pad_rows(rows, 0)
    assert padded.shape == (len(rows), max(map(len, rows)))
    for row, filled in zip(rows, padded.tolist(), strict=True):
        assert filled == row + [0] * (len(filled) - len(row))
    assert (real_places(rows) == (padded != 0)).all()
