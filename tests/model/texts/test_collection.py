"""A collection is a value, and its digest depends on its texts alone."""

from __future__ import annotations

from dataclasses import replace

from model.texts.collection import Collection, Text

TEXTS = (Text("one two", 1, "a"), Text("three", 2, "b"), Text("four", 4, "a"))
COLLECTION = Collection("mine", TEXTS)


def test_each_kind_is_named_once() -> None:
    assert COLLECTION.kinds == ("a", "b")
    assert Collection("mine", (Text("one", 1),)).kinds == ()


def test_the_digest_is_of_texts_their_order_kinds_and_marks() -> None:
    same = Collection("yours", tuple(replace(text, line=text.line + 1) for text in TEXTS))
    assert same.digest == COLLECTION.digest
    assert COLLECTION.digest.startswith("5e836804117c")  # caches on disk are found again
    others = [
        TEXTS[::-1],
        TEXTS[:2],
        (*TEXTS[:2], Text("four", 4, "b")),
        (Text("one", 1, "a"), Text("two", 1), *TEXTS[1:]),
        (Text("one two", 1, "a", marked=((0, 3),)), *TEXTS[1:]),
    ]
    digests = {Collection("mine", other).digest for other in others}
    assert len(digests | {COLLECTION.digest}) == 6


def test_half_a_character_has_a_digest_too() -> None:
    assert Collection("mine", (Text("\ud800", 1),)).digest != Collection("mine", (Text("\ud801", 1),)).digest
