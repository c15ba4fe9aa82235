"""Places of texts as lines: tokens that read as a text, the parts that are shown, and their picture for print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.text import Text

from model.tokens.tokenizer import Token
from viz.attention.many_texts_places import PlaceGroup, PlaceLine, flow, pack_places, shown_parts
from viz.print.place_pictures import places_picture
from viz.shared.payload import printed_codes, unpack


def tokens(*texts: str) -> list[Token]:
    return [Token(number, text, text.encode()) for number, text in enumerate(texts)]


def fragments(letter: str) -> list[Token]:
    """A letter as a token for each of its bytes."""
    return [Token(byte, "", bytes([byte])) for byte in letter.encode()]


SENTENCE = tokens("The", " cat", " sees", " a", " cat")
LOOKS = np.array([0.05, 0.912, 0.01, 0.02, 0.008])
LINE = PlaceLine(0.912, "stories", SENTENCE, SENTENCE, 4, 1, LOOKS)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("The", " cat", "'s"), "The cat's"),
        (("def", " f", "():", "\n   ", " x"), "def f():⏎    x"),
        (("a", "\t", " "), "a⇥ "),
        (("##", " A", " title"), "## A title"),
        (("isn", "'", "t"), "isn ' t"),
        (("un", "##happ", "##y", "cat"), "unhappy cat"),
    ],
)
def test_tokens_read_as_a_text(texts: tuple[str, ...], expected: str) -> None:
    assert "".join(flow(tokens(*texts))) == expected


def test_a_letter_of_several_tokens_stands_at_the_one_that_is_marked() -> None:
    sentence = [*tokens("I", " am "), *fragments("花")]
    assert flow(sentence) == ["I", " am ", "花", "", ""]
    assert flow(sentence, [3]) == ["I", " am ", "", "花", ""]
    assert flow(sentence, [2, 4])[2:] == ["⟨E8⟩", "⟨8A⟩", "⟨B1⟩"]
    assert flow(sentence[:-1])[2:] == ["⟨E8⟩", "⟨8A⟩"], "a letter that is cut has only bytes"


@pytest.mark.parametrize(
    ("count", "places", "expected"),
    [
        (10, [2, 9], [(0, 10)]),
        (100, [50], [(44, 57)]),
        (100, [50, 3], [(0, 10), (44, 57)]),
        (100, [50, 62], [(44, 69)]),
        (100, [50, 64], [(44, 71)]),  # a "…" would stand for one token
        (100, [99], [(93, 100)]),
    ],
)
def test_of_a_long_text_what_is_around_is_shown(count: int, places: list[int], expected: list[Any]) -> None:
    assert [(part.start, part.stop) for part in shown_parts(count, places, 20, 6)] == expected


def test_each_line_brings_the_weights_of_the_tokens_that_it_shows() -> None:
    long = replace(LINE, queries=LINE.queries * 20, keys=LINE.keys * 20, query=94, looks=np.arange(100) / 100)
    header, arrays = unpack(pack_places([PlaceGroup("", [LINE]), PlaceGroup("weak", [long])], title="places"))
    first, second = (group["lines"][0] for group in header["groups"])
    assert [group["title"] for group in header["groups"]] == ["", "weak"]
    assert (first["weight"], first["kind"], first["query"], first["key"]) == (0.912, "stories", 4, 1)
    assert first["words"] == ["cat", "cat"]
    parts = second["sides"][0]["parts"]
    shown = [part["first"] + i for part in parts for i in range(len(part["texts"]))]
    assert shown == [*range(14), *range(82, 100)]
    np.testing.assert_array_equal(arrays["looks"], printed_codes(np.concatenate([LINE.looks, long.looks[shown]])))


def test_in_cross_attention_the_sentence_of_the_keys_stands_first() -> None:
    urdu = tokens(" میں", " ہوں")
    line = replace(LINE, queries=urdu, query=1, is_cross=True)
    header, arrays = unpack(pack_places([PlaceGroup("", [line])], title=""))
    sides = header["groups"][0]["lines"][0]["sides"]
    assert [(side["role"], side["rtl"], side["count"]) for side in sides] == [("keys", False, 5), ("queries", True, 2)]
    assert len(arrays["looks"]) == 5


def words(line: PlaceLine) -> list[str]:
    """The pieces of a printed line, from left to right."""
    figure = places_picture([PlaceGroup("", [line])], "a title")
    return [text.get_text() for text in figure.findobj(Text) if text.get_text() not in ("", "a title")]


def test_a_printed_line_has_its_tokens_in_the_order_of_writing() -> None:
    assert words(LINE) == ["0.91   stories   ", "The", " cat", " sees a", " cat"]
    urdu = tokens("میں", " ایک", " روبوٹ")
    leftwards = replace(LINE, queries=urdu, keys=urdu, query=2, key=0, looks=np.ones(3) / 3)
    assert words(leftwards)[1:] == [" روبوٹ", " ایک", "میں"]
    cross = replace(LINE, queries=urdu, query=2, is_cross=True, length=3.256)
    assert words(cross)[0] == "3.26   stories   "
    assert words(cross)[1:] == ["The", " cat", " sees a cat", "   →   ", " روبوٹ", "میں ایک"]
