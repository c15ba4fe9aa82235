"""Texts that a reader brings: pasted lines, or a file of lines, of CSV or of JSON Lines.

A line that cannot be read is complained of, and all others are read. The texts are returned as they stand.
Whoever shows them escapes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from model.errors import TextsError
from model.numerals import file_size
from model.regular_file import read_regular
from model.texts.collection import Collection, Text
from model.texts.complaints import Complaint, fault_of
from model.texts.encoding import decode
from model.texts.records import COLUMN, Record, csv_records, json_records, line_records

MAX_TEXTS = 10_000
MAX_BYTES = 2_000_000
READERS = {".txt": line_records, ".csv": csv_records, ".tsv": csv_records, ".jsonl": json_records}


@dataclass(frozen=True)
class ReadTexts:
    """What was read. `column` is the one of `columns` that has the texts; a file of lines has one, "text"."""

    collection: Collection
    complaints: tuple[Complaint, ...]
    column: str
    columns: tuple[str, ...]


def read_pasted(text: str, name: str = "Pasted texts") -> ReadTexts:
    """Reads one text a line. Raises `TextsError` as `read_upload`.

    >>> from glassformer import read_pasted
    >>> read_pasted("the dog sees the cat\\n\\nthe cat sleeps").collection
    Collection('Pasted texts', 2 texts)
    """
    return read_upload(f"{name}.txt", text.encode("utf-8", errors="surrogatepass"))


def read_file(path: str | Path, column: str = "") -> ReadTexts:
    """Reads a file, as `read_upload`. Raises `TextsError`, and `OSError` where it cannot be opened.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from glassformer import read_file
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "reviews.csv")
    ...     _ = path.write_text("stars,review\\n5,the dog is cool\\n2,the dog is here\\n")
    ...     read_file(path, column="review").collection
    Collection('reviews', 2 texts)
    """
    path = Path(path)
    try:
        data = read_regular(path, MAX_BYTES)
    except ValueError as error:
        raise TextsError(f"The file cannot be read: {error}.") from error
    return read_upload(path.name, data, column)


def read_upload(name: str, data: bytes, column: str = "") -> ReadTexts:
    """Reads the bytes of a file. The ending of its name says of which kind it is: `.txt`, `.csv`, `.tsv`, `.jsonl`.

    `column` is the column of CSV, or the key of JSON Lines, that has the texts. Without it, that is "text", or else the
    only one that there is. Of more than 10,000 lines with something on them, the first 10,000 are read. Raises
    `TextsError` for another ending, for more than 2 MB, for an encoding that is neither UTF-8 nor UTF-16, where no text
    is left, and where the column is not known: then `instead` of the error has the names of the columns.
    """
    ending = Path(name).suffix.lower()
    if ending not in READERS:
        raise TextsError(f"Texts are read from files that end in {', '.join(READERS)}.")
    if len(data) > MAX_BYTES:
        raise TextsError(f"Texts may have {file_size(MAX_BYTES)} together.")
    records = list(_first(READERS[ending](decode(data))))
    columns = tuple(dict.fromkeys(key for each in records if isinstance(each, Record) for key in each.values))
    column = _choose_column(columns, column)
    found = [_text_of(each, column) for each in records]
    texts = tuple(each for each in found if isinstance(each, Text))
    complaints = tuple(each for each in found if isinstance(each, Complaint))
    if not texts:
        raise TextsError(" ".join(["No text was found.", *map(str, complaints[:1])]))
    return ReadTexts(Collection(Path(name).stem, texts), complaints, column, columns)


def _first(records: Iterator[Record | Complaint]) -> Iterator[Record | Complaint]:
    """At most 10,000 records, and a complaint of the next one."""
    yield from islice(records, MAX_TEXTS)
    if beyond := next(records, None):
        yield Complaint(beyond.line, f"only the {MAX_TEXTS:,} before it are read")


def _choose_column(names: tuple[str, ...], column: str) -> str:
    """The column that is asked for, or else the usual one."""
    if not column and len(names) == 1:
        return names[0]
    if (column or COLUMN) in names or not names:
        return column or COLUMN
    error = TextsError("No column has that name." if column else "It must be said which column has the texts.")
    error.instead = names
    raise error


def _text_of(record: Record | Complaint, column: str) -> Text | Complaint:
    if isinstance(record, Complaint):
        return record
    value = record.values.get(column)
    if fault := fault_of(value):
        return Complaint(record.line, fault)
    return Text(str(value), record.line)
