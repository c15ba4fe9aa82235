"""Tokens as labels: leading spaces, and texts made short enough for an axis."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from model.tokens.tokenizer import Token
from viz.shared.tokens import labels, shorten, words


def test_a_leading_space_is_a_dot_and_running_text_has_none() -> None:
    tokens = [Token(0, " fox", b" fox"), Token(1, " ", b" ")]
    assert labels(tokens) == ["·fox", "·"]
    assert words(tokens) == ["fox", "·"]


@given(st.text(max_size=30), st.integers(1, 20))
def test_a_short_text_stays_and_a_long_one_ends_with_a_sign(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text or (len(text) > most and short == text[: most - 1] + "…")
