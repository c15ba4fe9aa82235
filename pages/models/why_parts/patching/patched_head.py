"""Why this word, Patching: what a head brings back at each token alone."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from model.experiments.patching import of_tokens
from pages.models.why_parts.patching.view import PatchingView, choose_rows, is_too_wide, say_too_wide
from pages.shared.elements import figures, layout
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session import state
from viz.models.why import sources_figure


def show(view: PatchingView, cell: tuple[int, int]) -> None:
    """The shares of the head of a cell, token by token."""
    st.markdown("**This head at one token alone**")
    patching, site = view.patching, of_tokens(view.site)
    tokens = view.of_tokens(choose_rows("why head", patching, site))
    if is_too_wide(patching, site, tokens.rows):
        layout.caption(say_too_wide())
        return
    found = view.by_token.setdefault((view.site, *cell, tokens.rows.start, tokens.rows.stop), [])
    total = _measure(view, cell, tokens.rows, found)
    if not found:
        return
    names, shares = tokens.columns, patching.join(site, found, tokens.rows)
    figure = sources_figure(shares.numpy(), names[: len(shares)], state.theme())
    figure.update_yaxes(title_text="share that comes back")
    figures.show(figure, "The share that the head brings back at each token alone")
    if len(found) < total:
        layout.caption(f"**Partial**: {len(shares):,} of {len(names):,} tokens are measured.")
    rows = [{"token": name, "share": share} for name, share in zip(names, shares.tolist(), strict=False)]
    figures.export(f"{view.asked.run.name}-patching-head", figure, lambda: rows, shares=shares.numpy())


def _measure(view: PatchingView, cell: tuple[int, int], rows: slice, found: list[Tensor]) -> int:
    """Measures the head at each token, if that is soon done or the reader wishes it, and appends the shares of each
    batch. Returns the number of batches."""
    layer, head = cell
    batches = view.patching.batches_of_head(view.site, head, rows)
    tokens = view.patching.count_tokens(batches)
    if len(batches) == 1 or measurements.quick_steps(view.asked.run.model, tokens):
        for cells in batches[len(found) :]:
            with model_turns.forward_pass():
                found.append(view.patching.shares(view.site, layer, cells))
        return len(batches)
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
                    found.append(view.patching.shares(view.site, layer, cells))
                done = len(found)
                bar.progress(done / len(batches), text=f"{done} of {len(batches)} batches of tokens")
    return len(batches)
