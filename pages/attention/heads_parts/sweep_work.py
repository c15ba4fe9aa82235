"""What they do, Take each away: the measurement of the harm that is done by removing each head alone."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.experiments.head_ablation import AblationSweep, Harm, TooShort, mean_sweep
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.model_runs.recorded_run import TakeTurn
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.attention.sweep import (
    MEASURED_ON,
    THE_EXAMPLES,
    YOUR_SENTENCE,
    Sweep,
    count_attentions,
    place_of,
    sweeps_over,
)
from views.head_of_run import HeadOfRun
from views.shared import long_text
from views.shared.examples import EXAMPLES
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

MAX_KEPT_SWEEPS = 12
OPENING_SECONDS = 1.0  # of the measurement with which the part opens


def measured(head: HeadOfRun) -> tuple[list[Harm], Text | None]:
    """What is lost without each head, as far as it is measured; or why it cannot be.

    The first attentions are measured at once: all of a small model with a short sentence.
    """
    harms = _kept_harms(head)
    is_long = state.get("heads_sweep") == YOUR_SENTENCE and len(head.run.trace.tokens) > long_text.MOST_TOKENS
    try:
        if not (harms or is_long or measurements.is_wanted(harms)):
            harms += _begin(head)
    except TooShort as error:
        return [], Text(markdown_text(str(error)), "warning", ":material/info:")
    return harms, None


def example_texts() -> tuple[str, ...]:
    """The example sentences of the run bar, where it is measured on them; else none."""
    return EXAMPLES if state.get("heads_sweep") == THE_EXAMPLES else ()


def choose_and_measure(view: Sweep) -> None:
    """The choice of the sentences, the button that measures, and the measurement. The page runs again after it."""
    head, harms = view.head, _kept_harms(view.head)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    row.segmented_control("On", MEASURED_ON, key="heads_sweep", required=True)
    if view.why_not is not None:
        return
    with row:
        is_whole = len(harms) == count_attentions(head)
        label = "Measure again" if is_whole else "Go on" if harms else "Take each head away"
        start = measurements.measure_button(label, harms, ":material/content_cut:", goes_on=not is_whole)
        stop = st.empty()
    if start:
        _run(head, harms, stop)
        st.rerun()


def _begin(head: HeadOfRun) -> list[Harm]:
    """The attentions that can be measured at once. Raises `TooShort`."""
    sweeps, measured = _make_sweeps(head), list[Harm]()
    paths, new_harms, end = sweeps[0].attentions, mean_sweep(sweeps), time.monotonic() + OPENING_SECONDS
    while len(measured) < len(paths) and (not measured or time.monotonic() < end):
        with model_turns.forward_pass():
            measured.append(next(new_harms))
    return measured


@dataclass
class SweepSession:
    """What was found without each head, by what was run."""

    harms: dict[Hashable, list[Harm]] = field(default_factory=dict)


def _kept_harms(head: HeadOfRun) -> list[Harm]:
    """The list that the session keeps for this sentence, empty at first. The oldest lists give way."""
    run = head.run
    kept = of_session(SweepSession).harms
    harms = kept.setdefault((run.spec.model, THE_EXAMPLES) if example_texts() else run.spec, [])
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return harms


def _run(head: HeadOfRun, harms: list[Harm], stop: DeltaGenerator) -> None:
    """Measures one attention after the other, from the first that is not in `harms`, and appends to them.

    So a stop keeps the first ones. Raises `TooShort`.
    """
    count = count_attentions(head)
    with measurements.watch(stop, "Removing heads") as bar:

        @contextmanager
        def take_turn() -> Iterator[None]:
            """Each batch of runs begins with a message to the page, at which a stop ends the sweep."""
            place = place_of(head, paths[len(harms)])
            bar.progress(len(harms) / count, text=f"{len(harms)} of {count} attentions: {place}")
            with model_turns.forward_pass():
                yield

        sweeps = _make_sweeps(head, take_turn)
        paths = sweeps[0].attentions
        for harm in mean_sweep(sweeps, first=len(harms)):
            harms.append(harm)


def _make_sweeps(head: HeadOfRun, take_turn: TakeTurn = nullcontext) -> list[AblationSweep]:
    """One sweep over the reader's sentence, or one over each example sentence of the run bar. Raises `TooShort`."""
    model, texts = head.run.model, example_texts()
    runs = [traces.trace(model, text, "*.resid_in") for text in texts] or [head.run.trace]
    return sweeps_over(model, runs, take_turn)
