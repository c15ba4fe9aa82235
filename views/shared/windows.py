"""The part of a long sentence that a picture shows: a window of its tokens, or two for a matrix. No session here.

`pages.shared.session.token_window` lets the reader choose it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MAX_READABLE_TOKENS = 40  # of a picture; it shows more, but not each with its label
MAX_TOKENS = 256  # of a picture; a longer text is shown in part
OPENING_TOKENS = 64  # with which the window of a longer text opens

Window = tuple[int, int]  # the first and the last token
MatrixPart = tuple[slice, slice]  # queries and keys of a matrix


def place_in(window: slice, place: int) -> int:
    """The place of a token in the window, or -1 if it is not there."""
    return place - window.start if window.start <= place < window.stop else -1


def is_long(shape: tuple[int, ...]) -> bool:
    """Whether a matrix (queries, keys) is too long for one picture."""
    return max(shape) > MAX_TOKENS


def in_files(part: MatrixPart, shape: tuple[int, ...]) -> MatrixPart:
    """The cells of a matrix in files of its picture: all, or those shown where all are too many for one picture."""
    return part if is_long(shape) else all_of(shape)


def say_part(part: MatrixPart, shape: tuple[int, ...]) -> str:
    """Which cells of a matrix that is too long for one picture are shown, as the end of a caption; else ""."""
    if not is_long(shape):
        return ""
    rows, columns = (f"{tokens.start} to {tokens.stop - 1}" for tokens in part)
    return f" Shown: queries {rows} of {shape[0]:,}, keys {columns} of {shape[1]:,}."


def nearest_in(part: MatrixPart, at: Window) -> Window:
    """A cell of the matrix as a place in its part: the nearest one that is shown. A place below 0 stays."""
    query, key = (
        min(max(place, tokens.start), tokens.stop - 1) - tokens.start if place >= 0 else place
        for place, tokens in zip(at, part, strict=True)
    )
    return query, key


def pick_cell(part: MatrixPart, cell: Sequence[Any]) -> dict[str, int]:
    """The keys of the state that single out a cell of the part of a matrix (queries, keys) that is shown."""
    query, key = cell
    return {"query": part[0].start + int(query), "key": part[1].start + int(key)}


def around(place: int, count: int) -> Window:
    """A window of `OPENING_TOKENS` of so many tokens, with a place in its middle."""
    first = max(min(place - OPENING_TOKENS // 2, count - OPENING_TOKENS), 0)
    return first, min(first + OPENING_TOKENS, count) - 1


def around_pair(shape: tuple[int, ...], at: Window) -> MatrixPart:
    """The cells of a matrix (queries, keys) that a picture shows: all, or of too many those around a cell."""
    if not is_long(shape):
        return all_of(shape)
    (top, bottom), (left, right) = (around(place, count) for place, count in zip(at, shape, strict=True))
    return slice(top, bottom + 1), slice(left, right + 1)


def all_of(shape: tuple[int, ...]) -> MatrixPart:
    queries, keys = shape
    return slice(0, queries), slice(0, keys)
