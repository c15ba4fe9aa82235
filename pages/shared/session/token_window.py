"""A window of tokens for pictures that cannot be read when they hold a whole long text. The URL keeps it.

The pages share one window of tokens, as they share the chosen token. A matrix whose columns are tokens of another text
has a second window. So has a matrix of a text that is too long for one picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared.windows import MAX_READABLE_TOKENS, MAX_TOKENS, MatrixPart, Window, all_of, is_long, opening, within


@dataclass
class LastPlaces:
    """The place that was singled out in the last run of the page, by the key of its window."""

    by_key: dict[str, int] = field(default_factory=dict)


def choose(name: str, count: int, start: int = 0, key: str = "window", at: int = -1, title: str = "Tokens") -> slice:
    """Draws the choice of a window, if there are many tokens, and returns the tokens in it, as `read` does.

    `name` tells apart the windows of a page.
    """
    window = read(count, start, key, at)
    if count <= MAX_READABLE_TOKENS:
        return window
    text, shown, opened = (start, start + count - 1), _at(window, start), opening((start, start + count - 1), at)
    if count <= MAX_TOKENS:
        _draw_slider(f"{name} window of {count}", title, key, text, shown, opened)
    else:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            _draw_step(name, title, key, text, shown, -1)
            _draw_slider(f"{name} window of {count}", title, key, text, shown, opened)
            _draw_step(name, title, key, text, shown, 1)
    return window


def read(count: int, start: int = 0, key: str = "window", at: int = -1) -> slice:
    """The tokens in a window of a text of `count` tokens. It opens on all of them.

    `start` is the place of the first of the tokens in the text. `key` of the state keeps the window. Where the text is
    too long for one picture, the window opens on the tokens around the place `at`, and goes there when another place is
    singled out.
    """
    if count <= MAX_READABLE_TOKENS:
        return slice(0, count)
    text = start, start + count - 1
    if count > MAX_TOKENS:
        _follow(key, at)
    first, last = _read(key, text, opening(text, at))
    return slice(first - start, last - start + 1)


def _at(window: slice, start: int) -> Window:
    """The first and the last token of a window in their text."""
    return window.start + start, window.stop + start - 1


def _follow(key: str, place: int) -> None:
    """Forget the reader's window when they single out a token outside it."""
    last = of_session(LastPlaces).by_key
    before = last.get(key, place)
    last[key] = place
    asked = state.get(key)
    if place not in (before, -1) and len(asked) == 2 and not asked[0] <= place <= asked[1]:
        state.put(**{key: ()})


def _draw_slider(widget: str, title: str, key: str, text: Window, shown: Window, opened: Window) -> None:
    st.session_state[widget] = shown
    args = (widget, key, shown, opened)
    st.slider(f"{title} shown, counted from 0", *text, key=widget, on_change=_take, args=args)


def _draw_step(name: str, title: str, key: str, text: Window, shown: Window, by: int) -> None:
    """A button that moves the window by its own width."""
    width = shown[1] - shown[0] + 1
    first = min(max(shown[0] + by * width, text[0]), text[1] - width + 1)
    st.button(
        "Earlier" if by < 0 else "Later",
        help=f"{title} {first} to {first + width - 1}",
        type="tertiary",
        key=f"{name} {key} {'back' if by < 0 else 'on'}",
        icon=":material/chevron_left:" if by < 0 else ":material/chevron_right:",
        disabled=first == shown[0],
        on_click=state.put,
        kwargs={key: (first, first + width - 1)},
    )


def _read(key: str, text: Window, opened: Window) -> Window:
    """The window of the state, as far as its tokens exist; the first one for none. A link to others gets a note."""
    asked, (start, end) = state.get(key), text
    if not asked:
        return opened
    shown = within(asked, text, opened)
    if shown != tuple(asked) and not state.is_carried_over(key):
        state.put(**{key: shown if shown != opened else ()})
        asked_tokens = ", ".join(map(str, asked[:3])) + ("…" if len(asked) > 3 else "")
        most = f", at most {MAX_TOKENS} of them" if end - start >= MAX_TOKENS else ""
        state.say(
            key,
            f"The tokens {asked_tokens} are no window here: it has a first and a last token, from {start} to {end}"
            f"{most}. Shown: {shown[0]} to {shown[1]}.",
        )
    return shown


def _take(widget: str, key: str, before: Window, opened: Window) -> None:
    """Keep the reader's window; the first one is the default, which no URL names. The end that moved stays."""
    first, last = st.session_state[widget]
    if last - first >= MAX_TOKENS:
        first, last = (first, first + MAX_TOKENS - 1) if first != before[0] else (last - MAX_TOKENS + 1, last)
    state.put(**{key: () if (first, last) == opened else (first, last)})


def choose_if_long(name: str, count: int, at: int = -1) -> slice:
    """As `choose`, for a picture that shows all tokens wherever it has room for them."""
    return choose(name, count, at=at) if count > MAX_TOKENS else slice(0, count)


def read_if_long(count: int, at: int = -1, key: str = "window") -> slice:
    """The tokens that `choose_if_long` returns."""
    return read(count, key=key, at=at) if count > MAX_TOKENS else slice(0, count)


def choose_pair(name: str, shape: tuple[int, ...], at: Window = (-1, -1)) -> MatrixPart:
    """Windows of the rows and of the columns of a matrix (queries, keys). A matrix of one sentence has the same for
    both, unless it is too long for one picture. `at` is the (query, key) that is singled out."""
    queries, keys = shape
    if not is_long(shape):
        rows = choose(name, queries, at=at[0])
        return rows, rows if queries == keys else choose(f"{name} keys", keys, key="columns", at=at[1])
    left, right = st.columns(2)
    with left:
        rows = choose(name, queries, at=at[0], title="Queries")
    with right:
        return rows, choose(f"{name} keys", keys, key="columns", at=at[1], title="Keys")


def choose_part(name: str, shape: tuple[int, ...], at: Window = (-1, -1)) -> MatrixPart:
    """As `choose_pair`, for a picture or table that shows all tokens wherever it has room for them."""
    return choose_pair(name, shape, at) if is_long(shape) else all_of(shape)


def read_pair(shape: tuple[int, ...], at: Window = (-1, -1)) -> MatrixPart:
    """The windows that `choose_pair` returns."""
    queries, keys = shape
    rows = read(queries, at=at[0])
    return rows, rows if queries == keys and not is_long(shape) else read(keys, key="columns", at=at[1])


def read_part(shape: tuple[int, ...], at: Window = (-1, -1)) -> MatrixPart:
    """The windows that `choose_part` returns."""
    return read_pair(shape, at) if is_long(shape) else all_of(shape)
