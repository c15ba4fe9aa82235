"""Many texts, What it writes: the measurement of what is lost without the head, on all texts."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.surveys.effect import HeadEffect
from model.surveys.head_effect import head_effect
from model.surveys.reading import Reading
from pages.shared.model_runs import measurements, model_turns
from pages.shared.server.session_values import of_session
from pages.shared.session.last_made import keep_last
from views.attention.many_texts.effect import PLACES, EffectOnTexts, effect_on_texts
from views.head_of_run import HeadOfRun

MAX_KEPT = 6  # measurements of a session
STEP_SECONDS = 1.0


@dataclass
class Measured:
    """What is measured of one head so far; `steps`: how many texts were done after each step."""

    effect: HeadEffect | None = None
    steps: list[int] = field(default_factory=list)


@dataclass
class MeasuredHeads:
    """What a session has measured, by the reading and the head."""

    by_head: dict[Hashable, Measured] = field(default_factory=dict)


def effect_of_head(head: HeadOfRun, reading: Reading) -> EffectOnTexts:
    """The view of what the chosen head writes, and of what is lost without it as far as that is measured."""

    def make() -> EffectOnTexts:
        with model_turns.forward_pass(runs=PLACES):
            return effect_on_texts(head, reading, most=0)

    written = keep_last("written on texts", (reading, head.at, head.head), make).written
    return EffectOnTexts(head, reading, written, _measured(head, reading).effect)


def measure(view: EffectOnTexts) -> None:
    """The button that measures, and the measurement. The page runs again after it."""
    found, effect = _measured(view.head, view.reading), view.effect
    if effect is not None and effect.is_whole:
        return
    with st.container(horizontal=True):
        label = "Take the head away" if effect is None else "Go on"
        start = measurements.measure_button(label, found.steps, ":material/content_cut:", goes_on=effect is not None)
        stop = st.empty()
    if start:
        _run(view, found, stop)
        st.rerun()


def _measured(head: HeadOfRun, reading: Reading) -> Measured:
    """What the session has of a head. The oldest ones give way."""
    kept = of_session(MeasuredHeads).by_head
    found = kept.setdefault((reading, head.at, head.head), Measured())
    while len(kept) > MAX_KEPT:
        kept.pop(next(iter(kept)))
    return found


def _run(view: EffectOnTexts, found: Measured, stop: DeltaGenerator) -> None:
    """Measure batch after batch, some in each turn at the processor. A stop keeps those before it."""
    many = int(view.reading.read.sum())
    with measurements.watch(stop, "Taking the head away") as bar:
        while found.effect is None or not found.effect.is_whole:
            done = 0 if found.effect is None else int(found.effect.done.sum())
            bar.progress(done / many, text=f"Without {view.head.place}: {done:,} of {many:,} texts")
            with model_turns.forward_pass():
                found.effect = _step(view, found.effect)
            found.steps.append(int(found.effect.done.sum()))


def _step(view: EffectOnTexts, begun: HeadEffect | None) -> HeadEffect:
    """The effect after a further batch, and after as many more as a second has room for."""
    end, has_run = time.monotonic() + STEP_SECONDS, False

    def note(step: str, share: float) -> None:
        nonlocal has_run
        has_run = True

    def stop() -> bool:
        return has_run and time.monotonic() > end

    head, where = view.head, (view.head.at.layer, view.head.head, view.attention)
    return head_effect(head.run.model, view.reading, *where, begun=begun, progress=note, stop=stop)
