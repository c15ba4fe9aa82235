from __future__ import annotations

import pytest

from model import load
from model.experiments import second_sentence
from model.experiments.second_sentence import swap_noun

SENTENCE = "The dog is here"


@pytest.mark.parametrize("name", ["tiny-lm", "minilm-l6", "en-ur"])
def test_the_noun_after_the_last_article_changes(name: str) -> None:
    model = load(name)
    swapped = swap_noun(model, SENTENCE)
    assert swapped != SENTENCE
    assert not swapped or len(model.tokens_of(swapped)) == len(model.tokens_of(SENTENCE))
    assert swap_noun(load("tiny-lm"), SENTENCE) == "The cat is here"


def test_where_no_noun_fits_two_words_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_sentence, "NOUNS", ())
    assert swap_noun(load("tiny-lm"), "the dog sees it") == "the dog it sees"
    assert not swap_noun(load("tiny-lm"), "a a a")


def test_no_text_has_no_second_one() -> None:
    assert not swap_noun(load("tiny-lm"), " ")
