"""The trained tokenizers: any text can be read and comes back, words of the world are one token each."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corpora.words import EXAMPLE_SENTENCES, FOODS, NAMES, STATES
from model.tokens.tokenizer import Tokenizer
from model.train.bpe import special_id
from model.train.tiny_encoder import feelings_tokenizer
from model.train.tiny_lm import world_tokenizer

MAKERS = [world_tokenizer, feelings_tokenizer]
STRANGE = [
    "میں ایک روبوٹ ہوں",
    "\N{GRINNING FACE}",
    "naïve café",
    "日本",
    "\x00\x07",
    "a\n\n\tb",
    "  two  spaces  ",
    "x" * 300,
]


@pytest.mark.parametrize("make", MAKERS)
@given(st.text(min_size=1, max_size=60).filter(lambda t: t.isprintable() or "\n" in t))
def test_any_text_comes_back(make, text):
    """But the name of a special token, which the property test takes from our sources: it is that token."""
    tokenizer = make()
    assume(not any(token.content in text for token in tokenizer.get_added_tokens_decoder().values()))
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", STRANGE)
def test_strange_text_is_read_byte_by_byte(make, text):
    tokens = Tokenizer(make()).encode(text, add_special=False)
    assert b"".join(token.bytes for token in tokens) == text.encode()


def test_words_of_the_world_are_one_token():
    tokenizer = world_tokenizer()
    for word in (*NAMES, *FOODS, *STATES):
        assert len(tokenizer.encode(f" {word}").ids) == 1, word
    for sentence in EXAMPLE_SENTENCES:
        assert len(tokenizer.encode(sentence).ids) <= len(sentence.split()) + 6, sentence


def test_no_token_crosses_words_or_signs():
    tokens = Tokenizer(world_tokenizer()).encode('Tom said: "AJ\'s dog."')
    assert [token.text for token in tokens] == ["Tom", " said", ":", ' "', "AJ", "'", "s", " dog", ".", '"']


@pytest.mark.slow
def test_it_is_the_same_each_time_it_is_trained():
    for make in MAKERS:
        assert make.__wrapped__().to_str() == make().to_str()


def test_the_encoder_puts_its_first_token_before_a_text():
    tokenizer = feelings_tokenizer()
    assert tokenizer.encode("The soup was good.").ids[0] == special_id(tokenizer, "<CLS>")


def test_a_missing_special_token_is_named():
    with pytest.raises(ValueError, match="<NONE>"):
        special_id(world_tokenizer(), "<NONE>")
