"""A rule is the same after it was written and read; what cannot be read says what can be written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import RuleError
from model.surveys.rule_text import MOST_CHARACTERS, MOST_PARTS, SIMPLE, read_rule, write_rule
from model.surveys.rules import MARKS, VOCABULARY, AfterSame, Else, First, Keys, Nearest, Rule, SameEarlier

WORDS = st.text(max_size=8)
NEAREST = st.builds(
    Nearest,
    st.lists(st.sampled_from([*MARKS]), min_size=1, max_size=3).map(tuple),
    st.lists(WORDS, max_size=3).map(tuple),
    WORDS,
)
PARTS = st.sampled_from([*SIMPLE.values()]) | NEAREST
RULES = PARTS | st.lists(PARTS, min_size=2, max_size=3).map(lambda rules: Else(tuple(rules)))


@given(RULES)
def test_what_is_written_is_read_again(rule: Rule) -> None:
    written = write_rule(rule)
    if len(written) <= MOST_CHARACTERS:
        assert read_rule(written) == rule


def test_the_vocabulary_can_be_written() -> None:
    assert [read_rule(write_rule(rule)) for rule in VOCABULARY] == [*VOCABULARY]


def test_a_person_may_write_one() -> None:
    rule = read_rule(' same-earlier|nearest( comma,"and", "a \\"|, b" ,like "*ing")  | first ')
    assert rule == Else((SameEarlier(), Nearest(("comma",), ("and", 'a "|, b'), "*ing"), First()))
    assert write_rule(rule) == 'same-earlier | nearest(comma, "and", "a \\"|, b", like "*ing") | first'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "“” is no rule. Possible are previous, first"),
        ("previous |", "“” is no rule"),
        ("previously", "“previously” is no rule"),
        ("nearest", "“nearest” is no rule"),
        ("nearest()", "“” is no mark"),
        ("nearest(dash)", "“dash” is no mark. Possible are .* comma, full stop"),
        ('nearest("a)', "does not stand between quotation marks"),
        ("nearest(like *ing)", "does not stand between quotation marks"),
        ('nearest("\\x")', "a backslash before what needs none"),
        ('nearest(like "a", like "b")', "has 2 patterns"),
        (" | ".join(["first"] * (MOST_PARTS + 1)), "These are 7 rules"),
        ("x" * (MOST_CHARACTERS + 1), "at most 400 characters"),
    ],
)
def test_what_is_no_rule_says_what_is_possible(text: str, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        read_rule(text)


@given(st.text(max_size=40) | st.text(alphabet='nearst(),|"\\like* ', max_size=40))
def test_any_text_is_a_rule_or_an_error(text: str) -> None:
    try:
        rule = read_rule(text)
    except RuleError:
        return
    assert read_rule(write_rule(rule)) == rule


class Last(AfterSame):
    """A rule of a user's own."""

    @property
    def words(self) -> str:
        return "somewhere else"

    def keys(self, tokens: object, marked: object = ()) -> Keys:
        return ()


def test_a_rule_of_ones_own_has_no_text() -> None:
    with pytest.raises(RuleError, match="somewhere else"):
        write_rule(Last())
