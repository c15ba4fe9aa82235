"""Tokens as labels: leading spaces, and texts made short enough for an axis."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from model.chat.written import Said
from model.tokens.tokenizer import Token
from viz.shared.tokens import chips, labels, shorten, words


def test_a_leading_space_is_a_dot_and_running_text_has_none() -> None:
    tokens = [Token(0, " fox", b" fox"), Token(1, " ", b" ")]
    assert labels(tokens) == ["·fox", "·"]
    assert words(tokens) == ["fox", "·"]


@given(st.text(max_size=30), st.integers(1, 20))
def test_a_short_text_stays_and_a_long_one_ends_with_a_sign(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text or (len(text) > most and short == text[: most - 1] + "…")


def test_chips_of_a_conversation_tell_who_says_what() -> None:
    user, frame, answer = Said("user", 0), Said("assistant", 1, is_frame=True), Said("assistant", 1)
    told = chips([Token(id, "a", b"a", said=said) for id, said in enumerate((user, user, frame, answer, answer))])
    assert [chip["said"] for chip in told] == ["user", "user", "assistant", "assistant", "assistant"]
    assert [chip["frame"] for chip in told] == [False, False, True, False, False]
    assert [place for place, chip in enumerate(told) if chip.get("starts")] == [0, 2]
    assert [place for place, chip in enumerate(told) if chip.get("answers")] == [3]
    assert "said" not in chips([Token(0, "a", b"a")])[0]
