"""The times of the separate passes and of the masked one, measured once for each run of a session."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import streamlit as st

from model.experiments.causality import PassComparison, compare_passes, masked_pass, separate_passes
from pages.shared.elements import layout
from pages.shared.model_runs import model_turns
from pages.shared.server import session_values
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.attention.masks.decoders import has_decoder
from views.attention.masks.passes import MAX_TOKENS_UNASKED, Passes
from views.run import Run

MAX_TOKENS = 64  # no more tokens are measured


@dataclass
class PassSession:
    """The run of which the reader has asked for more passes, and the last measurement with what was measured."""

    asked: Hashable = None
    measured: tuple[Hashable, PassComparison] | None = None


def measured(run: Run) -> PassComparison | None:
    """The timings of the first tokens of a run, which the session keeps; None before they are measured.

    Apart from any session nobody watches, so they are measured at once.
    """
    session, wanted = of_session(PassSession), _wanted(run)
    if session.measured is not None and session.measured[0] == wanted:
        return session.measured[1]
    return _measure(run, wanted[1]) if session_values.is_apart() and has_decoder(run) else None


def measure(view: Passes) -> None:
    """Measure the first tokens, with a bar and a way out. The page runs again after it."""
    wanted, slot = _wanted(view.run), st.empty()
    with slot.container():
        bar = st.progress(0.0, text="One masked pass")
        st.button("Stop", on_click=state.put, kwargs={"masks_part": "panels"}, key="masks stop")
    count = wanted[1]

    def tell(length: int) -> None:
        bar.progress(length / count, text=f"Pass {length:,} of {count:,}")

    of_session(PassSession).measured = wanted, _measure(view.run, count, tell)
    slot.empty()
    st.rerun()


def offer_more(view: Passes) -> None:
    """How much of a long sentence is measured, with a button that measures more of it, and one that does so again."""
    run = view.run
    with st.container(horizontal=True, vertical_alignment="center"):
        count, done = len(run.trace.tokens), _count_measured(run)
        if done < count:
            possible = min(count, MAX_TOKENS)
            if done < possible:
                st.button(f"Run {possible} passes", type="primary", on_click=_ask, args=(run.spec,))
            layout.caption(f"Measured: the first {done:,} of {count:,} tokens.")
        st.button("Measure again", on_click=_forget, icon=":material/refresh:", type="tertiary")


def _ask(key: Hashable) -> None:
    of_session(PassSession).asked = key


def _forget() -> None:
    of_session(PassSession).measured = None


def _wanted(run: Run) -> tuple[Hashable, int]:
    return run.spec, _count_measured(run)


def _count_measured(run: Run) -> int:
    """The number of first tokens that are measured: more of them once the reader has asked for it."""
    was_asked = of_session(PassSession).asked == run.spec
    return min(len(run.trace.tokens), MAX_TOKENS if was_asked else MAX_TOKENS_UNASKED)


def _measure(run: Run, count: int, tell: Callable[[int], object] = lambda length: None) -> PassComparison:
    """`tell` hears how many separate passes are done."""
    tokens, source = run.trace.tokens[:count], run.trace.source_tokens
    with model_turns.forward_pass(runs=len(tokens) + 2):  # counts them all
        masked_pass(run.model, tokens, source)  # warms up: the first run of a length is slower
        logits, seconds = masked_pass(run.model, tokens, source)
    passes, separate = [], separate_passes(run.model, tokens, source)
    for length in range(1, len(tokens) + 1):
        with model_turns.forward_pass(runs=0, measured=True):
            passes.append(next(separate))
        tell(length)
    return compare_passes(passes, logits, seconds)
