"""Several sentences, one in each line, each run by an encoder."""

from __future__ import annotations

import streamlit as st

from model import Model
from model.errors import GlassformerError
from model.tape import Trace
from pages.shared.model_runs import traces
from pages.shared.session import keys, state
from viz.shared.style import markdown_text

MAX_SENTENCES = 12  # that a picture can show


def read_lines(key: str) -> list[str]:
    """Shows the field, and returns its sentences. Of too many it keeps the first `MAX_SENTENCES`, and says so."""
    st.text_area("Sentences, one a line", key=key, height=170, max_chars=keys.MAX_CHARACTERS)
    lines = [line.strip() for line in state.get(key).splitlines() if line.strip()]
    if len(lines) > MAX_SENTENCES:
        st.warning(f"There are {len(lines)} sentences; the first {MAX_SENTENCES} are shown.", icon=":material/info:")
    return lines[:MAX_SENTENCES]


def trace_all(model: Model, lines: list[str], keep: tuple[str, ...]) -> list[Trace] | None:
    """A trace of each sentence. None, after a message that names it, if a sentence cannot be run."""
    runs = []
    for number, line in enumerate(lines, 1):
        try:
            runs.append(traces.trace(model, line, keep))
        except GlassformerError as error:
            traces.complain(GlassformerError(f"Sentence {number}: {error}"))
            return None
        except OSError as error:
            traces.complain(error)
            return None
    return runs


def number_lines(lines: list[str]) -> str:
    """The sentences with their numbers, as Markdown."""
    return "\n".join(f"{place}. {markdown_text(line)}" for place, line in enumerate(lines, 1))
