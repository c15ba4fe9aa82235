"""The project's own texts: short, of many kinds, each unlike the others, and whole."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from model.texts.collection import Text
from model.texts.complaints import fault_of
from model.texts.own import FOLDER, own_texts

REPEATS = "repeated phrases"  # the kind whose texts say the same words again
PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "「": "」", "『": "』", "„": "“"}
OWN = own_texts()


def words(text: Text) -> list[str]:
    return re.findall(r"\w+", text.content.lower())


def runs_of_words(text: Text, length: int) -> list[tuple[str, ...]]:
    found = words(text)
    return [tuple(found[at : at + length]) for at in range(len(found) - length + 1)]


def left_open(text: str) -> list[str]:
    """The marks that wait for their partner at the end, and those that close nothing."""
    waiting: list[str] = []
    for letter in text:
        if waiting and letter == PAIRS.get(waiting[-1]):
            waiting.pop()
        elif letter in PAIRS or letter in PAIRS.values():
            waiting.append(letter)
    return waiting


def test_each_kind_has_dozens_of_texts_and_all_are_small() -> None:
    counts = Counter(text.kind for text in OWN.texts)
    assert len(OWN.texts) >= 1000
    assert len(counts) >= 12
    assert min(counts.values()) >= 60
    assert tuple(counts) == OWN.kinds == tuple(sorted(counts))
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 300_000


def test_a_text_knows_its_line() -> None:
    for text in OWN.texts:
        lines = (FOLDER / f"{text.kind.replace(' ', '-')}.txt").read_text(encoding="utf-8").split("\n")
        first = text.line - 1
        assert "\n".join(lines[first : first + text.content.count("\n") + 1]) == text.content


def test_every_text_is_one_that_can_be_read_and_no_longer_than_it_must_be() -> None:
    for text in OWN.texts:
        assert fault_of(text.content) == ""
        assert text.content == text.content.strip("\n")
        assert 8 <= len(text.content) <= 320, text


def test_no_two_texts_share_eight_words_in_a_row() -> None:
    texts_with: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, text in enumerate(OWN.texts):
        for run in runs_of_words(text, 8):
            texts_with[run].append(number)
    allowed = [run for run, found in texts_with.items() if {OWN.texts[each].kind for each in found} == {REPEATS}]
    shared = {run for run, found in texts_with.items() if len(set(found)) > 1}
    repeated = {run for run, found in texts_with.items() if len(found) > 1}.difference(allowed)
    assert shared | repeated == set()


def test_no_three_words_begin_more_than_two_texts() -> None:
    beginnings = Counter(tuple(words(text)[:3]) for text in OWN.texts)
    assert {words: count for words, count in beginnings.items() if count > 2} == {}


@pytest.mark.parametrize("kind", OWN.kinds)
def test_brackets_and_quotation_marks_are_closed(kind: str) -> None:
    texts = [text.content for text in OWN.texts if text.kind == kind]
    assert [text for text in texts if left_open(text)] == []
    assert [text for text in texts if text.count('"') % 2] == []


def test_a_mark_that_nobody_closes_is_noticed() -> None:
    assert left_open("(a [b] “c”)") == []
    assert left_open("(a [b)]") == ["(", "[", ")", "]"]
    assert left_open("a)") == [")"]
