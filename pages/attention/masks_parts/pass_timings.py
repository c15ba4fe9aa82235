"""The times of the separate passes and of the masked one, measured once for each sentence of a session."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.experiments.causality import PassComparison, compare_passes, masked_pass, separate_passes
from pages.shared import layout, state, traces
from pages.shared.traces import Run

MAX_TOKENS_UNASKED = 12  # longer sentences are measured when the reader asks for it
MAX_TOKENS = 64  # longer sentences are not measured


def _ask(sentence: tuple[str, str, str | None]) -> None:
    st.session_state["_masks_asked"] = sentence


def forget() -> None:
    st.session_state.pop("_masks_passes", None)


def measure_once(run: Run) -> PassComparison | None:
    """The timings of this sentence. A short sentence is measured at once, a longer one when the reader asks for it."""
    slot = st.empty()  # reserved for the progress bar: otherwise the elements below would shift
    count, sentence = len(run.trace.tokens), (run.name, run.text, run.target)
    kept = st.session_state.get("_masks_passes")
    if kept is not None and kept[0] == sentence:
        return kept[1]
    if count > MAX_TOKENS:
        st.info(f"The sentence has {count} tokens; up to {MAX_TOKENS} are measured here. Shorten it.")
        return None
    if count > MAX_TOKENS_UNASKED and st.session_state.get("_masks_asked") != sentence:
        st.button(f"Run {count} passes", type="primary", on_click=_ask, args=(sentence,))
        layout.caption(f"{count} passes take a while: they start when you ask for them.")
        return None
    timings = _measure(run, slot)
    st.session_state["_masks_passes"] = (sentence, timings)
    return timings


def _measure(run: Run, slot: DeltaGenerator) -> PassComparison:
    tokens, source = run.trace.tokens, run.trace.source_tokens
    with slot.container():
        bar = st.progress(0.0, text="One masked pass")
        st.button("Stop", on_click=state.put, kwargs={"masks_part": "panels"}, key="masks stop")
    with traces.forward_pass(runs=len(tokens) + 2):
        masked_pass(run.model, tokens, source)  # warms up: the first run of a length is slower
        logits, seconds = masked_pass(run.model, tokens, source)
        passes = []
        for each in separate_passes(run.model, tokens, source):
            passes.append(each)
            bar.progress(each.length / len(tokens), text=f"Pass {each.length} of {len(tokens)}")
    slot.empty()
    return compare_passes(passes, logits, seconds)
