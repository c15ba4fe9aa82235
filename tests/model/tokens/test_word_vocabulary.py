"""Word vocabularies: whole words, bytes for the rest, and names for what is not known."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from model.tokens.tokenizer import Tokenizer
from model.tokens.word_vocabulary import UnknownWord, is_byte, known_words, script, unknown_words, word_tokenizer

WORDS = [
    "I",
    "am",
    "a",
    "robot",
    "the",
    "dog",
    "dogs",
    "AJ",
    "'s",
    "don't",
    "machine-learning",
    "میں",
    "ایک",
    "روبوٹ",
    "ہوں",
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(word_tokenizer(WORDS))


def texts(tokenizer: Tokenizer, text: str) -> list[str]:
    return [token.text for token in tokenizer.encode(text)]


def test_a_known_word_is_one_token_with_its_space(tokenizer):
    assert texts(tokenizer, "I am a robot.") == [" i", " am", " a", " robot", "."]
    assert texts(tokenizer, "میں ایک روبوٹ ہوں۔") == [" میں", " ایک", " روبوٹ", " ہوں", "۔"]


def test_endings_are_tokens_and_contractions_and_hyphens_are_not_split(tokenizer):
    assert texts(tokenizer, "AJ's dog") == [" aj", "'s", " dog"]
    assert texts(tokenizer, "AJ’s dog") == [" aj", "'s", " dog"]
    assert texts(tokenizer, "don't machine-learning") == [" don't", " machine-learning"]


def test_special_tokens_have_the_first_ids_and_stand_in_no_text(tokenizer):
    assert [tokenizer.id_of(name) for name in ("<PAD>", "<SOS>", "<EOS>")] == [0, 1, 2]
    assert not any(token.special for token in tokenizer.encode("I am a robot"))


def test_look_alike_letters_of_an_arabic_keyboard_become_urdu_letters(tokenizer):
    assert texts(tokenizer, "ميں ايك روبوٹ هوں") == [" میں", " ایک", " روبوٹ", " ہوں"]


def test_spaces_do_not_matter(tokenizer):
    assert texts(tokenizer, "  I   am a robot . ") == texts(tokenizer, "I am a robot.")


@given(st.text(max_size=40))
def test_no_text_is_untokenisable_and_its_bytes_come_back(text):
    tokenizer = Tokenizer(word_tokenizer(WORDS))
    tokens = tokenizer.encode(text)
    assume(not any(token.special for token in tokens))  # a text that spells a special token is read as that token
    normal = tokenizer.backend.normalizer.normalize_str(text.encode("utf-8", "replace").decode())
    read = b"".join(token.bytes for token in tokens).decode("utf-8", "replace")
    assert read.split() == normal.replace("▁", " ").split()


def test_unknown_words_are_named_as_typed_with_the_nearest_known_words(tokenizer):
    assert unknown_words(tokenizer, "I am a Rabot") == (UnknownWord("Rabot", ("robot",)),)
    (doge,) = unknown_words(tokenizer, "the doge")
    assert set(doge.suggestions) == {"dog", "dogs"}


def test_each_unknown_word_is_named_once_and_in_order(tokenizer):
    found = unknown_words(tokenizer, "zebra yak zebra dog 😀")
    assert [unknown.word for unknown in found] == ["zebra", "yak", "😀"]


def test_known_text_has_no_unknown_words(tokenizer):
    assert unknown_words(tokenizer, "AJ's dog, don't!") == ()
    assert unknown_words(tokenizer, "") == ()


def test_a_word_of_the_other_script_is_unknown(tokenizer):
    assert [unknown.word for unknown in unknown_words(tokenizer, "I am روبوٹ")] == ["روبوٹ"]
    assert [unknown.word for unknown in unknown_words(tokenizer, "میں robot ہوں", "arabic")] == ["robot"]


def test_suggestions_are_words_of_the_asked_script(tokenizer):
    (unknown,) = unknown_words(tokenizer, "روبٹ", "arabic")
    assert unknown.suggestions == ("روبوٹ",)
    assert all(script(word) == "latin" for word in known_words(tokenizer, "latin"))
    assert "robot" in known_words(tokenizer, "latin")
    assert "." not in known_words(tokenizer, "latin")


def test_script_is_that_of_most_letters():
    assert script("robot") == "latin"
    assert script("روبوٹ a") == "arabic"
    assert script("12 .") == ""


def test_bytes_are_told_from_words():
    assert is_byte("<0x41>")
    assert not is_byte("▁robot")
    assert not is_byte("<EOS>")


@pytest.mark.parametrize("quoted", ['"the dog"', "“the dog”", "«the dog»", "'the dog'", "‘the dog’", '" the dog "'])
def test_a_quotation_mark_is_cut_from_the_word_behind_it(tokenizer, quoted):
    for text in (quoted, f"I am {quoted}."):
        assert unknown_words(tokenizer, text) == ()
        words = [token for token in texts(tokenizer, text) if token in (" the", " dog", '"')]
        assert words == ['"', " the", " dog", '"']


def test_an_opening_bracket_is_cut_from_the_word_behind_it(tokenizer):
    assert texts(tokenizer, "I am (the robot)") == [" i", " am", "(", " the", " robot", ")"]


def test_endings_and_contractions_are_no_quotations(tokenizer):
    assert texts(tokenizer, "AJ 's don't") == [" aj", " ", "'s", " don't"]
    assert texts(tokenizer, "AJ ’s don’t") == [" aj", " ", "'s", " don't"]
