"""Tokens as labels: leading spaces, and texts made short enough for an axis."""

from __future__ import annotations

import html
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from model.tokens.tokenizer import Token
from viz.shared.tokens import MAX_TICKS, labels, shorten, ticks, token_axis, words


def test_a_leading_space_is_a_dot_and_running_text_has_none() -> None:
    tokens = [Token(0, " fox", b" fox"), Token(1, " ", b" ")]
    assert labels(tokens) == ["·fox", "·"]
    assert words(tokens) == ["fox", "·"]


@given(st.text(max_size=30), st.integers(1, 20))
def test_a_short_text_stays_and_a_long_one_ends_with_a_sign(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text or (len(text) > most and short == text[: most - 1] + "…")


@given(st.lists(st.text("a<&", min_size=1, max_size=20), max_size=200), st.integers(2, 20))
def test_an_axis_has_a_label_for_all_tokens_or_for_every_nth(tokens: list[str], most: int) -> None:
    axis = ticks(tokens, most)
    places = axis["tickvals"]
    assert len(places) <= MAX_TICKS
    assert len(places) == len(tokens) or len(tokens) > MAX_TICKS
    assert len({after - before for before, after in pairwise(places)}) <= 1
    assert [html.unescape(label) for label in axis["ticktext"]] == [shorten(tokens[i], most) for i in places]
    assert not any("<" in label for label in axis["ticktext"])


def test_more_than_a_few_tokens_slant() -> None:
    assert token_axis(["a"] * 8)["tickangle"] == 0
    assert token_axis(["a"] * 9)["tickangle"] == -45
