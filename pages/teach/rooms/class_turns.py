"""Turns for a class: its pages run a few at a time.

A class comes to a new view all at once. A hundred runs that share the processor would all be late, and switching
between them would make them later still.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

import streamlit as st

MAX_WAIT_SECONDS = 10.0  # After this time a page runs without a turn.

_TURNS = BoundedSemaphore(max(1, (os.cpu_count() or 2) // 2))


@contextmanager
def take_turn() -> Iterator[None]:
    """Run the page inside this `with`. A session that follows a lecture waits for its turn; any other runs at once."""
    if "_follow" not in st.session_state:
        yield
        return
    has_turn = _TURNS.acquire(timeout=MAX_WAIT_SECONDS)
    try:
        yield
    finally:
        if has_turn:
            _TURNS.release()
