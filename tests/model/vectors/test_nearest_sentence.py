"""The nearest sentence of a list."""

from __future__ import annotations

import pytest

from model.vectors.nearest_sentence import features, make_index

SENTENCES = (
    "The cat sees the dog.",
    "The girl eats an apple.",
    "The girl reads a letter.",
    "My father works in the bank.",
)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("A letter came.", 2),
        ("Cats and dogs", 0),
        ("He walked to the bank", 3),
        ("the GIRL, eating apples!", 1),
    ],
)
def test_rare_words_and_their_forms_decide(text: str, nearest: int) -> None:
    assert make_index(SENTENCES).nearest(text) == SENTENCES[nearest]


def test_a_sentence_is_not_its_own_neighbour() -> None:
    assert make_index(SENTENCES).nearest("the girl reads a letter") == SENTENCES[1]


@pytest.mark.parametrize("text", ["", "🙂 !", "漢字"])
def test_what_shares_nothing_has_no_neighbour(text: str) -> None:
    assert make_index(SENTENCES).nearest(text) is None
    assert make_index(()).nearest(text) is None


def test_a_text_of_any_length_is_looked_up() -> None:
    assert len(features("word " * 100_000)) < 10
    assert make_index(SENTENCES).nearest("girl apple " * 10_000) == SENTENCES[1]
