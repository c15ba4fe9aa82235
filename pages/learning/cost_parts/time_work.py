"""The measurement of the time that a model takes for texts of several lengths."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Model
from model.cost.timing import Timing, measure
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session.text_length import token_limit
from views.learning.cost.cost_view import Shape
from views.learning.cost.times import Times, lengths_for

QUICK_LENGTHS = 3  # at least
QUICK_SECONDS = 0.5  # of the measurement with which the part opens


@dataclass
class TimeSession:
    """The times that a session has measured, by model: exact ones, and quick ones before."""

    exact: dict[str, list[Timing]] = field(default_factory=dict)
    quick: dict[str, list[Timing]] = field(default_factory=dict)


def measured(model: Model, shape: Shape) -> Times:
    """The exact times of a model, as far as they are measured. Before that the quick ones."""
    exact = _exact_timings(model)
    timings = exact or _quick_timings(model)
    return Times(shape, tuple(timings), len(lengths_for(token_limit(model))), is_quick=not exact)


def measure_more(view: Times) -> None:
    """The button that measures, and the measurement. The page runs again after it."""
    model = traces.current_model()
    timings = _exact_timings(model)
    with st.container(horizontal=True):
        label = "Measure again" if timings else "Measure more exactly"
        pressed = measurements.measure_button(label, timings, ":material/timer:")
        stop = st.empty()
    if pressed:
        _measure(model, timings, stop)
        st.rerun()


def _exact_timings(model: Model) -> list[Timing]:
    """The list that the session keeps for a model, empty at first."""
    return of_session(TimeSession).exact.setdefault(model.card.name, [])


def _quick_timings(model: Model) -> list[Timing]:
    """One pass of each length, as many lengths as are soon done. The session keeps them."""
    kept = of_session(TimeSession).quick
    if model.card.name not in kept:
        lengths = lengths_for(token_limit(model))
        passes, timings = measure(model.network, lengths, repeats=1), list[Timing]()
        end = time.monotonic() + QUICK_SECONDS
        while len(timings) < len(lengths) and (time.monotonic() < end or len(timings) < QUICK_LENGTHS):
            with model_turns.forward_pass():
                timings.append(next(passes))
        kept[model.card.name] = timings
    return kept[model.card.name]


def _measure(model: Model, timings: list[Timing], stop: DeltaGenerator) -> None:
    """Appends each timing to `timings` at once, so that a stop in the middle keeps the finished ones."""
    lengths = lengths_for(token_limit(model))
    passes = measure(model.network, lengths)
    with measurements.watch(stop, "Measuring") as bar:
        for place, length in enumerate(lengths):
            bar.progress(place / len(lengths), text=f"{length} tokens")
            with model_turns.forward_pass():
                timings.append(next(passes))
