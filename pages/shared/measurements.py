"""A measurement that the reader starts, watches and may stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

ASKED = "_measured_anew"  # the results that are to be measured


def measure_button(label: str, done: list[Any] | dict[str, Any], icon: str, key: str | None = None) -> bool:
    """A button that forgets the results `done` and has them measured: whether that is to begin.

    It is, in each run until there is a first result: the run that reads the press may be ended by another message of
    the browser before it has measured anything.
    """
    st.button(label, icon=icon, type="primary", key=key, on_click=_ask, args=(done,))
    return st.session_state.get(ASKED) is done and not done


def _ask(done: list[Any] | dict[str, Any]) -> None:
    done.clear()
    st.session_state[ASKED] = done


def _stop() -> None:
    st.session_state.pop(ASKED, None)


def stop_button(place: DeltaGenerator, what: str, key: str | None = None) -> None:
    """It ends the run wherever it next writes to the page, so whoever measures keeps each result as it comes."""
    place.button("Stop", icon=":material/stop:", help=f"What has been {what} stays.", key=key, on_click=_stop)


@contextmanager
def watch(stop: DeltaGenerator, text: str) -> Iterator[DeltaGenerator]:
    """A bar of progress that begins with `text`, and in the place `stop` a button; both go once all is measured."""
    stop_button(stop, "measured")
    bar = st.progress(0.0, text=text)
    yield bar
    bar.empty()
    stop.empty()
