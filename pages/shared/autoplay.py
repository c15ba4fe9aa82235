"""A slider that plays: while the reader watches, its key goes up by itself, a step every so many seconds.

def show() -> None:
    fragments.alone(_view, every=playing.clock("training_snapshot", seconds))()

def _view() -> None:
    playing.advance("training_snapshot", last, seconds)
    st.slider("Snapshot", 0, last, key="training_snapshot")
    playing.button("training_snapshot", 0, last)
    ...
    state.finish()
"""

from __future__ import annotations

import time

import streamlit as st

from pages.shared import state

FORGOTTEN = 10.0  # seconds after which what was left playing on another page or part plays no more


def clock(key: str, seconds: float) -> float | None:
    """How often the fragment that shows the key must be drawn: never, unless it plays."""
    moved = st.session_state.get(_moved(key))
    if moved is not None and time.monotonic() - moved > FORGOTTEN + seconds:
        del st.session_state[_moved(key)]
    return seconds if is_on(key) else None


def is_on(key: str) -> bool:
    return _moved(key) in st.session_state


def advance(key: str, last: int, seconds: float) -> None:
    """While it plays, one step on if the present one has been shown for long enough. At the end it stops."""
    if not is_on(key):
        return
    now = time.monotonic()
    if now - st.session_state[_moved(key)] < 0.7 * seconds:
        return
    st.session_state[_moved(key)] = now
    if state.get(key) < last:
        state.put(**{key: state.get(key) + 1})
    else:
        del st.session_state[_moved(key)]
        st.rerun()  # only the whole page can start and stop the clock of a fragment


def button(key: str, first: int, last: int) -> None:
    """Play or Stop, also by the key P. From the end it plays again from `first`."""
    on = is_on(key)
    st.button(
        "Stop" if on else "Play", icon=":material/stop:" if on else ":material/play_arrow:",
        key=f"play {key}", on_click=_toggle, args=(key, first, last), shortcut="p", type="primary",
    )  # fmt: skip
    if st.session_state.pop(_turned(key), False):
        st.rerun()


def _toggle(key: str, first: int, last: int) -> None:
    if is_on(key):
        del st.session_state[_moved(key)]
    else:
        if state.get(key) == last:
            state.put(**{key: first})
        st.session_state[_moved(key)] = time.monotonic()
    st.session_state[_turned(key)] = True


def _moved(key: str) -> str:
    """Where the session keeps when it went on last, while it plays."""
    return f"_playing {key}"


def _turned(key: str) -> str:
    """Where the session keeps that the button was just pressed."""
    return f"_turned {key}"
