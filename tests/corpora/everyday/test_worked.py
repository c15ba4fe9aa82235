"""The everyday grammar against sentence pairs that were written by hand, in `worked.tsv`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.corpora.everyday.builders import NAMES, written

FILE = Path(__file__).with_name("worked.tsv")
ROWS = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("rule", "english", "urdu", "recipe"), ROWS, ids=[row[1] for row in ROWS])
def test_the_grammar_builds_the_worked_pair(rule, english, urdu, recipe):
    assert written(eval(recipe, dict(NAMES))) == (english, urdu)


def test_each_rule_has_three_pairs_or_more():
    assert {rule: count for rule, count in Counter(row[0] for row in ROWS).items() if count < 3} == {}
