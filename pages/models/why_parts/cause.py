"""Why this word, By cause: each part taken away, and what the logit or the lead really loses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import GlassformerError, Trace
from model.analysis.attribution import keep_for_account
from model.arrays import Array
from model.config import TransformerConfig
from model.experiments import part_removal
from model.experiments.part_removal import Removal, RemovalSweep, Values, keep_for_removal, mean_values, values_at
from pages.models.why_parts import question
from pages.models.why_parts.question import Question
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.model_runs.model_choice import EXAMPLES
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared import quotes, sums
from viz.models.why import bars_figure, cause_figure, part_title
from viz.shared.style import markdown_text, number
from viz.shared.tensor_titles import path_title

MAX_KEPT_SWEEPS = 12
LARGEST = 10  # losses that are listed
NAMED = 6  # points that have names
FAR = 0.1  # of the size of what is asked for, between a part's effect and its direct part: then the part is named


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that this part needs. It needs no attention weights, the largest of all."""
    return (*keep_for_account(config), *keep_for_removal(config))


FARTHEST = "the largest distance from the diagonal, as a share of the logit,"


def show(asked: Question, depth: str) -> None:
    if depth == "Code":
        layout.code(part_removal.RemovalSweep)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("In its place", question.STAND_INS, key="why_without", required=True)
        if state.get("why_without") == "another sentence":
            st.text_input(
                "The other sentence, with as many tokens", key="why_text2", width=420, placeholder=asked.run.text
            )
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    try:
        values, name = _stand_ins(asked)
        make = partial(RemovalSweep, asked.run.model, asked.run.trace, asked.account, values)
        removals = _measured(asked, make, name, row)
    except GlassformerError as error:
        st.warning(markdown_text(str(error)), icon=":material/info:")
        return
    if depth == "Formula":
        _formula(asked, removals)
    else:
        _show_scatter(asked, removals, depth == "Numbers")


def _stand_ins(asked: Question) -> tuple[Values, str]:
    """What stands in for the parts, and a name for it. Raises `GlassformerError`."""
    run, patterns = asked.run, keep(asked.config)
    match state.get("why_without"):
        case "the mean":
            others = [traces.trace(run.model, text, patterns) for text in EXAMPLES if text != run.text]
            return mean_values(asked.config, others), "the mean"
        case "another sentence":
            return values_at(asked.config, _other_run(asked), asked.account.position), _other_text(asked)
        case _:
            return {}, "nothing"


def _other_text(asked: Question) -> str:
    return state.get("why_text2") or asked.run.text


def _other_run(asked: Question) -> Trace:
    """The run of the other sentence. Raises `GlassformerError` where it has another number of tokens."""
    run, text = asked.run, _other_text(asked)
    other = traces.trace(run.model, text, keep(asked.config), target=run.target)
    counts = [len(each.tokens) for each in (run.trace, other)]
    if counts[0] != counts[1]:
        raise GlassformerError(
            f"Both sentences need as many tokens: yours has {counts[0]}, the other {counts[1]}. Change words, not the "
            "number of tokens."
        )
    return other


def _measured(asked: Question, make: Callable[..., RemovalSweep], name: str, row: DeltaGenerator) -> list[Removal]:
    """What has been measured so far, the lowest layer first: at first what takes about a second, and all at the
    reader's wish."""
    places = _kept(asked, name)
    sweep = make(model_turns.forward_pass)
    if not places and not measurements.is_wanted(places):
        parts = len(asked.account.parts) // len(sweep.places)  # of a place, each in a run of its own
        of_one_token = not (asked.of_encoder or asked.run.trace.is_lazy)
        tokens = parts if of_one_token else parts * len(asked.run.trace.tokens)
        _measure(sweep, places, max(1, measurements.quick_steps(asked.run.model, tokens)))
    with row:
        label = "Measure again" if len(places) == len(sweep.places) else "Take each part away"
        start = measurements.measure_button(label, places, ":material/content_cut:")
        stop = st.empty()
    if start:
        _run(make, places, stop)
    if len(places) < len(sweep.places):
        layout.caption(
            f"**Partial**: {len(places)} of {len(sweep.places)} places are measured. “Take each part away” measures "
            "all."
        )
    return [removal for place in reversed(places) for removal in place]


def _measure(sweep: RemovalSweep, places: list[list[Removal]], count: int) -> None:
    """Appends the first `count` places, or all."""
    found = sweep.run()
    for _ in sweep.places[:count]:
        places.append(next(found))


@dataclass
class RemovalSession:
    """What was found without each place, by question and kind of place."""

    found: dict[Hashable, list[list[Removal]]] = field(default_factory=dict)


