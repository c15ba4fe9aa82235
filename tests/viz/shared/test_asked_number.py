"""The words of the number that is asked for: of a logit, and of the lead over a rival."""

from __future__ import annotations

import pytest

from viz.shared.asked_number import AskedNumber

ALONE, CONTRAST = AskedNumber("dog"), AskedNumber("dog", "cat")
WORDS = ("name", "plain_name", "statement", "part", "loses", "loss")


def test_it_is_named_as_a_reader_says_it() -> None:
    assert ALONE.name == "the logit of **dog**"
    assert CONTRAST.name == "the lead of **dog** over **cat**"
    assert CONTRAST.plain_name == "the lead of “dog” over “cat”"
    assert f"{ALONE.statement} 3" == "the logit of **dog** is 3"
    assert f"{CONTRAST.statement} 3" == "**dog** leads **cat** by 3"


@pytest.mark.parametrize("word", WORDS)
def test_no_word_of_a_lead_says_logit_and_none_of_a_logit_says_lead(word: str) -> None:
    assert "logit" not in getattr(CONTRAST, word)
    assert "lead" not in getattr(ALONE, word)
    assert "logit" in getattr(ALONE, word)
    assert "lead" in getattr(CONTRAST, word)


def test_its_symbols_are_explained() -> None:
    for each in (ALONE, CONTRAST):
        explained = {symbol for key in each.symbols for symbol in key.split(", ")}
        assert set(each.symbol.strip("()").split(" - ")) == explained
        assert set(each.row.strip("()").split(" - ")) == set(each.row_symbols.split(", "))


def test_a_label_is_no_markup() -> None:
    assert r"\*" in AskedNumber("*").name
    assert AskedNumber("*").plain_name == "the logit of “*”"
