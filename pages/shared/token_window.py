"""A window of tokens for pictures that cannot be read when they hold a whole long text."""

from __future__ import annotations

import streamlit as st

MAX_READABLE_TOKENS = 40  # of a picture; it shows more, but not each with its label


def choose(name: str, count: int, start: int = 0) -> slice:
    """Draws the choice of a window, if there are many tokens, and returns the tokens in it. It opens on all of them.

    `name` tells apart the windows of a page. `start` is the place of the first of the `count` tokens in the text.
    """
    if count <= MAX_READABLE_TOKENS:
        return slice(0, count)
    end = start + count - 1
    first, last = st.slider("Tokens shown, counted from 0", start, end, (start, end), key=f"{name} window of {count}")
    return slice(first - start, last - start + 1)


def place_in(window: slice, place: int) -> int:
    """The place of a token in the window, or -1 if it is not there."""
    return place - window.start if window.start <= place < window.stop else -1


def choose_pair(name: str, queries: int, keys: int) -> tuple[slice, slice]:
    """Windows of the rows and of the columns of a matrix. A matrix of one sentence has the same for both."""
    rows = choose(name, queries)
    return rows, rows if queries == keys else choose(f"{name} keys", keys)