def _kept(asked: Question, name: str) -> list[list[Removal]]:
    """The list that the session keeps for this question, empty at first. The oldest lists give way."""
    kept = of_session(RemovalSession).found
    found = kept.setdefault((*asked.identity, name), [])
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return found


def _run(make: Callable[..., RemovalSweep], places: list[list[Removal]], stop: DeltaGenerator) -> None:
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


def _show_scatter(asked: Question, removals: list[Removal], numbers: bool) -> None:
    direct, fall = _columns(removals)
    titles = [part_title(each.name) for each in removals]
    named = np.argsort(-np.abs(fall - direct))[:NAMED].tolist()
    figure = cause_figure(titles, direct, fall, named, state.theme(), asked.number.loses)
    if numbers:
        st.dataframe(_rows(asked, removals), hide_index=True, height=420)
    else:
        picture, story = st.columns([3, 2], gap="medium")
        with picture, st.container(key="why cause"):
            figures.show(figure, f"Each part: its direct part, and {asked.number.loss}")
        with story:
            largest = np.argsort(-np.abs(fall))[:LARGEST].tolist()
            bars = {titles[i]: float(fall[i]) for i in largest}
            losses = bars_figure(bars, asked.number.loss, theme=state.theme())
            figures.show(losses, f"The parts without which {asked.number.plain_name} changes most")
    layout.caption(_describe(asked, removals))
    layout.cite(
        "To take a part away and run the rest: Michel et al. (2019), arXiv:1905.10650. A sum of direct parts is no "
        "cause: later layers make good what is missing, McGrath et al. (2023), arXiv:2307.15771."
    )
    rows = partial(_rows, asked, removals)
    figures.export(f"{asked.run.name}-why-cause", figure, rows, ("why cause",), direct=direct, fall=fall)


def _columns(removals: list[Removal]) -> tuple[Array, Array]:
    return np.array([each.direct for each in removals]), np.array([each.fall for each in removals])


def _rows(asked: Question, removals: list[Removal]) -> list[dict[str, Any]]:
    whose = asked.score if asked.account.against is None else f"{asked.score} of {asked.word(asked.account.token)}"
    return [
        {"part": part_title(each.name), "name": each.name, "direct part": each.direct, asked.number.loses: each.fall}
        | {f"{whose} before": each.before, f"{whose} after": each.after}
        for each in removals
    ]


def _describe(asked: Question, removals: list[Removal]) -> str:
    direct, fall = _columns(removals)
    claims.tell(FARTHEST, claims.ratio(np.abs(fall - direct).max(), abs(asked.account.value)))
    gap, position = fall - direct, asked.account.position
    worst, word = max(removals, key=lambda each: each.fall), quotes.quote(asked.word(asked.account.token))
    far = [removals[i] for i in np.argsort(-np.abs(gap)).tolist() if abs(gap[i]) > FAR * abs(asked.account.value)]
    named = "; ".join(f"{part_title(each.name)} ({number(each.fall - each.direct, 2)})" for each in far[:NAMED])
    text = (
        f"Each point is one part, taken away at {quotes.quote(asked.read[position], position)} alone. Without "
        f"{part_title(worst.name)} {asked.number.name} falls most, from {number(asked.account.value)} to "
        f"{number(asked.account.value - worst.fall)}; the {asked.score} of {word} goes from "
        f"{asked.write(worst.before)} to {asked.write(worst.after)}. "
    )
    if not far:
        return text + "All points are near the diagonal: the parts act directly."
    step = "" if asked.config.transform == "none" else " and the step before the answer, whose ratios it keeps, too"
    return text + (
        f"Far off the diagonal: {named}. Such a part acts through later layers, or it changes the scale of the norms, "
        f"which an account keeps as it is. Above the last feed-forward there is only the norm{step}."
    )


def _formula(asked: Question, removals: list[Removal]) -> None:
    asks = asked.number
    layout.equation(
        rf"\Delta_c = {asks.symbol} - {asks.symbol}(x_c := \tilde x_c), \qquad "
        r"\text{direct: } (x_c - \tilde x_c) \cdot r",
        "Michel et al. (2019), arXiv:1905.10650, take heads away; a part that only acts directly has both alike, but "
        "for the scale of the norms.",
        {r"\tilde x_c": "what stands in its place: 0, the mean over other sentences, or the part of another sentence"}
        | asks.symbols,
    )
    most = max(removals, key=lambda each: abs(each.fall))
    layout.work_out(
        f"For {part_title(most.name)}, {asks.name} with it, and without it:",
        sums.total([asked.account.value, -most.fall]),
    )
