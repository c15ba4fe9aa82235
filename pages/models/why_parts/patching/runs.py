"""Why this word, Patching: the runs of both sentences, and what is measured and estimated of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, SentencePair, Site, record_beside, record_pair
from model.graph.on_demand import stream_names
from model.process_memory import give_back_memory
from model.run import ids_of
from pages.models.why_parts.patching.view import PatchingView, choose_rows, first_token, is_far, is_too_wide
from pages.shared.model_runs import fitting_text, measurements, model_turns
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.models.why.question import Question
from views.shared import long_text

MAX_PAIR_BYTES = 150_000_000  # of the runs of pairs that are kept for all readers
MAX_KEPT_SWEEPS = 12

Estimates = dict[Site, Tensor]  # (layers, rows) each


@st.cache_resource(show_spinner=False)
def _pairs() -> SharedCache[SentencePair]:
    """Runs of pairs for all readers. They hold no model."""
    return SharedCache(MAX_PAIR_BYTES, lambda pair: pair.nbytes, keeps_last=True)


def _pair(asked: Question, text: str) -> SentencePair:
    """The runs of both sentences, up to the token after which the page asks. Raises `GlassformerError`.

    Of a long text, the first is the page's own run, whose streams are in memory.
    """
    run, model = asked.run, asked.run.model
    other = model.tokens_of(text)
    count = asked.account.position + 1
    if run.trace.source_tokens:
        written = ids_of(run.trace.tokens)[:count]
        prompts = Prompt(written, ids_of(run.trace.source_tokens)), Prompt(written, ids_of(other))
    else:
        if asked.of_encoder or len(other) != len(run.trace.tokens):
            count = max(len(other), len(run.trace.tokens))  # all that an encoder reads; or the counts are told
        place = asked.account.position if asked.of_encoder else -1
        own, theirs = (ids_of(tokens)[:count] for tokens in (run.trace.tokens, other))
        prompts = Prompt(own, position=place), Prompt(theirs, position=place)

    def make() -> SentencePair:
        if asked.most_tokens <= long_text.MOST_TOKENS or not run.trace.is_lazy:
            return record_pair(model.network, *prompts, take_turn=model_turns.forward_pass)
        own = run.trace.keeping(stream_names(model.config)).tensors
        return record_beside(model.network, *prompts, own, asked.logits, take_turn=model_turns.forward_pass)

    return _pairs().get((run.spec, text, count, asked.account.position), make)


def measure(asked: Question, text: str, site: Site, row: DeltaGenerator) -> PatchingView:
    """The estimate, and the measured shares. Those of a large model wait for the reader's wish. So does the estimate
    of a long text. A second sentence that is too long is cut as the reader's own is.

    Raises `GlassformerError`.
    """
    text = fitting_text.fit_and_say(asked.run.model, text, "the second sentence").text
    run, pair = asked.run, _pair(asked, text)
    answer, against = pair.telling_tokens(asked.account.token, asked.config.label_scores == "softmax")
    against = against if asked.account.against is None else asked.account.against
    patching = Patching(run.model.network, pair, answer, against)
    kept = _kept((*asked.identity, text, patching.tokens))
    with st.container():
        found = _estimate(patching, kept.setdefault("estimates", []), row)
    estimate = found[site] if found else None
    rows = choose_rows("why patching", patching, site, _read_place(patching, site, estimate))
    layers: list[Tensor] = kept.setdefault((site, rows.start, rows.stop), [])
    if not is_too_wide(patching, site, rows):
        with st.container():
            _measure_layers(asked, patching, site, rows, layers, row)
    shown = None if estimate is None else estimate[:, rows]
    return PatchingView(asked, patching, text, site, rows, shown, layers, kept.setdefault("by token", {}))


def _read_place(patching: Patching, site: Site, estimate: Tensor | None) -> int:
    """The token that the window of a long text goes to: that of the chosen cell. Where the reader has chosen neither a
    cell nor a window, that of the highest estimate; -1 if there is none."""
    cell, first = state.get("why_cell"), first_token(patching, site)
    if len(cell) == 2 and first <= cell[1] < patching.shape(site)[1]:
        return int(cell[1])
    if estimate is None or state.get("window"):
        return -1
    return int(estimate[:, first:].amax(0).argmax()) + first


def _estimate(patching: Patching, made: list[Estimates], row: DeltaGenerator) -> Estimates | None:
    """The estimates of all sites, which are put into `made`. Those of a long text wait for the reader's wish."""
    if not made and not is_far(patching):
        with model_turns.forward_pass(runs=3):
            made.append(patching.estimates)
    elif not made:
        with row:
            start = measurements.measure_button("Estimate each cell", made, ":material/undo:", key="why estimate")
            stop = st.empty()
        if start:
            config = patching.network.config
            count = sum(map(config.n_layers, config.stacks))
            with measurements.watch(stop, "Estimating") as bar:
                layers = measurements.in_turns(patching.estimate_layers(), count, bar, "Estimating")
                *_, found = _give_back_memory_after(layers)
            made.append(found)
    return made[0] if made else None


def _give_back_memory_after(steps: Iterator[Estimates]) -> Iterator[Estimates]:
    """Yields the steps, and gives free memory back to the system after each of them.

    Between two steps the page sends messages. Small pieces of them lie in the freed memory, so the large tensors of the
    next layer would not fit into it.
    """
    for step in steps:
        give_back_memory()
        yield step


def _measure_layers(
    asked: Question, patching: Patching, site: Site, rows: slice, layers: list[Tensor], row: DeltaGenerator
) -> None:
    """Measures the shares of the rows in each layer, if that is soon done or the reader wishes it."""
    total, tokens = patching.shape(site)[0], patching.count_tokens(patching.batches(site, rows))
    if not layers and total <= measurements.quick_steps(asked.run.model, tokens):
        _patch_layers(patching, site, rows, layers)
    with row:
        is_whole = len(layers) == total
        label = "Measure again" if is_whole else "Go on" if layers else "Patch all layers"
        start = measurements.measure_button(label, layers, ":material/healing:", goes_on=not is_whole)
        stop = st.empty()
    if start:
        with measurements.watch(stop, "Patching") as bar:
            _patch_layers(patching, site, rows, layers, bar)


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


@dataclass
class PatchingSession:
    """What was found of each pair of sentences, by pair (`_kept`)."""

    found: dict[Hashable, dict[Any, Any]] = field(default_factory=dict)


def _kept(key: tuple[Any, ...]) -> dict[Any, Any]:
    """What the session keeps of a pair: "estimates", the layers of a site for the rows on screen, and heads "by token".
    The oldest give way."""
    kept = of_session(PatchingSession).found
    found = kept.setdefault(key, {})
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return found
