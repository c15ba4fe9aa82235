"""Tokens of two tokenizers that stand for the same characters: by hand, for any two cuts of a text, and of models."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from model import load_tokenizer
from model.tokens.overlap import Span, common_groups, overlaps, spans_of

LENGTH = 12
cuts = st.sets(st.integers(1, LENGTH - 1)).map(lambda ends: list(pairwise([0, *sorted(ends), LENGTH])))


def test_two_pieces_of_a_word_are_its_one_token() -> None:
    first, second = [(0, 3), (4, 7), (7, 11)], [(0, 0), (0, 3), (4, 11)]  # The cap|ital, [CLS] The capital
    assert overlaps(first, second) == ((1,), (2,), (2,))
    assert overlaps(second, first) == ((), (0,), (1, 2))
    assert common_groups(first, second) == (((0,), (1,)), ((1, 2), (2,)))


@given(cuts, cuts)
def test_a_token_marks_those_that_share_a_character(first: list[Span], second: list[Span]) -> None:
    """Both ways are one relation, each character's tokens are in it, and groups part the text where both have a cut."""
    there, back = overlaps(first, second), overlaps(second, first)
    assert {(i, j) for i, places in enumerate(there) for j in places} == {
        (i, j) for j, places in enumerate(back) for i in places
    }
    for character in range(LENGTH):
        mine, other = (
            next(place for place, (start, end) in enumerate(side) if start <= character < end)
            for side in (first, second)
        )
        assert other in there[mine]
    groups = common_groups(first, second)
    assert [place for mine, _ in groups for place in mine] == list(range(len(first)))
    assert [place for _, other in groups for place in other] == list(range(len(second)))
    common_cuts = {start for start, _ in first} & {start for start, _ in second}
    assert {first[mine[0]][0] for mine, _ in groups} == common_cuts


def test_the_space_before_a_word_is_of_no_token() -> None:
    """One tokenizer counts it to the word, another has a token for it; “unhappy” falls into other pieces in each."""
    text = "The dog is unhappy"
    first, second = (spans_of(load_tokenizer(name), text) for name in ("tiny-lm", "tiny-encoder"))
    groups = common_groups(first, second)
    written = [
        [
            "".join(text[slice(*spans[place])] for place in side)
            for spans, side in zip((first, second), group, strict=True)
        ]
        for group in groups
    ]
    assert written == [["The"] * 2, ["dog"] * 2, ["is"] * 2, ["un"] * 2, ["h"] * 2, ["appy"] * 2]
