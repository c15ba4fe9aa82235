"""The held-out measures of a model with and without some parts. A press makes them, and the session keeps them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Model
from model.experiments.broken_parts import MeasureComparison, can_be_measured, compare
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.learning.bench.both_models import Removal
from views.learning.bench.broken_parts import BrokenParts
from views.learning.bench.measures import Measures

ITEM_CHOICES = ("20", "60", "200", "1000")  # a measure: 60 show a loss of a few per cent, and are soon there
MAX_KEPT_MEASURES = 30


@dataclass
class BenchSession:
    """Measures of a whole model beside those of the model without parts, by what was measured."""

    comparisons: dict[Hashable, list[MeasureComparison]] = field(default_factory=dict)
    finished: set[Hashable] = field(default_factory=set)


def measured(model: Model, removal: Removal) -> Measures | None:
    """What is measured so far; None for a model that was trained elsewhere."""
    if not can_be_measured(model.card.name):
        return None
    key = _key(model, removal)
    is_whole = key in of_session(BenchSession).finished
    return Measures(model, removal, tuple(_comparisons(key)), state.get("bench_items"), is_whole)


def measure(view: BrokenParts) -> None:
    """The number of items, the button that measures, and the measurement. The page runs again after it."""
    model, removal = traces.current_model(), view.removal
    key, kept = _key(model, removal), of_session(BenchSession)
    comparisons = _comparisons(key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Items a measure", ITEM_CHOICES, key="bench_items", width=140)
        pressed = measurements.measure_button("Measure on held-out sentences", comparisons, ":material/science:")
        stop = st.empty()
    if pressed:
        kept.finished.discard(key)
        _measure(model, removal, comparisons, stop)
        kept.finished.add(key)
        st.rerun()


def _key(model: Model, removal: Removal) -> Hashable:
    return (model.card.name, model.state, state.get("bench_items"), *removal.names)


def _comparisons(key: Hashable) -> list[MeasureComparison]:
    """The list that the session keeps, empty at first. The oldest lists give way."""
    kept = of_session(BenchSession).comparisons
    comparisons = kept.setdefault(key, [])
    while len(kept) > MAX_KEPT_MEASURES:
        kept.pop(next(iter(kept)))
    return comparisons


def _measure(model: Model, removal: Removal, comparisons: list[MeasureComparison], stop: DeltaGenerator) -> None:
    """Appends each measure to `comparisons` at once, so that a stop in the middle keeps the finished ones."""
    rows = compare(model, removal.of(model), int(state.get("bench_items")))
    with measurements.watch(stop, "Preparing held-out sentences") as bar:
        while True:
            with model_turns.forward_pass():
                row = next(rows, None)
            if row is None:
                break
            comparisons.append(row)
            bar.progress(min(len(comparisons) / 8, 1.0), text=f"Measured: {row.measure.replace('_', ' ')}")
