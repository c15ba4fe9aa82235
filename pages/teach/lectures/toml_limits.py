"""Bounds of a TOML text from a stranger, to be checked before it is parsed. No Streamlit here.

A parser needs time and memory for the shape of a text, not only for its length. `tomllib` makes a table of each part
of `a.a.a.a`, and keeps the path to each of them: 64 kB of that took 3.9 GB. So the shape is bounded first. The text is
split at the signs that have a meaning in TOML (https://toml.io/en/v1.0.0). Comments and strings are skipped whole.
"""

from __future__ import annotations

import re

MAX_LINE_CHARACTERS = 100_000
MAX_LINES = 25_000  # outside strings
MAX_VALUES = 12_000  # keys, and members of arrays
MAX_TABLES = 2_000  # tables and arrays: a parser needs more for one of them than for a value
MAX_KEY_PARTS = 3  # a.b.c
MAX_NESTING = 8  # arrays and tables within each other

# Each string is read as far as TOML reads it, also one that never ends, or that closes with four or five quotation
# marks. Possessive quantifiers never go back, so the time is proportional to the length of the text.
_SIGN = re.compile(
    r'''
      \#[^\n]*+
    | """ (?: [^"\\]++ | \\. | "{1,2}(?!") )*+ (?: "{3,5} | \Z )
    | \'\'\' (?: [^']++ | '{1,2}(?!') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n]++ | \\. )*+ "?
    | ' [^'\n]*+ '?
    | [.=,\[\]{}\n]
    ''',
    re.VERBOSE | re.DOTALL,
)


def find_excess(text: str) -> str:
    """What in a TOML text is beyond the bounds, as the end of a sentence. "" if all is within."""
    lines = values = tables = nesting = dots = 0  # `dots` since the start of a key or of a value
    for sign in _SIGN.finditer(text):
        match sign[0]:
            case ".":
                dots += 1
            case "\n":
                lines, dots = lines + 1, 0
            case "=" | ",":
                values, dots = values + 1, 0
            case "[" | "{":
                tables, nesting, dots = tables + 1, nesting + 1, 0
            case "]" | "}":
                nesting = max(nesting - 1, 0)
        if excess := _name_excess(lines, values, tables, nesting, dots):
            return excess
    if any(len(line) > MAX_LINE_CHARACTERS for line in text.split("\n")):
        return f"a line has more than {MAX_LINE_CHARACTERS:,} characters"
    return ""


def _name_excess(lines: int, values: int, tables: int, nesting: int, dots: int) -> str:
    if lines > MAX_LINES:
        return f"it has more than {MAX_LINES:,} lines"
    if values > MAX_VALUES:
        return f"it has more than {MAX_VALUES:,} values"
    if tables > MAX_TABLES:
        return f"it has more than {MAX_TABLES:,} tables"
    if nesting > MAX_NESTING:
        return "it is nested too deeply"
    if dots >= MAX_KEY_PARTS:
        return f"a key has more than {MAX_KEY_PARTS} parts"
    return ""
