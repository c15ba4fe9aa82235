"""The measurement of both generations of the KV cache race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from model.cost.cache_race import time_steps
from pages.shared.model_runs import model_turns
from pages.shared.server import limits, rate_limits
from pages.shared.server.session_values import of_session
from views.models.predict.continuation import Continuation
from views.models.predict.race import TITLES, CacheRace

Key = tuple[str, tuple[int, ...]]  # the model and the tokens


@dataclass
class RaceSession:
    """The model and the tokens that are to be measured, and those that were, with each step's seconds by `cache`."""

    wanted: Key | None = None
    timed: Key | None = None
    times: dict[bool, list[float]] = field(default_factory=dict)


def measured(written: Continuation) -> Mapping[bool, Sequence[float]]:
    """The seconds of each step with the cache and without; {} where they were not measured."""
    session = of_session(RaceSession)
    return session.times if session.timed == _key(written) else {}


def measure(view: CacheRace) -> None:
    """The button that measures, and the measurement. The page runs again after it."""
    written, session = view.now.written, of_session(RaceSession)
    key, steps = _key(written), len(written.path)
    st.button("Measure both on this machine", icon=":material/timer:", on_click=_request_measurement, args=(key,))
    if session.wanted == key:
        rate_limits.spend(limits.TOKENS, 2 * steps)
    wanted, session.wanted = session.wanted, None
    if wanted == key:
        _measure(written, key)
        st.rerun()


def _key(written: Continuation) -> Key:
    return written.run.name, written.ids


def _request_measurement(key: Key) -> None:
    of_session(RaceSession).wanted = key


def _measure(written: Continuation, key: Key) -> None:
    """Times each step of both generations, one generation after the other. A click elsewhere stops it."""
    network, steps = written.run.model.network, len(written.path)
    prompt = [token.id for token in written.prompt]
    times: dict[bool, list[float]] = {}
    tokens: dict[bool, list[int]] = {}
    bar = st.progress(0.0)
    for cache in (True, False):
        times[cache], tokens[cache] = [], []
        timed = time_steps(network, prompt, steps, cache)
        for step in range(1, steps + 1):
            with model_turns.forward_pass(runs=0, measured=True):
                chosen, seconds = next(timed)
            times[cache].append(seconds)
            tokens[cache].append(chosen)
            bar.progress(step / steps, text=f"{TITLES[cache]}: token {step} of {steps}")
    bar.empty()
    same = "the same tokens" if tokens[True] == tokens[False] else "different tokens"
    st.toast(f"Both wrote {same}.", icon=":material/check:")
    session = of_session(RaceSession)
    session.timed, session.times = key, times
