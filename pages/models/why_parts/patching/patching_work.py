"""Patching: the runs of both sentences, and what is measured and estimated of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model import GlassformerError
from model.experiments.patching import Patching
from model.experiments.sentence_pair import SentencePair, Site
from model.process_memory import give_back_memory
from model.shared_cache import SharedCache
from pages.models.why_parts.patching import tokens_of_head
from pages.models.why_parts.patching.kept import kept, kept_of
from pages.models.why_parts.patching.sentences import (
    choose_over,
    choose_rows,
    choose_sentence,
    choose_site,
    read_rows,
    read_sentence,
    read_site,
)
from pages.shared.model_runs import fitting_text, measurements, model_turns
from pages.shared.session import state
from views.models.why.both_sentences import patching_of, record_both
from views.models.why.patched import Patched, first_token, is_far, is_too_wide
from views.models.why.patched_answer import NO_SENTENCE, PatchedAnswer
from views.models.why.question import Question
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

MAX_PAIR_BYTES = 150_000_000  # of the runs of pairs that are kept for all readers

Estimates = dict[Site, Tensor]  # (layers, rows) each


def patched_answer(asked: Question) -> PatchedAnswer:
    """What is patched by the present keys, as far as it is measured: at first what takes about a second."""
    text, site = read_sentence(asked), read_site(asked)
    if not text:
        return PatchedAnswer(asked, site, None, why_not=Text(NO_SENTENCE, "info"))
    try:
        patched = _measure(asked, text, site)
    except GlassformerError as error:
        why_not = Text(markdown_text(str(error)), "warning", ":material/info:")
        return PatchedAnswer(asked, site, None, why_not=why_not)
    cell = _read_cell(patched)
    if cell is None:
        return PatchedAnswer(asked, site, patched)
    with model_turns.forward_pass():
        logits = patched.patching.run_row(site, *cell)  # (answers,)
    head = tokens_of_head.measured(patched, cell) if site.is_of_heads else None
    return PatchedAnswer(asked, site, patched, cell, logits, head)


def choose_both(view: PatchedAnswer) -> None:
    """The second sentence, and what is patched."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose_over()
        choose_sentence(view.asked)
        choose_site(view.asked)


def choose_and_measure(view: PatchedAnswer) -> None:
    """The same with the buttons that measure, and the window of a long text. The page runs again after the work."""
    patched = view.patched
    if patched is None:
        choose_both(view)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose_over()
        choose_sentence(view.asked)
        choose_site(view.asked)
        with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
            estimating, measuring = _offer_estimates(patched), _offer_layers(patched)
    if estimating is not None:
        _run_estimates(patched, estimating)
        st.rerun()
    at = _read_place(patched.patching, patched.site, _estimate_of(patched))
    choose_rows("why patching", patched.patching, patched.site, at)
    if measuring is not None:
        with measurements.watch(measuring, "Patching") as bar:
            _patch_layers(patched.patching, patched.site, patched.rows, _layers_of(patched), bar)
        st.rerun()


@st.cache_resource(show_spinner=False)
def _pairs() -> SharedCache[SentencePair]:
    """Runs of pairs for all readers. They hold no model."""
    return SharedCache(MAX_PAIR_BYTES, lambda pair: pair.nbytes, keeps_last=True)


def _pair(asked: Question, text: str) -> SentencePair:
    """The runs of both sentences. Raises `GlassformerError`."""
    make = partial(record_both, asked, text, model_turns.forward_pass)
    return _pairs().get((asked.run.spec, text, asked.position), make)


def _measure(asked: Question, text: str, site: Site) -> Patched:
    """The estimate, and the measured shares. Those of a large model wait for the reader's wish. So does the estimate
    of a long text. A second sentence that is too long is cut as the reader's own is.

    Raises `GlassformerError`.
    """
    text = fitting_text.fit_and_say(asked.run.model, text, "the second sentence").text
    patching = patching_of(asked, _pair(asked, text))
    patching.check(site)
    made: list[Estimates] = kept_of(asked, text, patching).setdefault("estimates", [])
    if not made and not is_far(patching):
        with model_turns.forward_pass(runs=3):
            made.append(patching.estimates)
    estimate = made[0][site] if made else None
    rows = read_rows(patching, site, _read_place(patching, site, estimate))
    shown = None if estimate is None else estimate[:, rows]
    patched = Patched(asked, patching, text, site, rows, shown, ())
    layers, total = _layers_of(patched), patching.shape(site)[0]
    tokens = patching.count_tokens(patching.batches(site, rows))
    is_quick = total <= measurements.quick_steps(asked.run.model, tokens)
    if not layers and not is_too_wide(patching, site, rows) and is_quick and not measurements.is_wanted(layers):
        _patch_layers(patching, site, rows, layers)
    return replace(patched, layers=tuple(layers))


