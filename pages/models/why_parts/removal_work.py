"""By cause: each part taken away, in runs of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import GlassformerError
from model.experiments.part_removal import Removal, RemovalSweep
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.models.why.question import Question
from views.models.why.removals import ANOTHER, STAND_INS, Removals, examples_beside, keep, of_places, stand_ins
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text
from viz.shared.tensor_titles import path_title

MAX_KEPT_SWEEPS = 12

Make = Callable[..., RemovalSweep]  # what takes the turns at the processor -> the sweep
Places = list[list[Removal]]  # the removals of each place


def measured(asked: Question) -> Removals:
    """The removals of the present keys, as far as they are measured: at first what takes about a second."""
    instead, others = state.get("why_without"), _others(asked)
    try:
        make, places = _sweep(asked)
    except GlassformerError as error:
        why_not = Text(markdown_text(str(error)), "warning", ":material/info:")
        return Removals(asked, instead, (), 0, 0, why_not, others)
    sweep = make(model_turns.forward_pass)
    if not places and not measurements.is_wanted(places):
        parts = len(asked.account.parts) // len(sweep.places)  # of a place, each in a run of its own
        of_one_token = not (asked.of_encoder or asked.run.trace.is_lazy)
        tokens = parts if of_one_token else parts * len(asked.run.trace.tokens)
        _measure(sweep, places, max(1, measurements.quick_steps(asked.run.model, tokens)))
    return of_places(asked, instead, places, len(sweep.places), others)


def choose_and_measure(view: Removals) -> None:
    """What stands in for a part, and the button that measures all. The page runs again after the measurement."""
    asked = view.asked
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("In its place", STAND_INS, key="why_without", required=True)
        if state.get("why_without") == ANOTHER:
            st.text_input(
                "The other sentence, with as many tokens", key="why_text2", width=420, placeholder=asked.run.text
            )
        if view.why_not is not None:
            return
        with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
            make, places = _sweep(asked)
            label = "Measure again" if view.done == view.places else "Take each part away"
            start = measurements.measure_button(label, places, ":material/content_cut:")
            stop = st.empty()
    if start:
        _run(make, places, stop)
        st.rerun()


def _sweep(asked: Question) -> tuple[Make, Places]:
    """What takes the parts away, and what the session keeps of it. Raises `GlassformerError`."""
    run, instead, others = asked.run, state.get("why_without"), _others(asked)
    target = run.target if instead == ANOTHER else None
    found = [traces.trace(run.model, text, keep(asked.config), target=target) for text in others]
    values = stand_ins(asked, instead, found)
    name = others[0] if instead == ANOTHER else instead
    return partial(RemovalSweep, run.model, run.trace, asked.account, values), _kept(asked, name)


def _others(asked: Question) -> tuple[str, ...]:
    """The sentences whose parts stand in: examples for the mean, or the reader's other one."""
    match state.get("why_without"):
        case "the mean":
            return examples_beside(asked.run.text)
        case "another sentence":
            return (state.get("why_text2") or asked.run.text,)
    return ()


def _measure(sweep: RemovalSweep, places: Places, count: int) -> None:
    """Appends the first `count` places, or all."""
    found = sweep.run()
    for _ in sweep.places[:count]:
        places.append(next(found))


@dataclass
class RemovalSession:
    """What was found without each place, by question and kind of place."""

    found: dict[Hashable, Places] = field(default_factory=dict)


def _kept(asked: Question, name: str) -> Places:
    """The list that the session keeps for this question, empty at first. The oldest lists give way."""
    kept = of_session(RemovalSession).found
    found = kept.setdefault((*asked.identity, name), [])
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return found


def _run(make: Make, places: Places, stop: DeltaGenerator) -> None:
    """Measures one place after the other and appends to `places`, so that a stop keeps the first ones."""
    with measurements.watch(stop, "Taking parts away") as bar:

        @contextmanager
        def take_turn() -> Iterator[None]:
            """Each batch of runs begins with a message to the page, at which a stop ends the sweep."""
            bar.progress(
                len(places) / len(names), text=f"{len(places)} of {len(names)}: {path_title(names[len(places)])}"
            )
            with model_turns.forward_pass():
                yield

        sweep = make(take_turn)
        names = sweep.places
        for removals in sweep.run():
            places.append(removals)
