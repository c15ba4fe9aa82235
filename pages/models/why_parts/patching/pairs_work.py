"""Patching over several pairs: what is measured and estimated of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Model
from model.experiments.prompt_pairs import PromptPair
from pages.models.why_parts.patching import pair_table, rival
from pages.models.why_parts.patching.sentences import choose_over
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state
from views.message import Message
from views.models.why.averaged_pairs import AveragedPairs, usable
from views.models.why.pair_numbers import ACCOUNT, AVERAGED, Result, account_for, estimate, patch_layers
from views.run import Run
from viz.documents.page_parts import Text

MOST_KEPT = 300  # results of pairs
OPENING_SECONDS = 3  # of estimates that are made at once
TITLES = {ACCOUNT: "account of the lead"} | {name: f"patching: {name}" for name in AVERAGED if name != ACCOUNT}
Done = list[tuple[int, Result]]  # the results of some pairs, with their places


@dataclass
class PairsSession:
    """The results of single pairs, by the model, the pair and what is averaged; and those of the table on screen, by
    its model and its pairs. The oldest give way."""

    results: dict[Hashable, Result] = field(default_factory=dict)
    estimates: dict[Hashable, dict[str, Result]] = field(default_factory=dict)
    tables: dict[Hashable, Done] = field(default_factory=dict)


def averaged_pairs() -> AveragedPairs | Message:
    """What is averaged by the present keys, as far as it is measured: at first what takes a few seconds."""
    rival.take_back()
    run = traces.current(keep=AveragedPairs.needs)
    if run.config.kind != "decoder":
        said = "Pairs are read by a model that writes a text on. This one does not: choose another in the bar."
        return Message(Text(said, "info"))
    bar_notes.add("This part reads the pairs of its table, not your sentence.")
    pairs, averaged, cell = pair_table.read(run.model), state.get("why_averaged"), state.get("why_mean_cell")
    done = _done(run, pairs, averaged)
    places = [place for place in usable(run, pairs) if place not in dict(done)]
    if places and not measurements.is_wanted(done) and _is_quick(run, pairs, averaged, places):
        for place in places:
            _measure(run, pairs, averaged, place, done)
    found, is_estimated = dict(done), False
    if not found and averaged != ACCOUNT:
        found = _estimates(run, pairs, averaged, places)
        is_estimated = bool(found)
    return AveragedPairs(run, pairs, averaged, found, is_estimated, cell if len(cell) == 2 else None)


def choose_and_measure(view: AveragedPairs) -> None:
    """The task, what is averaged, the button that measures, and the table. The page runs again after the work."""
    run, pairs, averaged = view.run, view.pairs, view.averaged
    done = _done(run, pairs, averaged)
    places = [place for place in usable(run, pairs) if place not in dict(done)]
    stop: DeltaGenerator | None = None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose_over()
        pair_table.choose_task(run.model)
        st.selectbox("Averaged over pairs", AVERAGED, key="why_averaged", format_func=TITLES.__getitem__, width=230)
        if places and measurements.measure_button(
            "Measure all pairs", done, ":material/healing:", key="why measure pairs", goes_on=True
        ):
            stop = st.empty()
    pair_table.edit(run.model)
    if stop is not None:
        with measurements.watch(stop, "Measuring") as bar:
            for place in places:
                _measure(run, pairs, averaged, place, done, bar)
        st.rerun()


def offer_pair(view: AveragedPairs) -> None:
    """The choice of a pair, and the button that shows it alone."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        places = list(view.numbers)
        place = st.selectbox("Pair", places, key="why open pair", format_func=view.pair_name, width=190)
        st.button(
            "Open it", key="why open", icon=":material/open_in_full:", on_click=state.put,
            kwargs=view.keys_of_pair(places[0] if place is None else place), help="A click on its bar does so, too.",
        )  # fmt: skip


def _done(run: Run, pairs: tuple[PromptPair, ...], averaged: str) -> Done:
    """The list that the session keeps of the results of a table. At first it has those of pairs that were measured in
    another table."""
    session, model = of_session(PairsSession), run.spec.model
    if (model, pairs, averaged) not in session.tables:
        known = {place: session.results.get((model, pair, averaged)) for place, pair in enumerate(pairs)}
        session.tables[model, pairs, averaged] = [(place, each) for place, each in known.items() if each is not None]
        _drop_oldest(session.tables)
    return session.tables[model, pairs, averaged]


def _measure(
    run: Run, pairs: tuple[PromptPair, ...], averaged: str, place: int, done: Done, bar: DeltaGenerator | None = None
) -> None:
    """Appends the result of a pair to `done`. Each layer has a turn at the processor."""
    result = _account(run.model, pairs[place]) if averaged == ACCOUNT else None
    steps, layers, count = patch_layers(run.model, pairs[place], averaged), run.config.n_decoder_layers, len(pairs)
    layer = 0
    while result is None:
        with model_turns.forward_pass():
            result = next(steps)
        layer += 1
        if bar is not None:
            at = min((place + layer / layers) / count, 1.0)
            bar.progress(at, text=f"Pair {place + 1} of {count}: {layer} of {layers} layers")
    done.append((place, result))
    results = of_session(PairsSession).results
    results[run.spec.model, pairs[place], averaged] = result
    _drop_oldest(results)


def _account(model: Model, pair: PromptPair) -> Result:
    with model_turns.forward_pass():
        return account_for(model, pair)


def _estimates(run: Run, pairs: tuple[PromptPair, ...], averaged: str, places: list[int]) -> dict[int, Result]:
    """The estimates of the pairs at some places, where they are there or soon made; or else {}."""
    kept, keys = of_session(PairsSession).estimates, {place: (run.spec.model, pairs[place]) for place in places}
    missing = [place for place in places if keys[place] not in kept]
    if 3 * len(missing) > OPENING_SECONDS * _quick_steps(run, pairs, missing):
        return {}
    for place in missing:
        with model_turns.forward_pass(runs=3):
            kept[keys[place]] = estimate(run.model, pairs[place])
    found = {place: kept[keys[place]][averaged] for place in places}
    _drop_oldest(kept)
    return found


def _is_quick(run: Run, pairs: tuple[PromptPair, ...], averaged: str, places: list[int]) -> bool:
    """Whether some pairs are measured in about a second."""
    if averaged == ACCOUNT:
        return len(places) <= _quick_steps(run, pairs, places)
    layers, heads = run.config.n_decoder_layers, run.config.n_heads
    return len(places) * layers * heads <= _quick_steps(run, pairs, places)


def _quick_steps(run: Run, pairs: tuple[PromptPair, ...], places: list[int]) -> int:
    """How many runs of the longest prompt take about a second."""
    tokens = max((len(run.model.tokens_of(pairs[place].clean)) for place in places), default=1)
    return measurements.quick_steps(run.model, tokens)


def _drop_oldest(kept: dict[Hashable, Any]) -> None:
    while len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)))
