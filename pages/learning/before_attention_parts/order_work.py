"""Order of work: the measurement of the time that one layer of each network takes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.cost.timing import Timing, measure
from pages.shared.model_runs import measurements, model_turns
from pages.shared.server.session_values import of_session
from views.learning.before_attention.order import MEASURED_LENGTHS, NETWORKS, LayerTimes, untrained_networks

N_PASSES = 7
QUICK_SECONDS = 0.5  # of the measurement with which the part opens


@dataclass
class OrderSession:
    """The times that a session has measured, by network: exactly, and quickly before that."""

    exact: dict[str, list[Timing]] = field(default_factory=dict)
    quick: dict[str, list[Timing]] = field(default_factory=dict)


def measured() -> LayerTimes:
    """The exact times, as far as they are measured. Before that the quick ones."""
    exact = of_session(OrderSession).exact
    timings = {name: tuple(times) for name, times in (exact or _quick_timings()).items()}
    return LayerTimes(timings, N_PASSES if exact else 1)


def measure_more(view: object) -> None:
    """The button that measures, and the measurement. The page runs again after it."""
    timings = of_session(OrderSession).exact
    with st.container(horizontal=True):
        label = "Measure again" if timings else "Measure more exactly"
        pressed = measurements.measure_button(label, timings, ":material/timer:")
        stop = st.empty()
    if pressed:
        _measure(timings, stop)
        st.rerun()


def _quick_timings() -> dict[str, list[Timing]]:
    """One pass of each network over each length, from the shortest on, while there is time. The session keeps them."""
    session = of_session(OrderSession)
    if not session.quick:
        passes = {
            name: measure(network, MEASURED_LENGTHS, keep=(), repeats=1)  # type: ignore[arg-type]
            for name, network in untrained_networks().items()
        }
        timings: dict[str, list[Timing]] = {name: [] for name in passes}
        end = time.monotonic() + QUICK_SECONDS
        for place in range(len(MEASURED_LENGTHS)):
            if place >= 2 and time.monotonic() > end:  # two lengths make a line
                break
            for name, of_network in passes.items():
                with model_turns.forward_pass():
                    timings[name].append(next(of_network))
        session.quick = timings
    return session.quick


def _measure(timings: dict[str, list[Timing]], stop: DeltaGenerator) -> None:
    """Appends each timing to `timings` at once, so that a stop in the middle keeps the finished ones."""
    with measurements.watch(stop, "Measuring") as bar:
        for place, (name, network) in enumerate(untrained_networks().items()):
            passes = measure(network, MEASURED_LENGTHS, keep=(), repeats=N_PASSES)  # type: ignore[arg-type]
            for step, length in enumerate(MEASURED_LENGTHS):
                share = (place + step / len(MEASURED_LENGTHS)) / len(NETWORKS)
                bar.progress(share, text=f"{name}, {length} tokens")
                with model_turns.forward_pass():
                    timings.setdefault(name, []).append(next(passes))
