"""The best span of a passage, beside numbers by hand."""

from __future__ import annotations

import pytest
import torch

from model.analysis.answer_span import Span, best_span, find_answer, passage_of
from model.errors import ModelMismatch
from model.tokens.tokenizer import Token
from tests.conftest import loaded

SEP = 9


def tokens(text: str) -> list[Token]:
    """Tokens of letters, in which # is the border and < the beginning, both special."""
    return [Token(SEP if letter == "#" else ord(letter), letter, b"", letter in "#<") for letter in text]


def test_the_passage_is_after_the_first_border() -> None:
    assert passage_of(tokens("<ab#cde#"), SEP) == [4, 5, 6]
    assert passage_of(tokens("<ab##cd#"), SEP) == [5, 6], "RoBERTa has two borders"
    assert passage_of(tokens("<ab#"), SEP) == [1, 2], "without a question"
    assert passage_of(tokens("ab"), None) == [0, 1]
    assert passage_of(tokens("<#"), SEP) == [0, 1], "without a word"


def test_the_best_span_starts_before_it_ends() -> None:
    start = torch.tensor([9.0, 1.0, 2.0, 5.0])
    end = torch.tensor([9.0, 4.0, 3.0, 0.5])
    logits = torch.stack([start, end], -1)
    # Of the last three: 1 + 4, 1 + 3, 1 + 0.5, 2 + 3, 2 + 0.5, 5 + 0.5. The largest, 5 + 4, would end before it starts.
    assert best_span(logits, [1, 2, 3]) == Span(3, 3, 5.5)
    assert best_span(logits, [1, 2]) == Span(1, 1, 5.0), "of equals the first"
    assert best_span(logits, [0, 1, 2, 3]) == Span(0, 0, 18.0)


def test_a_model_without_answers_is_named() -> None:
    model = loaded("tiny-encoder")
    with pytest.raises(ModelMismatch, match="finds no answers"):
        find_answer(model, model.trace("I am", keep="token_logits"))
