"""The measurement of both generations of the KV cache race."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.shared.model_runs import model_turns
from pages.shared.server import limits, rate_limits
from pages.shared.server.session_values import of_session
from views.models.predict.continuation import Continuation
from views.models.predict.race import TITLES, CacheRace, RaceTimes, Steps, time_race

Key = tuple[str, tuple[int, ...]]  # the model and the tokens


@dataclass
class RaceSession:
    """The model and the tokens that are to be measured, and the last times."""

    wanted: Key | None = None
    times: RaceTimes | None = None


def measured(written: Continuation) -> RaceTimes | None:
    """What both generations of a continuation took; None where that was not measured."""
    times = of_session(RaceSession).times
    return times if times and _key(times.written) == _key(written) else None


def measure(view: CacheRace) -> None:
    """The button that measures, and the measurement. The page runs again after it."""
    written, session = view.now.written, of_session(RaceSession)
    key, steps = _key(written), len(written.path)
    st.button("Measure both on this machine", icon=":material/timer:", on_click=_request_measurement, args=(key,))
    if session.wanted == key:
        rate_limits.spend(limits.TOKENS, 2 * steps)
    wanted, session.wanted = session.wanted, None
    if wanted == key:
        _measure(written)
        st.rerun()


def _key(written: Continuation) -> Key:
    return written.run.name, written.ids


def _request_measurement(key: Key) -> None:
    of_session(RaceSession).wanted = key


def _measure(written: Continuation) -> None:
    """Times each step of both generations. A click elsewhere stops it."""
    count, bar = len(written.path), st.progress(0.0)

    def watch(steps: Steps, cache: bool) -> Steps:
        for step in range(1, count + 1):
            with model_turns.forward_pass(runs=0, measured=True):
                timed = next(steps)
            bar.progress(step / count, text=f"{TITLES[cache]}: token {step} of {count}")
            yield timed

    times = time_race(written, watch)
    bar.empty()
    same = "the same tokens" if times.is_same_text else "different tokens"
    st.toast(f"Both wrote {same}.", icon=":material/check:")
    of_session(RaceSession).times = times
