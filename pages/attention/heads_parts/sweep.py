"""What they do, Take each away: the harm that is done by removing each head alone."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import numpy as np
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from model.analysis.head_steps import Attention, kinds
from model.arrays import Array
from model.experiments.head_ablation import AblationSweep, Harm, TooShort, mean_sweep
from model.run import ids_of
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.model_runs.model_choice import EXAMPLES
from pages.shared.model_runs.recorded_run import TakeTurn
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.head_of_run import HeadOfRun, attention_title, layer_place
from viz.attention.head_work import harm_figure
from viz.shared.style import markdown_text, number

MAX_KEPT_SWEEPS = 12
OPENING_SECONDS = 1.0  # of the measurement with which the part opens


def show_formula() -> None:
    layout.equation(
        r"\Delta_{l,h} = \mathrm{loss}(H_{l,h} := 0) - \mathrm{loss}",
        "Michel et al. (2019), arXiv:1905.10650, section 3. For an encoder: 1 - cosine of the sentence's vector.",
    )


def show_code() -> None:
    layout.code(AblationSweep)


def show(screen: HeadOfRun, numbers: bool) -> None:
    harms = _kept_harms(screen)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    row.segmented_control("On", ("your sentence", "the examples"), key="heads_sweep", required=True)
    is_long = state.get("heads_sweep") == "your sentence" and len(screen.run.trace.tokens) > long_text.MOST_TOKENS
    try:
        if not (harms or is_long or measurements.is_wanted(harms)):
            harms += _begin(screen)
        with row:
            is_whole = len(harms) == _count_attentions(screen)
            label = "Measure again" if is_whole else "Go on" if harms else "Take each head away"
            start = measurements.measure_button(label, harms, ":material/content_cut:", goes_on=not is_whole)
            stop = st.empty()
        if start:
            _run(screen, harms, stop)
    except TooShort as error:
        st.warning(markdown_text(str(error)), icon=":material/info:")
        return
    if harms:
        _show_harms(screen, harms, numbers)
    else:
        layout.caption(
            "Each head is taken away in a run of its own from its layer on. Over so long a text that takes minutes, so "
            "it waits until you ask for it. A stop keeps the layers that are done."
        )


def _count_attentions(screen: HeadOfRun) -> int:
    return sum(screen.config.n_layers(stack) for stack, _ in kinds(screen.config))


def _begin(screen: HeadOfRun) -> list[Harm]:
    """The attentions that can be measured at once: all of a small model with a short sentence. Raises `TooShort`."""
    sweeps, measured = _make_sweeps(screen), list[Harm]()
    paths, new_harms, end = sweeps[0].attentions, mean_sweep(sweeps), time.monotonic() + OPENING_SECONDS
    while len(measured) < len(paths) and (not measured or time.monotonic() < end):
        with model_turns.forward_pass():
            measured.append(next(new_harms))
    return measured


@dataclass
class SweepSession:
    """What was found without each head, by what was run."""

    harms: dict[Hashable, list[Harm]] = field(default_factory=dict)


def _kept_harms(screen: HeadOfRun) -> list[Harm]:
    """The list that the session keeps for this sentence, empty at first. The oldest lists give way."""
    run = screen.run
    kept = of_session(SweepSession).harms
    of_examples = state.get("heads_sweep") == "the examples"
    harms = kept.setdefault((run.spec.model, "the examples") if of_examples else run.spec, [])
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return harms


def _run(screen: HeadOfRun, harms: list[Harm], stop: DeltaGenerator) -> None:
    """Measures one attention after the other, from the first that is not in `harms`, and appends to them.

    So a stop keeps the first ones. Raises `TooShort`.
    """
    count = _count_attentions(screen)
    with measurements.watch(stop, "Removing heads") as bar:

        @contextmanager
        def take_turn() -> Iterator[None]:
            """Each batch of runs begins with a message to the page, at which a stop ends the sweep."""
            place = _place(screen, paths[len(harms)])
            bar.progress(len(harms) / count, text=f"{len(harms)} of {count} attentions: {place}")
            with model_turns.forward_pass():
                yield

        sweeps = _make_sweeps(screen, take_turn)
        paths = sweeps[0].attentions
        for harm in mean_sweep(sweeps, first=len(harms)):
            harms.append(harm)


def _make_sweeps(screen: HeadOfRun, take_turn: TakeTurn = nullcontext) -> list[AblationSweep]:
    """One sweep over the reader's sentence, or one over each example sentence of the run bar. Raises `TooShort`."""
    run = screen.run
    of_examples = state.get("heads_sweep") == "the examples"
    runs = [traces.trace(run.model, text, "*.resid_in") for text in EXAMPLES] if of_examples else [run.trace]
    return [
        AblationSweep(
            run.model.network,
            ids_of(each.tokens),
            ids_of(each.source_tokens) if each.source_tokens else None,
            take_turn,
        )
        for each in runs
    ]


def _show_harms(screen: HeadOfRun, harms: list[Harm], numbers: bool) -> None:
    is_encoder = screen.config.kind == "encoder"
    measure = "change of the sentence's vector, 1 − cosine" if is_encoder else "rise of the loss, in nats"
    maps = _harm_maps(screen, harms)
    rows = [
        {"attention": _place(screen, harm.path), "head": head, measure: rise, "name": harm.path}
        for harm in harms
        for head, rise in enumerate(harm.rise.tolist())
    ]
    figure = harm_figure(maps, state.theme())
    figures.show_or_list(numbers, figure, f"Each head removed: {measure}", lambda: rows)
    count = sum(len(values) for values in maps.values())
    if len(harms) < count:
        layout.caption(
            f"**Partial**: {len(harms)} of {count} attentions are measured, the others are grey. “Go on” measures them."
        )
    layout.caption(_describe(screen, harms, measure, is_encoder))
    rises = torch.stack([harm.rise for harm in harms])  # (attentions, heads)
    figures.export(f"{screen.run.name}-sweep", figure, lambda: rows, rises=rises.numpy())


def _place(screen: HeadOfRun, path: str) -> str:
    """An attention in words: "layer 2"."""
    stack, layer, part = path.split(".")
    return layer_place(screen.config, Attention(stack, int(layer), part))


def _describe(screen: HeadOfRun, harms: list[Harm], measure: str, is_encoder: bool) -> str:
    rises = torch.stack([harm.rise for harm in harms])  # (attentions, heads)
    place, head = divmod(int(rises.argmax()), rises.shape[1])
    caption = (
        f"Colour: {measure}, on {state.get('heads_sweep')}, with one head removed. Most is lost without head {head} of "
        f"{_place(screen, harms[place].path)}: {number(float(rises.max()))}."
    )
    if not is_encoder:
        harmful = int((rises < 0).sum())
        caption += f" {harmful} of {rises.numel()} heads even did harm here: without them the loss falls."
    return caption + " Michel et al. (2019), arXiv:1905.10650."


def _harm_maps(screen: HeadOfRun, harms: list[Harm]) -> dict[str, Array]:
    """A map (layers, heads) for every attention of the model, NaN where nothing has been measured."""
    config = screen.config
    measured = {harm.path: harm.rise.numpy() for harm in harms}
    missing = np.full(config.n_heads, np.nan, np.float32)
    return {
        attention_title(config, stack, part): np.stack(
            [measured.get(f"{stack}.{layer}.{part}", missing) for layer in range(config.n_layers(stack))]
        )
        for stack, part in kinds(config)
    }
