"""Words between [[ and ]] are marked, and the signs are taken out."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from model.texts.collection import Collection, Text
from model.texts.marks import has_marks, read_marked, take_marks, write_marks


@pytest.mark.parametrize(
    ("text", "content", "marked"),
    [
        ("[[Mary]] saw it", "Mary saw it", ["Mary"]),
        ("When [[Omar]] saw [[the cat]]", "When Omar saw the cat", ["Omar", "the cat"]),
        ("[[ایک]] روبوٹ", "ایک روبوٹ", ["ایک"]),
        ("np.array([[1, 2], [3, 4]])", "np.array([[1, 2], [3, 4]])", []),
        ("[[]] and [[open", "[[]] and [[open", []),
        ("none", "none", []),
    ],
)
def test_marks_are_taken_out(text: str, content: str, marked: list[str]) -> None:
    collection = Collection("mine", (Text(text, 3, "a"),))
    taken = take_marks(collection).texts[0]
    assert (taken.content, taken.line, taken.kind) == (content, 3, "a")
    assert [content[begin:end] for begin, end in taken.marked] == marked
    assert has_marks(collection) == bool(marked)
    assert write_marks(taken) == text
    assert read_marked([text]).digest == Collection("", (replace(taken, kind=""),)).digest


@pytest.mark.parametrize("text", ["[[" * 1_000_000, "[[a" * 700_000, "[[" + "a" * 2_000_000])
def test_a_text_of_open_marks_takes_no_time(text: str) -> None:
    begin = time.process_time()
    assert take_marks(Collection("mine", (Text(text, 1),))).texts[0].content == text
    assert time.process_time() - begin < 2
