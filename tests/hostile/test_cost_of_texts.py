"""The longest texts that a reader may type, of the kinds that were slow: their work takes a second at most."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from model.errors import EmptyText
from model.tokens.spelling import spell_words
from model.tokens.tokenizer import Tokenizer
from pages.shared.model_runs import fitting_text
from pages.shared.session.keys import MAX_CHARACTERS
from tests.conftest import loaded
from views.inputs.cut_text import CutText
from views.inputs.word_steps import step_rows
from views.run import make_run
from viz.shared.tokens import chips

MAX_SECONDS = 4.0  # of the processor; 1 is promised, this machine may be slow
TEXTS = {
    "one letter": "a",
    "words of 999 letters": "a" * 999 + " ",  # 8 seconds, and 16 with their rows, in each tab
    "words of 299 letters": "a" * 299 + " ",
    "words of one letter": "a ",
    "line breaks": "\n",
    "spaces": " ",
    "emoji": "👍🏽",
    "one long word": "abcdefghij",
    "one long word of Urdu": "م",
    "a sentence": "the dog sees the cat ",
    "punctuation": ".,",
    "hashes": "#",
}


@pytest.mark.parametrize(
    ("model", "name"),
    [*(("tiny-lm", name) for name in TEXTS), *(("smollm2-135m", name) for name in list(TEXTS)[1:3])],
)
def test_the_words_and_steps_of_a_long_text(model: str, name: str) -> None:
    tokenizer, text = loaded(model).tokenizer, long(name)
    began = time.process_time()
    words = list(spell_words(tokenizer, text))
    rows = step_rows(CutText(make_run(loaded(model), "a", keep=()), words))
    shown = chips(tokenizer.encode(text))
    assert time.process_time() - began < MAX_SECONDS
    assert sum(len(word.pieces) for word in words) == len(without_special(tokenizer, text))
    assert len(rows) == sum(len(word.steps) for word in words)
    assert len(shown) >= len(words)


@pytest.mark.parametrize("name", TEXTS)
def test_the_part_that_a_model_can_read(name: str) -> None:
    """It is searched for, and each try cuts the text anew."""
    model, text = loaded("tiny-lm"), long(name) + "a"
    began = time.process_time()
    with suppress(EmptyText):  # of many line breaks, nothing but white space fits
        assert text.startswith(fitting_text.fit(model, text).text)
    assert time.process_time() - began < MAX_SECONDS


def long(name: str) -> str:
    return (TEXTS[name] * MAX_CHARACTERS)[:MAX_CHARACTERS]


def without_special(tokenizer: Tokenizer, text: str) -> list[int]:
    return [token.id for token in tokenizer.encode(text, add_special=False)]
