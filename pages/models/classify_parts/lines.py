"""Several sentences, typed one a line, each run by an encoder."""

from __future__ import annotations

import streamlit as st

from model.errors import GlassformerError
from model.tape import Trace
from pages.shared import keys, state, traces
from viz.shared.style import markdown_text

MOST = 12  # sentences that a picture can show


def read_lines(key: str) -> list[str]:
    """The field, and its sentences; the first `MOST` of them, and the page says so."""
    st.text_area("Sentences, one a line", key=key, height=170, max_chars=keys.MAX_CHARACTERS)
    lines = [line.strip() for line in state.get(key).splitlines() if line.strip()]
    if len(lines) > MOST:
        st.warning(f"There are {len(lines)} sentences; the first {MOST} are shown.", icon=":material/info:")
    return lines[:MOST]


def run(name: str, lines: list[str], keep: tuple[str, ...]) -> list[Trace] | None:
    """A trace of each sentence, or None below one message that says which sentence cannot be run, and why."""
    found = []
    for place, line in enumerate(lines, 1):
        try:
            found.append(traces.trace(name, line, keep))
        except GlassformerError as error:
            traces.complain(GlassformerError(f"Sentence {place}: {error}"))
            return None
        except OSError as error:
            traces.complain(error)
            return None
    return found


def number_lines(lines: list[str]) -> str:
    """The sentences with their numbers, as Markdown."""
    return "\n".join(f"{place}. {markdown_text(line)}" for place, line in enumerate(lines, 1))
