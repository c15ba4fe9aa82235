"""Patterns of strangers cost no more than the characters that they are compared with."""

from __future__ import annotations

import time

import pytest

from model.surveys.rule_text import MOST_CHARACTERS, read_rule
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
