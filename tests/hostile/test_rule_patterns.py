"""Rules of strangers, and texts of strangers under any rule, cost no more than their length allows."""

from __future__ import annotations

import time

import pytest

from model.surveys.rows import MOST_TOKENS
from model.surveys.rule_tally import Predictions
from model.surveys.rule_text import MOST_CHARACTERS, read_rule
from model.surveys.rules import VOCABULARY, SameEarlier
from model.surveys.sight import Sight
from model.tokens.tokenizer import Token

ROOM = MOST_CHARACTERS - len('nearest(like "")')
LONG = "a" * 5_000  # characters of one token: no vocabulary has such a long one
HOSTILE = {
    "stars": "*" * ROOM,
    "a star before each letter": ("*a" * ROOM)[: ROOM - 1] + "b",
    "any letter, then another end": ("?*" * ROOM)[: ROOM - 1] + "b",
    "a set between stars": "*[a-z]" * (ROOM // 6 - 1) + "b",
    "as a regular expression would hang": "(a+)+$|(a|a?)+b",
    "open sets": ("[[a" * ROOM)[:ROOM],
    "ranges from high to low": "[z-a]" * (ROOM // 5),
}


@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_pattern_takes_no_time(pattern: str) -> None:
    rule = read_rule(f'nearest(like "{pattern}")')
    tokens = [Token(number, LONG, LONG.encode()) for number in range(20)]
    begin = time.process_time()
    rule.keys(tokens)
    assert time.process_time() - begin < 1


def test_a_text_of_one_word_again_and_again_takes_no_time() -> None:
    """Half a million pairs of a word and its earlier self."""
    tokens = (Token(1, "a", b"a"),) * MOST_TOKENS
    sight = Sight((0,), (tokens,), (tokens,), is_causal=True)
    begin = time.process_time()
    predicted = Predictions.of(sight, VOCABULARY)
    assert time.process_time() - begin < 2
    assert predicted.keys[0, :, :, VOCABULARY.index(SameEarlier())].sum() == MOST_TOKENS * (MOST_TOKENS - 1) / 2
