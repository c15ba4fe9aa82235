"""The window of positions of the logit lens."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.models.predict.continuation import Playhead
from views.models.predict.lens import READABLE_POSITIONS, LogitLens, opening_window

WINDOW = "predict lens window"  # the reader's choice of positions


@dataclass
class LensSession:
    """The text and the playhead for which the window of positions was opened last, and its first and last position."""

    opened_at: tuple[tuple[int, ...], int] | None = None
    window: tuple[int, int] = (0, 0)


def read(now: Playhead) -> tuple[int, int]:
    """The first and the last position: all where they have room. It opens on those up to the playhead."""
    count, session = len(now.written.trace.tokens), of_session(LensSession)
    if count <= READABLE_POSITIONS:
        return opening_window(count, now.query)
    if session.opened_at != (now.written.ids, now.query):
        session.opened_at = (now.written.ids, now.query)
        session.window = opening_window(count, now.query)
    return session.window


def choose(view: LogitLens) -> None:
    """The choice of the window, unless all positions have room."""
    count = len(view.now.written.trace.tokens)
    if count > READABLE_POSITIONS:
        st.session_state[WINDOW] = view.window
        st.slider(f"Positions of {count}, counted from 0", 0, count - 1, key=WINDOW, on_change=_take)


def _take() -> None:
    """A chosen cell counts its column from the first position shown, so another window has none."""
    of_session(LensSession).window = st.session_state[WINDOW]
    state.put(predict_cell=())
