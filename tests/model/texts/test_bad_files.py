"""Of a bad file, the lines that can be read are read, and each other line is named with the reason."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import TextsError
from model.texts.reading import MAX_BYTES, MAX_TEXTS, READERS, read_pasted, read_upload


def outcome(name: str, data: bytes) -> tuple[list[str], list[tuple[int, str]]]:
    """The texts, and of each complaint the line and a word or two."""
    read = read_upload(name, data)
    return [text.content for text in read.collection.texts], [(each.line, each.why) for each in read.complaints]


@pytest.mark.parametrize(
    ("name", "data", "line", "why"),
    [
        ("a.txt", b"good\nN\0L\nfine", 2, "NUL"),
        ("a.txt", "good\nné\nfine".encode("latin-1"), 2, "not Unicode"),
        ("a.jsonl", b'{"text": "good"}\n{"text": "\\ud800"}\n{"text": "fine"}', 2, "not Unicode"),
        ("a.jsonl", b'{"text": "good"}\n{"text": "half}\n{"text": "fine"}', 2, "character 10"),
        ("a.jsonl", b'{"text": "good"}\n["text"]\n{"text": "fine"}', 2, "no JSON object"),
        ("a.jsonl", b'{"text": "good"}\n{"text": 1}\n{"text": "fine"}', 2, "no text in that column"),
        ("a.jsonl", b'{"text": "good"}\n{"n": "x"}\n{"text": "fine"}', 2, "no text in that column"),
        ("a.jsonl", b'{"text": "good"}\n{"text": ' + b"[" * 100_000 + b'\n{"text": "fine"}', 2, "too many brackets"),
        ("a.jsonl", b'{"text": "good"}\n{"text": ' + b"1" * 5_000 + b'}\n{"text": "fine"}', 2, "too large a number"),
        ("a.csv", b'text,n\ngood,1\n"open,2\nfine,3\n', 3, "quotation marks"),
        ("a.csv", b'text,n\ngood,1\n"shut"x,2\nfine,3\n', 3, "quotation marks"),
        ("a.csv", b"text,n\ngood,1\na, b,2\nfine,3\n", 3, "3 values, and the first row names 2"),
        ("a.csv", b"text,n\ngood,1\nbad\nfine,3\n", 3, "1 value, and the first row names 2"),
        ("a.csv", b"text,n\ngood,1\n ,2\nfine,3\n", 3, "empty"),
        ("a.csv", b"text,n\ngood,1\n" + b"x" * 140_000 + b",2\nfine,3\n", 3, "131,072 characters"),
    ],
)
def test_one_bad_line_is_named_and_the_rest_is_read(name: str, data: bytes, line: int, why: str) -> None:
    texts, complaints = outcome(name, data)
    assert texts == ["good", "fine"]
    assert [at for at, _ in complaints] == [line]
    assert why in complaints[0][1]


def test_after_a_quotation_mark_that_stays_open_quoted_line_breaks_are_read_again() -> None:
    texts, complaints = outcome("a.csv", b'text\n"lost\n"kept\nwhole"\nlast\n')
    assert texts == ["kept\nwhole", "last"]
    assert [line for line, _ in complaints] == [2]


def test_ten_thousand_texts_are_read_and_the_next_is_named() -> None:
    read = read_pasted("a line\n" * (MAX_TEXTS + 5))
    assert len(read.collection.texts) == MAX_TEXTS
    assert [str(each) for each in read.complaints] == ["Line 10,001: only the 10,000 before it are read."]
    assert read_pasted("a line\n" * MAX_TEXTS + "\n\n").complaints == ()


def test_one_huge_line_is_read_whole() -> None:
    assert len(read_upload("a.txt", b"x" * MAX_BYTES).collection.texts[0].content) == MAX_BYTES


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"x" * (MAX_BYTES + 1), "2 MB"),
        ("a.pdf", b"x", "end in .txt, .csv, .tsv, .jsonl"),
        ("a.txt", b"\n \n", "No text was found."),
        ("a.csv", b"", "No text was found."),
        ("a.csv", b"text,n\n", "No text was found."),
        ("a.csv", b'"text\nx\n', "The first row must name the columns. Line 1: "),
        ("a.csv", b"text,text\nx,y\n", "Two columns have the same name."),
        ("a.txt", "héé".encode("latin-1"), "Line 1: .* another encoding"),
        ("a.txt", "one".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("a.txt", "one".encode("utf-16")[:-1], "begins as UTF-16 does, and is damaged"),
        ("a.txt", "one".encode("utf-32"), "in UTF-32"),
    ],
)
def test_a_file_without_a_text_is_refused_with_the_reason(name: str, data: bytes, message: str) -> None:
    with pytest.raises(TextsError, match=message):
        read_upload(name, data)


def test_half_a_character_that_is_pasted_spoils_its_own_line_alone() -> None:
    read = read_pasted("one\n\ud83d\ntwo")
    assert [text.content for text in read.collection.texts] == ["one", "two"]
    assert [each.line for each in read.complaints] == [2]


def test_no_message_repeats_the_file() -> None:
    with pytest.raises(TextsError) as raised:
        read_upload("a.csv", b"<b>one</b>,<i>two</i>\nx,y\n")
    assert "<" not in str(raised.value)
    for name, data in (("a.csv", b'text,n\n"<b>,1\nfine,2\n'), ("a.jsonl", b'<b>\n{"text": "fine"}')):
        assert all("<" not in why for _, why in outcome(name, data)[1])


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("a.txt", b"\r"),
        ("a.txt", b"\0\n"),
        ("a.jsonl", b"[\n"),
        ("a.jsonl", b"["),
        ("a.csv", b"\r"),
        ("a.csv", b'"\n'),
        ("a.csv", b'a","\n'),
        pytest.param("a.csv", b'a","' + b"a" * 200 + b"\n", marks=pytest.mark.slow),
    ],
)
def test_no_file_takes_long(name: str, row: bytes) -> None:
    """Each line of the last two begins a row whose quotation marks nobody closes, however far one looks."""
    start = time.process_time()
    with contextlib.suppress(TextsError):
        read_upload(name, b"text,n\n" + row * ((MAX_BYTES - 7) // len(row)))
    assert time.process_time() - start < 5


@given(st.sampled_from(list(READERS)), st.binary())
def test_any_bytes_give_texts_or_an_error_of_ours(ending: str, data: bytes) -> None:
    try:
        read = read_upload(f"a{ending}", data)
    except TextsError:
        return
    for text in read.collection.texts:
        assert text.content.strip()
        text.content.encode()
