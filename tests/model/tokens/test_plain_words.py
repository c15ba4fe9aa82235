"""Numbers and spoken forms in words that a vocabulary has."""

from __future__ import annotations

import pytest

from model.tokens.plain_words import SPOKEN, in_plain_words, spell_number
from model.tokens.word_vocabulary import unknown_words
from tests.conftest import loaded


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("0", "zero"),
        ("3", "three"),
        ("25", "twenty-five"),
        ("40", "forty"),
        ("100", "one hundred"),
        ("1,234", "one thousand two hundred thirty-four"),
        ("2000001", "two million one"),
        ("1st", "first"),
        ("22nd", "twenty-second"),
        ("12th", "twelfth"),
        ("20th", "twentieth"),
        ("Gonna", "going to"),
        ("y\N{RIGHT SINGLE QUOTATION MARK}all", "you"),
        *((word, "") for word in ("dog", "", "3.5", "10:30", "1,23", "٣", "1234567890", "-3", "st")),
    ],
)
def test_a_number_and_a_spoken_form_have_plain_words(word: str, plain: str) -> None:
    assert in_plain_words(word) == plain


def test_every_number_up_to_a_thousand_has_a_name_of_its_own() -> None:
    names = [spell_number(number) for number in range(1001)]
    assert len(set(names)) == len(names)
    assert all(" ".join(name.split()) == name for name in names)


def test_a_spoken_form_is_not_its_own_plain_word() -> None:
    assert all(plain and in_plain_words(plain) == "" for plain in SPOKEN.values())


@pytest.mark.parametrize("name", ["en-ur", "en-ur-everyday"])
def test_what_is_offered_is_known(name: str) -> None:
    tokenizer = loaded(name).tokenizer
    text = f"{' '.join(map(str, range(101)))} {' '.join(SPOKEN)}"
    offered = [each for word in unknown_words(tokenizer, text) for each in word.suggestions]
    assert {"three", "going to"} <= set(offered)
    assert not unknown_words(tokenizer, " ".join(offered), suggestions=0)


def test_the_everyday_translator_knows_every_number_of_two_digits() -> None:
    tokenizer = loaded("en-ur-everyday").tokenizer
    found = {each.word: each.suggestions for each in unknown_words(tokenizer, " ".join(map(str, range(1, 100))))}
    assert all(found[str(number)] for number in range(1, 100))


def test_a_word_that_only_shares_letters_is_not_offered() -> None:
    (unknown,) = unknown_words(loaded("en-ur").tokenizer, "splendidly")
    assert unknown.suggestions == ()
