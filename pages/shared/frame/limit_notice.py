"""The one message of a limit that was reached. The page goes on by itself when the time is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.elements import fragments
from pages.shared.server import reached_limits
from pages.shared.server.rate_limits import LimitReached
from pages.shared.session import state


@contextmanager
def watch() -> Iterator[None]:
    """Put the page inside this `with`. Where it reaches a limit, the message stands above it."""
    with reached_limits.collect() as reached:
        yield
    if reached:
        waits = [error.seconds for error in reached if isinstance(error, LimitReached)]
        by_itself = " The page goes on by itself." if waits else ""
        place = state.message_slot() or st.container()
        place.warning(f"{reached[0]}{by_itself}", icon=":material/hourglass_top:")
        if waits:
            fragments.alone(_go_on, every=max(waits))(time.monotonic() + max(waits))


def _go_on(at: float) -> None:
    """Run the whole page again at that time of the clock. Before it, and so the first time, do nothing."""
    if time.monotonic() >= at:
        st.rerun()
