"""A measurement that the reader starts, watches and may stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


@contextmanager
def watched(stop: DeltaGenerator, text: str) -> Iterator[DeltaGenerator]:
    """A bar of progress that begins with `text`, and in the place `stop` a button; both go once all is measured.

    The button ends the run wherever it next writes to the page, so whoever measures keeps each result as it comes.
    """
    stop.button("Stop", icon=":material/stop:", help="What has been measured stays.")
    bar = st.progress(0.0, text=text)
    yield bar
    bar.empty()
    stop.empty()
