"""The cheating decoder: what is changed, and the comparison of the runs with the mask and without it."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from model import GlassformerError
from model.experiments import causality
from model.experiments.causality import Leak
from model.tokens.tokenizer import Token
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session import state, token_window
from pages.shared.session.last_made import keep_last
from views.attention.masks.cheat import CheatingDecoder
from views.attention.masks.decoders import has_decoder
from views.run import Run
from views.shared import long_text

WAYS = (True, False)  # with the causal mask, and without it


def read(run: Run) -> CheatingDecoder:
    """What the reader changes in the sentence of a run, with the leaks as far as they are compared.

    A short text is compared at once, a long one when the reader asks for it.
    """
    tokens, place = run.trace.tokens, state.get("masks_place")
    place = place if 0 <= place < len(tokens) else len(tokens) - 1
    shown = token_window.read(len(tokens), at=place)
    if not has_decoder(run):
        return CheatingDecoder(run, place, None, shown)
    try:
        new_token = causality.one_token(run.model, state.get("masks_word"))
    except GlassformerError as error:
        return CheatingDecoder(run, place, None, shown, why_not=str(error))
    leaks = _kept_leaks(run, place, new_token)
    if not _is_long(run):
        changed = causality.change_token(tokens, place, new_token)
        leaks += [_compare(run, changed, causal) for causal in WAYS[len(leaks) :]]
    both = (leaks[0], leaks[1]) if len(leaks) == len(WAYS) else None
    return CheatingDecoder(run, place, new_token, shown, both)


def compare(view: CheatingDecoder) -> None:
    """The button that compares the runs of a long text, and the comparison. The page runs again after it."""
    run, new_token = view.run, view.new_token
    if new_token is None or not _is_long(run):
        return
    leaks = _kept_leaks(run, view.place, new_token)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        start = measurements.measure_button("Compare the four runs", leaks, ":material/compare_arrows:")
        stop = st.empty()
    if start:
        changed = causality.change_token(run.trace.tokens, view.place, new_token)
        with measurements.watch(stop, "Comparing") as bar:
            for causal in WAYS:
                bar.progress(len(leaks) / len(WAYS), text=f"{'With' if causal else 'Without'} the mask")
                leaks.append(_compare(run, changed, causal))
        st.rerun()


def _is_long(run: Run) -> bool:
    return len(run.trace.tokens) > long_text.MOST_TOKENS


def _kept_leaks(run: Run, place: int, new_token: Token) -> list[Leak]:
    """The list that the session keeps for this change, empty at first: with the mask, then without it."""
    return keep_last("leaks of a mask", (run.spec, place, new_token.id), list)


def _compare(run: Run, changed: tuple[Token, ...], causal: bool) -> Leak:
    """The same as `model.experiments.causality.leak`, a turn at the processor for each run.

    Both runs are made in the same way. A cached one might have kept other tensors, and so have rounded otherwise.
    """

    def vectors_of(tokens: tuple[Token, ...]) -> Tensor:
        with model_turns.forward_pass():
            return causality.last_vectors(run.model, tokens, run.trace.source_tokens, causal)

    before, after = vectors_of(run.trace.tokens), vectors_of(changed)
    with model_turns.forward_pass(runs=0):
        return causality.compare_predictions(before, after, run.model.on_cpu.network.logits)
