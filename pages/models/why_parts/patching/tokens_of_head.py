"""Patching: what a head brings back at each token alone."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from model.experiments.patching import of_tokens
from pages.models.why_parts.patching.kept import kept
from pages.models.why_parts.patching.sentences import choose_rows, read_rows
from pages.shared.model_runs import measurements, model_turns
from views.models.why.patched import Patched, is_too_wide
from views.models.why.patched_answer import PatchedAnswer
from views.models.why.patched_head import PatchedHead


def measured(patched: Patched, cell: tuple[int, int]) -> PatchedHead:
    """The head of a cell at each token, as far as it is measured: at once where that is soon done."""
    site, (layer, head) = of_tokens(patched.site), cell
    tokens = patched.of_tokens(read_rows(patched.patching, site))
    if is_too_wide(patched.patching, site, tokens.rows):
        return PatchedHead(tokens, cell, (), 0)
    batches, found = patched.patching.batches_of_head(patched.site, head, tokens.rows), _found(patched, tokens, cell)
    if _is_quick(patched, batches):
        for cells in batches[len(found) :]:
            with model_turns.forward_pass():
                found.append(patched.patching.shares(patched.site, layer, cells))
    return PatchedHead(tokens, cell, tuple(found), len(batches))


def choose_tokens(view: PatchedAnswer) -> None:
    """The window of a long text."""
    if view.patched is not None:
        choose_rows("why head", view.patched.patching, of_tokens(view.patched.site))


def offer(view: PatchedAnswer) -> None:
    """The button that measures the head at each token, where that takes its time. The page runs again after it."""
    patched, head = view.patched, view.head
    if patched is None or head is None:
        return
    layer, index = head.cell
    batches = patched.patching.batches_of_head(patched.site, index, head.patched.rows)
    if _is_quick(patched, batches):
        return
    found = _found(patched, head.patched, head.cell)
    is_whole = len(found) == len(batches)
    label = "Measure again" if is_whole else "Go on" if found else "Patch it at each token"
    start = measurements.measure_button(
        label, found, ":material/healing:", key="why head by token", goes_on=not is_whole
    )
    stop = st.empty()
    if start:
        with measurements.watch(stop, "Patching") as bar:
            for cells in batches[len(found) :]:
                with model_turns.forward_pass():
                    found.append(patched.patching.shares(patched.site, layer, cells))
                done = len(found)
                bar.progress(done / len(batches), text=f"{done} of {len(batches)} batches of tokens")
        st.rerun()


def _is_quick(patched: Patched, batches: list[Tensor]) -> bool:
    """Whether a head at each token is soon measured."""
    tokens = patched.patching.count_tokens(batches)
    return len(batches) == 1 or measurements.quick_steps(patched.asked.run.model, tokens) > 0


def _found(patched: Patched, tokens: Patched, cell: tuple[int, int]) -> list[Tensor]:
    """The list that the session keeps of the shares of each batch."""
    by_token = kept(patched).setdefault("by token", {})
    found: list[Tensor] = by_token.setdefault((patched.site, *cell, tokens.rows.start, tokens.rows.stop), [])
    return found
