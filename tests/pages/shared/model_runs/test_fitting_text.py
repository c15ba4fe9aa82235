"""The part of a sentence that a model can read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import load
from pages.shared.model_runs.fitting_text import fitting_part


def letters(text: str) -> int:
    return len(text)


@pytest.mark.parametrize(
    ("text", "limit", "part"),
    [
        ("the dog sees", 7, "the dog"),
        ("the dog sees", 11, "the dog"),
        ("the dog sees", 12, "the dog sees"),
        ("antidisestablishment", 4, "anti"),
        ("  two words", 5, "  two"),
        ("word", 0, ""),
    ],
)
def test_whole_words_fit_else_letters(text: str, limit: int, part: str) -> None:
    assert fitting_part(text, letters, limit) == part


@pytest.mark.slow
@given(st.text(min_size=1, max_size=60), st.integers(1, 20))
def test_the_part_begins_the_text_and_fits(text: str, limit: int) -> None:
    part = fitting_part(text, letters, limit)
    assert text.startswith(part)
    assert len(part) <= limit


def test_the_part_is_as_long_as_a_model_can_read() -> None:
    model = load("tiny-encoder")
    text, limit = "the dog sees the cat and " * 10, 30
    part = fitting_part(text, lambda each: len(model.tokens_of(each)), limit)
    assert limit - 2 <= len(model.tokens_of(part)) <= limit
    assert len(model.tokens_of(text[: len(part) + 5])) > limit
