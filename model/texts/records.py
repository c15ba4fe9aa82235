"""The lines of a text, the rows of CSV and the lines of JSON Lines, each as a record: columns with values."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.errors import TextsError
from model.texts.complaints import Complaint

COLUMN = "text"  # the one of a file of lines, and of any file where the reader names none
DELIMITERS = ",;\t|"
NO_DELIMITER = "\x1f"  # of a file of one column: the commas belong to its texts
MAX_ROW_LINES = 100
HEADER_CHARACTERS = 1_000  # of the first row, in which a delimiter is looked for


@dataclass(frozen=True)
class Record:
    """`line`: the line of the file where it begins, from 1. `values`: what each column has."""

    line: int
    values: Mapping[str, object]


def line_records(text: str) -> Iterator[Record | Complaint]:
    """One text a line. Blank lines are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield Record(number, {COLUMN: line})


def json_records(text: str) -> Iterator[Record | Complaint]:
    """One JSON object a line. Blank lines are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            yield Complaint(number, f"it is not JSON from character {error.colno} on")
        except (ValueError, RecursionError):  # a number of thousands of digits, or thousands of brackets
            yield Complaint(number, "its JSON has too large a number, or too many brackets")
        else:
            yield Record(number, value) if isinstance(value, dict) else Complaint(number, "it is no JSON object")


def csv_records(text: str) -> Iterator[Record | Complaint]:
    """The rows below the first, which names the columns. A value between quotation marks may have line breaks.

    Raises `TextsError` where the first row cannot be read, or gives two columns the same name.
    """
    lines = [line + "\n" for line in text.split("\n")]
    rows = _csv_rows(lines, _find_delimiter(next((line for line in lines if line.strip()), "")))
    header = next(rows, None)
    if isinstance(header, Complaint):
        raise TextsError(f"The first row must name the columns. {header}")
    names = header[1] if header else []
    if len(set(names)) < len(names):
        raise TextsError("Two columns have the same name.")
    for row in rows:
        if isinstance(row, Complaint):
            yield row
        elif len(row[1]) != len(names):
            values = "1 value" if len(row[1]) == 1 else f"{len(row[1]):,} values"
            yield Complaint(row[0], f"it has {values}, and the first row names {len(names):,}")
        else:
            yield Record(row[0], dict(zip(names, row[1], strict=True)))


def _find_delimiter(header: str) -> str:
    """What stands between the names of the columns.

    Python's sniffer sees the names alone. The texts below them are full of commas, and of apostrophes, which it takes
    for quotation marks.
    """
    try:
        return csv.Sniffer().sniff(header[:HEADER_CHARACTERS], DELIMITERS).delimiter
    except csv.Error:
        return NO_DELIMITER


def _csv_rows(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str]] | Complaint]:
    """Each row with the line where it begins, from 1. After a row that cannot be read, the next line begins a new one.

    A quotation mark that nobody closes would otherwise swallow all lines below it. A row has a bound of lines for the
    same reason. It also bounds the work: each line of a file may begin a row that never ends.
    """
    begin = 0
    while begin < len(lines):
        if not lines[begin].strip():
            begin += 1
            continue
        end = min(begin + MAX_ROW_LINES, len(lines))
        rows = csv.reader((lines[at] for at in range(begin, end)), delimiter=delimiter, strict=True)
        try:
            values = next(rows)
        except csv.Error as error:
            yield Complaint(begin + 1, _reason(error))
            begin += 1
        else:
            yield begin + 1, values
            begin += rows.line_num


def _reason(error: csv.Error) -> str:
    if "field limit" in str(error):
        return f"a value has more than {csv.field_size_limit():,} characters"
    return f"its quotation marks do not close as they should, or it has more than {MAX_ROW_LINES} lines"
