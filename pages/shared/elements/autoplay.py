"""A slider that plays: its key goes up by one step every few seconds until the reader stops it.

def show() -> None:
    fragments.alone(_view, every=autoplay.redraw_seconds("training_snapshot", seconds))()

def _view() -> None:
    autoplay.advance("training_snapshot", last, seconds)
    st.slider("Snapshot", 0, last, key="training_snapshot")
    autoplay.play_button("training_snapshot", 0, last)
    ...
    state.finish()
"""

from __future__ import annotations

import time

import streamlit as st

from pages.shared.server.session_values import values
from pages.shared.session import state

FORGET_SECONDS = 10.0  # A slider that was left playing on another page or part stops after this time.


def redraw_seconds(key: str, seconds: float) -> float | None:
    """How often the fragment with the slider is drawn: every `seconds` while it plays, else None."""
    _forget_if_left(key, seconds)
    return seconds if is_playing(key) else None


def _forget_if_left(key: str, seconds: float) -> None:
    stepped = values().get(_step_time(key))
    if stepped is not None and time.monotonic() - stepped > FORGET_SECONDS + seconds:
        del values()[_step_time(key)]


def is_playing(key: str) -> bool:
    return _step_time(key) in values()


def advance(key: str, last: int, seconds: float) -> None:
    """While the slider plays, go one step on if the present step has been shown long enough. Stop at `last`."""
    _forget_if_left(key, seconds)
    if not is_playing(key):
        return
    now = time.monotonic()
    if now - values()[_step_time(key)] < 0.7 * seconds:
        return
    values()[_step_time(key)] = now
    if state.get(key) < last:
        state.put(**{key: state.get(key) + 1})
    else:
        del values()[_step_time(key)]
        st.rerun()  # only the whole page can start and stop the clock of a fragment


def play_button(key: str, first: int, last: int) -> None:
    """Play or Stop, also by the key P. From the end it plays again from `first`."""
    on = is_playing(key)
    st.button(
        "Stop" if on else "Play", icon=":material/stop:" if on else ":material/play_arrow:",
        key=f"play {key}", on_click=_toggle, args=(key, first, last), shortcut="p", type="primary",
    )  # fmt: skip
    if values().pop(_was_pressed(key), False):
        st.rerun()


def _toggle(key: str, first: int, last: int) -> None:
    if is_playing(key):
        del values()[_step_time(key)]
    else:
        if state.get(key) == last:
            state.put(**{key: first})
        values()[_step_time(key)] = time.monotonic()
    values()[_was_pressed(key)] = True


def _step_time(key: str) -> str:
    """The session's name for the time of the last step. It exists only while the slider plays."""
    return f"_playing {key}"


def _was_pressed(key: str) -> str:
    """The session's name for the fact that the button was just pressed."""
    return f"_turned {key}"
