from __future__ import annotations

import pytest

from model import load
from model.experiments import second_sentence
from model.experiments.second_sentence import swap_name, swap_noun
from model.run import ids_of

SENTENCE = "The dog is here"


@pytest.mark.parametrize("name", ["tiny-lm", "minilm-l6", "en-ur"])
def test_the_noun_after_the_last_article_changes(name: str) -> None:
    model = load(name)
    swapped = swap_noun(model, SENTENCE)
    assert swapped != SENTENCE
    assert not swapped or len(model.tokens_of(swapped)) == len(model.tokens_of(SENTENCE))
    assert swap_noun(load("tiny-lm"), SENTENCE) == "The cat is here"


@pytest.mark.parametrize("name", ["tiny-lm", "smollm2-135m"])
def test_of_two_names_the_last_one_becomes_the_other(name: str) -> None:
    model = load(name)
    text = "While Lucy and Omar walked to the park, Omar gave a box to"
    assert (
        swap_noun(model, text) == swap_name(model, text) == "While Lucy and Omar walked to the park, Lucy gave a box to"
    )
    assert not swap_name(model, "The dog saw Omar. The box is red"), "the beginning of a sentence is no name"


def test_where_no_noun_fits_two_words_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_sentence, "NOUNS", ())
    assert swap_noun(load("tiny-lm"), "the dog sees it") == "the dog it sees"
    assert not swap_noun(load("tiny-lm"), "a a a")


def test_no_text_has_no_second_one() -> None:
    assert not swap_noun(load("tiny-lm"), " ")


LONG = "The dog is here and there  and\nhe sees it all"


@pytest.mark.parametrize(
    ("among", "expected"),
    [
        (range(2), "The cat is here and there  and\nhe sees it all"),
        (range(7), "The cat is here and there  and\nhe sees it all"),
        (range(2, 7), "The dog is here and dog  and\nhe sees it all"),
        (range(1, 3), "The dog dog here and there  and\nhe sees it all"),
        (range(1), ""),
        (range(0), ""),
    ],
)
def test_a_token_of_a_range_is_the_first_that_differs(among: range, expected: str) -> None:
    model = load("tiny-lm")
    assert swap_noun(model, LONG, among) == expected


@pytest.mark.parametrize("first", range(0, 40, 5))
def test_of_a_long_text_what_differs_lies_in_the_range(first: int) -> None:
    model, text = load("tiny-lm"), "the dog sees the cat and a bird " * 5
    old, new = (ids_of(model.tokens_of(each)) for each in (text, swap_noun(model, text, range(first, first + 5))))
    assert len(old) == len(new)
    assert first <= int((old != new).nonzero()[0]) < first + 5
