"""A window of tokens for pictures that cannot be read when they hold a whole long text. The URL keeps it.

The pages share one window of tokens, as they share the chosen token. A matrix whose columns are tokens of another text
has a second window.
"""

from __future__ import annotations

import streamlit as st

from pages.shared.session import state

MAX_READABLE_TOKENS = 40  # of a picture; it shows more, but not each with its label


def choose(name: str, count: int, start: int = 0, key: str = "window") -> slice:
    """Draws the choice of a window, if there are many tokens, and returns the tokens in it. It opens on all of them.

    `name` tells apart the windows of a page. `start` is the place of the first of the `count` tokens in the text. `key`
    of the state keeps the window.
    """
    if count <= MAX_READABLE_TOKENS:
        return slice(0, count)
    end = start + count - 1
    widget = f"{name} window of {count}"
    st.session_state[widget] = _read(key, start, end)
    st.slider("Tokens shown, counted from 0", start, end, key=widget, on_change=_take, args=(widget, key, (start, end)))
    first, last = st.session_state[widget]
    return slice(first - start, last - start + 1)


def _read(key: str, start: int, end: int) -> tuple[int, int]:
    """The window of the state, as far as its tokens exist; all tokens for none. A link to others gets a note."""
    asked = state.get(key)
    if not asked:
        return start, end
    first, last = (max(min(asked), start), min(max(asked), end)) if len(asked) == 2 else (start, end)
    shown = (first, last) if first <= last else (start, end)
    if shown != tuple(asked) and not state.came_along(key):
        state.put(**{key: shown if shown != (start, end) else ()})
        asked_tokens = ", ".join(map(str, asked[:3])) + ("…" if len(asked) > 3 else "")
        state.say(
            key,
            f"The tokens {asked_tokens} are no window here: it has a first and a last token, from {start} to {end}. "
            f"Shown: {shown[0]} to {shown[1]}.",
        )
    return shown


def _take(widget: str, key: str, whole: tuple[int, int]) -> None:
    """Keep the reader's window; all tokens are the default, which no URL names."""
    chosen = tuple(st.session_state[widget])
    state.put(**{key: () if chosen == whole else chosen})


def place_in(window: slice, place: int) -> int:
    """The place of a token in the window, or -1 if it is not there."""
    return place - window.start if window.start <= place < window.stop else -1


def choose_pair(name: str, queries: int, keys: int) -> tuple[slice, slice]:
    """Windows of the rows and of the columns of a matrix. A matrix of one sentence has the same for both."""
    rows = choose(name, queries)
    return rows, rows if queries == keys else choose(f"{name} keys", keys, key="columns")
