"""The times of the separate passes and of the masked one, measured once for each run of a session."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.experiments.causality import PassComparison, compare_passes, masked_pass, separate_passes
from pages.shared.elements import layout
from pages.shared.model_runs import model_turns
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.run import Run

MAX_TOKENS_UNASKED = 12  # of a longer sentence, more tokens are measured when the reader asks for it
MAX_TOKENS = 64  # no more tokens are measured


@dataclass
class PassSession:
    """The run of which the reader has asked for more passes, and the last measurement with what was measured."""

    asked: Hashable = None
    measured: tuple[Hashable, PassComparison] | None = None


def _ask(key: Hashable) -> None:
    of_session(PassSession).asked = key


def forget() -> None:
    of_session(PassSession).measured = None


def _count_measured(run: Run) -> int:
    """The number of first tokens that are measured: more of them once the reader has asked for it."""
    was_asked = of_session(PassSession).asked == run.spec
    return min(len(run.trace.tokens), MAX_TOKENS if was_asked else MAX_TOKENS_UNASKED)


def measure_once(run: Run) -> PassComparison:
    """The timings of the first tokens of this run. The session keeps them."""
    slot = st.empty()  # reserved for the progress bar: otherwise the elements below would shift
    session, wanted = of_session(PassSession), (run.spec, _count_measured(run))
    if session.measured is None or session.measured[0] != wanted:
        session.measured = (wanted, _measure(run, wanted[1], slot))
    return session.measured[1]


def offer_more(run: Run) -> None:
    """Says how much of a long sentence is measured, with a button that measures more of it."""
    count, measured = len(run.trace.tokens), _count_measured(run)
    if measured == count:
        return
    possible = min(count, MAX_TOKENS)
    if measured < possible:
        st.button(f"Run {possible} passes", type="primary", on_click=_ask, args=(run.spec,))
    layout.caption(f"Measured: the first {measured:,} of {count:,} tokens.")


def _measure(run: Run, count: int, slot: DeltaGenerator) -> PassComparison:
    tokens, source = run.trace.tokens[:count], run.trace.source_tokens
    with slot.container():
        bar = st.progress(0.0, text="One masked pass")
        st.button("Stop", on_click=state.put, kwargs={"masks_part": "panels"}, key="masks stop")
    with model_turns.forward_pass(runs=len(tokens) + 2):  # counts them all
        masked_pass(run.model, tokens, source)  # warms up: the first run of a length is slower
        logits, seconds = masked_pass(run.model, tokens, source)
    passes, separate = [], separate_passes(run.model, tokens, source)
    for length in range(1, len(tokens) + 1):
        with model_turns.forward_pass(runs=0, measured=True):
            passes.append(next(separate))
        bar.progress(length / len(tokens), text=f"Pass {length:,} of {len(tokens):,}")
    slot.empty()
    return compare_passes(passes, logits, seconds)
