"""Where rules say that a head looks, worked by hand."""

from __future__ import annotations

import pytest

from model.errors import RuleError
from model.surveys.rules import (
    MARKS,
    VOCABULARY,
    AfterSame,
    First,
    Itself,
    Marked,
    Nearest,
    Previous,
    Rule,
    SameEarlier,
)
from model.tokens.tokenizer import Token

N = ()  # none
WORDS = ["The", " cat", ",", " the", " cat", " (", "and", " cat", ")", "."]
TOKENS = tuple(Token(sorted(set(WORDS)).index(word), word, word.encode()) for word in WORDS)
MARKED = (1, 4)


@pytest.mark.parametrize(
    ("rule", "keys"),
    [
        (Previous(), (N, 0, 1, 2, 3, 4, 5, 6, 7, 8)),
        (First(), (0,) * 10),
        (Itself(), tuple(range(10))),
        (SameEarlier(), (N, N, N, N, 1, N, N, (1, 4), N, N)),
        (AfterSame(), (N, N, N, N, 2, N, N, 5, N, N)),
        (Nearest(("comma",)), (N, N, N, 2, 2, 2, 2, 2, 2, 2)),
        (Nearest(("comma", "opening bracket")), (N, N, N, 2, 2, 2, 5, 5, 5, 5)),
        (Nearest(any_of=("cat",)), (N, N, 1, 1, 1, 4, 4, 4, 7, 7)),
        (Nearest(pattern="[Tt]h?"), (N, 0, 0, 0, 3, 3, 3, 3, 3, 3)),
        (Nearest(pattern="*a*"), (N, N, 1, 1, 1, 4, 4, 6, 7, 7)),
        (Marked(), (N, N, 1, 1, 1, (1, 4), (1, 4), (1, 4), (1, 4), (1, 4))),
        (Marked() | Previous(), (N, 0, 1, 1, 1, (1, 4), (1, 4), (1, 4), (1, 4), (1, 4))),
        (SameEarlier() | Nearest(("comma",)) | First(), (0, 0, 0, 2, 1, 2, 2, (1, 4), 2, 2)),
    ],
)
def test_the_keys_of_each_query(rule: Rule, keys: tuple[int | tuple[int, ...], ...]) -> None:
    assert rule.keys(TOKENS, MARKED) == tuple((key,) if isinstance(key, int) else key for key in keys)
    assert rule.keys(()) == ()


def test_a_rule_is_a_sentence_and_a_value() -> None:
    rule = AfterSame() | Previous()
    assert rule.sentence == "Looks at the token after the last time this token came, else at the token before."
    assert rule == AfterSame() | Previous()
    assert (rule | First()) | Itself() == rule | (First() | Itself())
    marks = Nearest(("comma", "line break"), ("and",), "x*")
    assert marks.sentence == "Looks at the nearest of: comma, line break, “and”, a word like x*."
    assert Nearest(("full stop",)).sentence == "Looks at the nearest earlier full stop."
    assert len({each.sentence for each in VOCABULARY}) == len(VOCABULARY) == 5 + len(MARKS)


@pytest.mark.parametrize(
    ("marks", "said"),
    [(("dash",), "no mark called “dash”"), ((), "Name a mark")],
)
def test_what_is_no_rule_says_why(marks: tuple[str, ...], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        Nearest(marks)
