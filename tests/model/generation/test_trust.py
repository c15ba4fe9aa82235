"""The signs of a translation, worked by hand, and the confidence that follows from them."""

from __future__ import annotations

from math import exp, log

import pytest
import torch

from model.generation.trust import (
    LEAST_DOUBT,
    Signs,
    confidence,
    overlooked_words,
    read_doubt,
    repeated_words,
    spelled_words,
    try_without,
    untranslated_pieces,
)
from model.tokens.tokenizer import Token
from tests.conftest import loaded


def tokens(*texts: str) -> tuple[Token, ...]:
    return tuple(Token(place, f" {text}", f" {text}".encode()) for place, text in enumerate(texts))


def test_the_doubt_is_that_of_the_least_sure_step() -> None:
    p = torch.tensor([[0.9, 0.1, 1e-12], [0.25, 0.6, 0.15], [0.01, 0.01, 0.98]])
    assert read_doubt(p.log()) == pytest.approx(log(1 - 0.6))


def test_no_doubt_is_smaller_than_the_least() -> None:
    assert read_doubt(torch.tensor([[50.0, 0.0]])) == pytest.approx(log(LEAST_DOUBT))


def test_a_word_that_no_step_looked_at_is_overlooked() -> None:
    weights = torch.tensor([[[0.8, 0.1, 0.1, 0.0], [0.1, 0.1, 0.8, 0.0]]] * 2)  # two heads, two steps
    source = (*tokens("the", "small", "Robot"), Token(9, "z", b"z"))
    assert overlooked_words(weights, source, ()) == ("small",)
    assert overlooked_words(weights, source, ("small",)) == ()


def test_the_mean_of_the_heads_decides() -> None:
    weights = torch.tensor([[[1.0, 0.0]], [[0.0, 1.0]]])
    assert overlooked_words(weights, tokens("a", "robot"), ()) == ()


def test_a_mark_is_no_word() -> None:
    assert overlooked_words(torch.tensor([[[1.0, 0.0]]]), (*tokens("hello"), Token(1, "،", "،".encode())), ()) == ()


def test_the_confidence_is_a_logistic_function_of_the_signs() -> None:
    signs, weights = Signs(doubt=-2.0, unknown=1, overlooked=3), (0.5, -1.0, -2.0, -0.25)
    assert confidence(signs, weights) == pytest.approx(1 / (1 + exp(-(0.5 + 2.0 - 2.0 - 0.75))))
    assert confidence(Signs(-11.0, 0, 0), weights) > confidence(signs, weights) > confidence(Signs(0, 2, 3), weights)


@pytest.mark.parametrize("constant", [-2000.0, 2000.0])
def test_an_extreme_confidence_does_not_overflow(constant: float) -> None:
    assert confidence(Signs(0, 0, 0), (constant, 1, 1, 1)) == (constant > 0)


def test_a_word_three_times_in_a_row_is_a_loop() -> None:
    assert repeated_words(tokens("دس", "دس", "دس", "دس", "آدمی", "بہت", "بہت")) == ("دس",)
    assert repeated_words(tokens(".", ".", ".")) == ()


def single_bytes(raw: bytes) -> tuple[Token, ...]:
    return tuple(Token(byte, chr(byte) if byte < 128 else "", bytes([byte])) for byte in raw)


def test_words_of_another_script_and_broken_bytes_are_untranslated() -> None:
    written = (*tokens("یہ", "robot"), *single_bytes(b"ab cd"), *tokens("ہے"), *single_bytes(b"\xd9"), *tokens("۔"))
    assert untranslated_pieces(written) == ("robot", "ab", "cd", "byte D9")
    assert untranslated_pieces((*tokens("یہ"), Token(2, "<EOS>", b"", special=True))) == ()


def test_a_name_written_byte_by_byte_is_spelled_and_not_untranslated() -> None:
    written = (*tokens("میری", "بہن"), *single_bytes(" کشملا".encode()), *tokens("ہے"))
    assert spelled_words(written) == ("کشملا",)
    assert untranslated_pieces(written) == ()


@pytest.mark.parametrize(
    ("name", "english", "unused"),
    [
        ("en-ur-everyday", "If it rains tomorrow, we will stay at home", "tomorrow"),
        ("en-ur", "The black cat sleeps under the old table", "the"),
    ],
)
def test_a_word_is_not_used_if_greedy_search_writes_the_same_without_it(name: str, english: str, unused: str) -> None:
    model = loaded(name)
    trace, end = model.trace(english, keep="logits"), model.output_tokenizer.end or 0
    tried = try_without(model.network, trace, end)
    assert (unused, True) in tried
    source = trace.source_tokens
    places = [place for place, token in enumerate(source) if any(map(str.isalpha, token.text))]
    assert len(tried) == len(places)
    for place, (word, same) in zip(places, tried, strict=True):
        written = [*model.translate_ids((*source[:place], *source[place + 1 :]))]
        assert source[place].text.strip().lower() == word
        assert (written == [*(token.id for token in trace.tokens[1:]), end]) == same


def test_of_a_sentence_of_one_token_nothing_can_be_left_out() -> None:
    model = loaded("en-ur")
    assert try_without(model.network, model.trace("hello", keep="logits"), 2) == ()
