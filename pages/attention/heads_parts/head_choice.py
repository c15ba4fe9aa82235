"""Which head and pair the Heads page shows, and what it is compared with: the keys of the page, checked."""

from __future__ import annotations

import streamlit as st

from model import GlassformerError
from model.analysis.head_steps import Attention
from pages.shared import state, traces
from pages.shared.head_on_screen import KEEP, HeadOnScreen, read_head
from pages.shared.traces import Run


def read(run: Run) -> HeadOnScreen:
    """The head and the pair that the keys of the page ask for. What the model or the sentence lacks is replaced."""
    config = run.model.config
    stack = state.among("heads_stack", config.stacks, "Stack", config.stacks[-1])
    parts = config.attentions(stack)
    part = state.among("heads_attention", parts, "Attention", parts[0])
    _forget_pair(run, stack, part)
    _mend_pair(run, stack, part)
    return read_head("heads", run, stack, part)


def _forget_pair(run: Run, stack: str, part: str) -> None:
    """Forgets the pair when the sentence or the attention changes, unless the pair changes with it."""
    now = (run.name, run.text, run.target, stack, part)
    pair = (state.get("heads_query"), state.get("heads_key"))
    before, pair_before = st.session_state.get("_heads_of", (now, pair))
    if before != now and pair == pair_before:
        state.put(heads_query=-1, heads_key=-1)
        pair = (-1, -1)
    st.session_state["_heads_of"] = (now, pair)


def _mend_pair(run: Run, stack: str, part: str) -> None:
    """Replaces a query or key that the sentence does not have by its nearest token, and says so."""
    any_head = HeadOnScreen(run, Attention(stack, 0, part), 0)
    if state.get("heads_query") >= 0:
        state.within("heads_query", 0, len(any_head.query_tokens) - 1, "Query")
        if state.get("heads_key") >= 0:
            state.within("heads_key", 0, len(any_head.key_tokens) - 1, "Key")


def other_head(screen: HeadOnScreen) -> HeadOnScreen:
    """The head that Compare sets beside the chosen one: at first the next head of the same layer."""
    if state.get("heads_layer2") < 0:
        state.put(heads_layer2=screen.at.layer)
    if state.get("heads_head2") < 0:
        state.put(heads_head2=(screen.head + 1) % screen.config.n_heads)
    layer = state.within("heads_layer2", 0, screen.n_layers - 1, "Layer")
    head = state.within("heads_head2", 0, screen.config.n_heads - 1, "Head")
    return HeadOnScreen(screen.run, screen.at.in_layer(layer), head)


def other_sentence(screen: HeadOnScreen, text: str) -> HeadOnScreen:
    """The same head over another sentence. Raises `GlassformerError` where it cannot be run or has another length."""
    run = screen.run
    trace = traces.trace(run.name, text, KEEP)
    other = HeadOnScreen(Run(run.name, text, None, run.model, trace), screen.at, screen.head)
    if _lengths(screen) != _lengths(other):
        raise GlassformerError(
            f"To be subtracted, both sentences need as many tokens: the first has {_lengths(screen)}, the second "
            f"{_lengths(other)}. Change words, not the number of tokens."
        )
    return other


def _lengths(screen: HeadOnScreen) -> str:
    """How many tokens the head compares, in words."""
    queries, keys = len(screen.query_tokens), len(screen.key_tokens)
    return str(queries) if queries == keys else f"{queries} queries and {keys} keys"
