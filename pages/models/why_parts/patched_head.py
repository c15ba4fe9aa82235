"""Why this word, Patching: what a head brings back at each token alone."""

from __future__ import annotations

import streamlit as st

from pages.models.why_parts.patching_view import PatchingView
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import measurements, traces
from pages.shared.session import state
from viz.models.why import sources_figure


def show(view: PatchingView, cell: tuple[int, int]) -> None:
    """The shares of the head of a cell, token by token."""
    st.markdown("**This head at one token alone**")
    pair = view.patching.pair
    count = len(pair.clean.of(view.site.stack)) - pair.shared
    if long_text.is_refused(count, "It is patched at each token in a run of its own."):
        return
    found = view.by_token.setdefault((view.site, *cell), [])
    total = _measure(view, cell)
    if not found:
        return
    of_tokens = view.of_tokens
    names, shares = of_tokens.columns, view.patching.join(of_tokens.site, found)[of_tokens.first :]
    figure = sources_figure(shares.numpy(), names[: len(shares)], state.theme())
    figure.update_yaxes(title_text="share that comes back")
    figures.show(figure, "The share that the head brings back at each token alone")
    if len(found) < total:
        layout.caption(f"**Partial**: {len(shares):,} of {len(names):,} tokens are measured.")
    rows = [{"token": name, "share": share} for name, share in zip(names, shares.tolist(), strict=False)]
    figures.export(f"{view.asked.run.name}-patching-head", figure, lambda: rows, shares=shares.numpy())


def _measure(view: PatchingView, cell: tuple[int, int]) -> int:
    """Measures the head at each token, if that is soon done or the reader wishes it. Returns the number of batches."""
    layer, head = cell
    found, batches = view.by_token[view.site, layer, head], view.patching.batches_of_head(view.site, head)
    tokens = view.patching.count_tokens(batches)
    if len(batches) == 1 or measurements.quick_steps(view.asked.run.model, tokens):
        for cells in batches[len(found) :]:
            with traces.forward_pass():
                found.append(view.patching.shares(view.site, layer, cells))
        return len(batches)
    label = "Measure again" if len(found) == len(batches) else "Patch it at each token"
    start = measurements.measure_button(label, found, ":material/healing:", key="why head by token")
    stop = st.empty()
    if start:
        with measurements.watch(stop, "Patching") as bar:
            for done, cells in enumerate(batches, start=1):
                with traces.forward_pass():
                    found.append(view.patching.shares(view.site, layer, cells))
                bar.progress(done / len(batches), text=f"{done} of {len(batches)} batches of tokens")
    return len(batches)
