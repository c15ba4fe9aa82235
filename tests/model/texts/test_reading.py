"""What a reader brings comes back as it was written, whatever the kind of file."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import TextsError
from model.texts.reading import MAX_BYTES, ReadTexts, read_file, read_pasted, read_upload


def texts_without(letters: str) -> st.SearchStrategy[list[str]]:
    characters = st.characters(exclude_categories=["Cs"], exclude_characters=letters)
    return st.lists(st.text(characters).filter(str.strip), min_size=1)


TEXTS, LINES = texts_without("\0\r"), texts_without("\0\r\n")
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


def contents(read: ReadTexts) -> list[str]:
    assert read.complaints == ()
    return [text.content for text in read.collection.texts]


def as_csv(rows: list[list[str]], delimiter: str = ",") -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue()


def encoded(text: str, encoding: str) -> bytes:
    """The bytes of a file. A text that begins with a byte order mark gets one before it, or it would lose its own."""
    return text.encode("utf-8-sig" if encoding == "utf-8" and text.startswith("\ufeff") else encoding)


@given(LINES, ENCODINGS, st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_come_back(lines: list[str], encoding: str, end: str) -> None:
    assert contents(read_upload("mine.txt", encoded(end.join(lines), encoding))) == lines


@given(TEXTS, ENCODINGS, st.sampled_from(",;\t|"))
def test_a_column_of_csv_comes_back_with_its_line_breaks(texts: list[str], encoding: str, delimiter: str) -> None:
    file = as_csv([["number", "sentence"], *([str(at), text] for at, text in enumerate(texts))], delimiter)
    read = read_upload("mine.csv", encoded(file, encoding), "sentence")
    assert contents(read) == texts
    assert read.columns == ("number", "sentence")


@given(TEXTS)
def test_a_file_of_one_column_needs_no_delimiter(texts: list[str]) -> None:
    file = as_csv([["sentence"]]) + "".join(f'"{text.replace(chr(34), chr(34) * 2)}"\n' for text in texts)
    assert contents(read_upload("mine.csv", file.encode())) == texts


@given(TEXTS, ENCODINGS, st.booleans())
def test_json_lines_come_back(texts: list[str], encoding: str, ascii_alone: bool) -> None:
    file = "\n".join(json.dumps({"text": text, "n": 1}, ensure_ascii=ascii_alone) for text in texts)
    assert contents(read_upload("mine.jsonl", encoded(file, encoding))) == texts


def test_a_text_knows_the_line_where_it_begins() -> None:
    pasted = read_pasted("one\n\n  \ntwo\n")
    assert [(text.line, text.content) for text in pasted.collection.texts] == [(1, "one"), (4, "two")]
    rows = read_upload("a.csv", b'text,kind\n"one\ntwo",x\n\nthree,y\n')
    assert [(text.line, text.content) for text in rows.collection.texts] == [(2, "one\ntwo"), (5, "three")]


def test_commas_of_a_file_of_one_column_belong_to_its_texts() -> None:
    assert contents(read_upload("a.csv", b"text\nHello, world\nIt's 'fine', I think\n")) == [
        "Hello, world",
        "It's 'fine', I think",
    ]


@pytest.mark.parametrize(
    ("file", "column"), [("a.csv", b"id,note\n1,x\n"), ("a.jsonl", b'{"id": "1"}\n{"id": "2", "note": "x"}\n')]
)
def test_a_column_is_asked_for_where_there_are_several(file: str, column: bytes) -> None:
    for asked in ("", "text"):
        with pytest.raises(TextsError) as raised:
            read_upload(file, column, asked)
        assert raised.value.instead == ("id", "note")
    assert [text.content for text in read_upload(file, column, "note").collection.texts] == ["x"]


def test_the_usual_column_is_taken_and_then_the_only_one() -> None:
    assert read_upload("a.csv", b"id,text\n1,x\n").column == "text"
    assert read_upload("a.jsonl", b'{"note": "x"}\n').column == "note"
    assert read_pasted("x").column == "text"


def test_a_file_is_named_and_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "My Notes.TXT"
    path.write_text("one\ntwo", encoding="utf-8")
    read = read_file(path)
    assert read.collection.name == "My Notes"
    assert contents(read) == ["one", "two"]
    path.write_bytes(b"x" * (MAX_BYTES + 1))
    with pytest.raises(TextsError, match="more than 2 MB"):
        read_file(path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none.txt")
    with pytest.raises(TextsError, match="a folder"):
        read_file(tmp_path)
