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


def opening(text: Window, place: int) -> Window:
    """The window with which a text opens: all of it, or of a long text the page that holds a place, else the first.

    The pages have `OPENING_TOKENS` each.
    """
    start, end = text
    if end - start < MAX_TOKENS:
        return text
    first = start + max(place - start, 0) // OPENING_TOKENS * OPENING_TOKENS
    return min(first, end - OPENING_TOKENS + 1), min(first + OPENING_TOKENS - 1, end)


def within(chosen: Sequence[int], text: Window, opened: Window) -> Window:
    """The `chosen` window as far as its tokens exist, at most `MAX_TOKENS` of them; `opened` where it is none."""
    if len(chosen) != 2:
        return opened
    first, last = max(min(chosen), text[0]), min(max(chosen), text[1])
    return (first, min(last, first + MAX_TOKENS - 1)) if first <= last else opened


def window_of(count: int, chosen: Sequence[int], start: int = 0, at: int = -1) -> slice:
    """The tokens that a picture has of `count` tokens, the first of which is `start` in its text: all, those of the
    `chosen` window, or those with which a long text opens around the place `at`."""
    if count <= MAX_READABLE_TOKENS:
        return slice(0, count)
    text = start, start + count - 1
    first, last = within(chosen, text, opening(text, at))
    return slice(first - start, last - start + 1)


def window_if_long(count: int, chosen: Sequence[int], at: int = -1) -> slice:
    """The same for a picture that shows all tokens wherever it has room for them."""
    return window_of(count, chosen, at=at) if count > MAX_TOKENS else slice(0, count)


def pair_of(shape: tuple[int, ...], rows: Sequence[int], columns: Sequence[int], at: Window = (-1, -1)) -> MatrixPart:
    """The windows of the rows and of the columns of a matrix (queries, keys). A matrix of one sentence has the same for
    both, unless it is too long for one picture. `at` is the (query, key) that is singled out."""
    queries, keys = shape
    shown = window_of(queries, rows, at=at[0])
    return shown, shown if queries == keys and not is_long(shape) else window_of(keys, columns, at=at[1])


def part_of(shape: tuple[int, ...], rows: Sequence[int], columns: Sequence[int], at: Window = (-1, -1)) -> MatrixPart:
    """As `pair_of`, for a picture that shows all tokens wherever it has room for them."""
    return pair_of(shape, rows, columns, at) if is_long(shape) else all_of(shape)


def all_of(shape: tuple[int, ...]) -> MatrixPart:
    queries, keys = shape
    return slice(0, queries), slice(0, keys)