def _read_cell(patched: Patched) -> tuple[int, int] | None:
    """The chosen (layer, row), or else the one that brings most back; None if that is not known yet."""
    cell = state.get("why_cell")
    if len(cell) == 2 and cell[0] < patched.count and patched.rows.start <= cell[1] < patched.rows.stop:
        return cell[0], cell[1]
    return patched.best


def _read_place(patching: Patching, site: Site, estimate: Tensor | None) -> int:
    """The token that the window of a long text goes to: that of the chosen cell. Where the reader has chosen neither a
    cell nor a window, that of the highest estimate; -1 if there is none."""
    cell, first = state.get("why_cell"), first_token(patching, site)
    if len(cell) == 2 and first <= cell[1] < patching.shape(site)[1]:
        return int(cell[1])
    if estimate is None or state.get("window"):
        return -1
    return int(estimate[:, first:].amax(0).argmax()) + first


def _estimate_of(patched: Patched) -> Tensor | None:
    """The estimates of all rows: (layers, rows)."""
    made = kept(patched)["estimates"]
    return made[0][patched.site] if made else None


def _layers_of(patched: Patched) -> list[Tensor]:
    """The list that the session keeps of the shares of each layer: (rows,)."""
    layers: list[Tensor] = kept(patched).setdefault((patched.site, patched.rows.start, patched.rows.stop), [])
    return layers


def _offer_estimates(patched: Patched) -> DeltaGenerator | None:
    """The button that estimates the cells of a long text. Returns the place of its stop button where it begins."""
    made = kept(patched)["estimates"]
    if made or not is_far(patched.patching):
        return None
    start = measurements.measure_button("Estimate each cell", made, ":material/undo:", key="why estimate")
    stop = st.empty()
    return stop if start else None


def _run_estimates(patched: Patched, stop: DeltaGenerator) -> None:
    """The estimates of all sites."""
    config = patched.patching.network.config
    count = sum(map(config.n_layers, config.stacks))
    with measurements.watch(stop, "Estimating") as bar:
        layers = measurements.in_turns(patched.patching.estimate_layers(), count, bar, "Estimating")
        *_, found = _give_back_memory_after(layers)
    kept(patched)["estimates"].append(found)


def _give_back_memory_after(steps: Iterator[Estimates]) -> Iterator[Estimates]:
    """Yields the steps, and gives free memory back to the system after each of them.

    Between two steps the page sends messages. Small pieces of them lie in the freed memory, so the large tensors of the
    next layer would not fit into it.
    """
    for step in steps:
        give_back_memory()
        yield step


def _offer_layers(patched: Patched) -> DeltaGenerator | None:
    """The button that patches the rows in each layer. Returns the place of its stop button where it begins."""
    if is_too_wide(patched.patching, patched.site, patched.rows):
        return None
    layers = _layers_of(patched)
    is_whole = len(layers) == patched.count
    label = "Measure again" if is_whole else "Go on" if layers else "Patch all layers"
    start = measurements.measure_button(label, layers, ":material/healing:", goes_on=not is_whole)
    stop = st.empty()
    return stop if start else None


def _patch_layers(
    patching: Patching, site: Site, rows: slice, layers: list[Tensor], bar: DeltaGenerator | None = None
) -> None:
    """Appends the shares of each layer, (rows,), to `layers`. Each batch has a turn at the processor."""
    total, batches = patching.shape(site)[0], patching.batches(site, rows)
    for layer in range(len(layers), total):
        found = list[Tensor]()
        for cells in batches:
            with model_turns.forward_pass():
                found.append(patching.shares(site, layer, cells))
            if len(found) == len(batches):
                layers.append(patching.join(site, found, rows))
            if bar is not None:
                done = (layer + len(found) / len(batches)) / total
                bar.progress(done, text=f"{len(layers)} of {total} layers")
