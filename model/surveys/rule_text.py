"""A rule as a short text, for URLs, lectures and files: `same-earlier | nearest(comma, "and", like "*ing") | first`.

Rules between bars are tried one after another. Words and patterns are strings of JSON, so that any character can be in
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from model.errors import RuleError
from model.surveys.rules import MARKS, AfterSame, Else, First, Itself, Marked, Nearest, Previous, Rule, SameEarlier

MOST_CHARACTERS = 400
MOST_PARTS = 6
SIMPLE: dict[str, Rule] = {
    "previous": Previous(),
    "first": First(),
    "itself": Itself(),
    "same-earlier": SameEarlier(),
    "after-same": AfterSame(),
    "marked": Marked(),
}
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
NEAREST = re.compile(r"nearest\s*\((.*)\)", re.DOTALL)
LIKE = re.compile(r"like\b\s*(.*)", re.DOTALL)
POSSIBLE = (
    f'Possible are {", ".join(SIMPLE)} and nearest(…), which takes {", ".join(MARKS)}, words such as "and", and a '
    f'pattern such as like "*ing". Up to {MOST_PARTS} of these may stand with | between them.'
)


def write_rule(rule: Rule) -> str:
    """The text of a rule. Raises `RuleError` for one that somebody else has defined."""
    return " | ".join(map(_write_part, rule.parts))


def _write_part(rule: Rule) -> str:
    if isinstance(rule, Nearest):
        words, patterns = map(_write_string, rule.any_of), [f"like {_write_string(rule.pattern)}"] * bool(rule.pattern)
        return f"nearest({', '.join([*rule.marks, *words, *patterns])})"
    name = next((name for name, simple in SIMPLE.items() if simple == rule), None)
    if name is None:
        raise RuleError(f"“{rule.sentence}” cannot be written as a text. {POSSIBLE}")
    return name


def _write_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def read_rule(text: str) -> Rule:
    """The rule of a text that `write_rule` or a person wrote. Raises `RuleError`, which says what can be written."""
    if len(text) > MOST_CHARACTERS:
        raise RuleError(f"A rule has at most {MOST_CHARACTERS} characters.")
    rules = tuple(map(_read_part, _split(text, "|")))
    if len(rules) > MOST_PARTS:
        raise RuleError(f"These are {len(rules)} rules. {POSSIBLE}")
    return rules[0] if len(rules) == 1 else Else(rules)


def _read_part(part: str) -> Rule:
    if part in SIMPLE:
        return SIMPLE[part]
    found = NEAREST.fullmatch(part)
    if found is None:
        raise RuleError(f"“{part}” is no rule. {POSSIBLE}")
    items = _split(found[1], ",")
    patterns = [_read_string(like[1]) for like in map(LIKE.fullmatch, items) if like]
    words = [_read_string(item) for item in items if item.startswith('"')]
    marks = [item for item in items if not (item.startswith('"') or LIKE.fullmatch(item))]
    if unknown := [mark for mark in marks if mark not in MARKS]:
        raise RuleError(f"“{unknown[0]}” is no mark. {POSSIBLE}")
    if len(patterns) > 1:
        raise RuleError(f"“{part}” has {len(patterns)} patterns. {POSSIBLE}")
    return Nearest(tuple(marks), tuple(words), "".join(patterns))


def _read_string(text: str) -> str:
    if not STRING.fullmatch(text):
        raise RuleError(f"“{text}” does not stand between quotation marks. {POSSIBLE}")
    try:
        return str(json.loads(text, strict=False))
    except json.JSONDecodeError as error:
        raise RuleError(f"“{text}” has a backslash before what needs none. Two of them stand for one.") from error


def _split(text: str, sign: str) -> Sequence[str]:
    """Its pieces between the signs. A sign inside a string divides nothing."""
    hidden = STRING.sub(lambda string: "_" * len(string[0]), text)
    ends = [at for at, character in enumerate(hidden) if character == sign]
    begins = [0, *(end + 1 for end in ends)]
    return [text[begin:end].strip() for begin, end in zip(begins, [*ends, len(text)], strict=True)]
