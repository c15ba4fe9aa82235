"""Heads, view All heads: every head of a stack as a small picture, sorted by what it does."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.attention.heads_parts import head_files
from pages.attention.heads_parts.heads_view import HeadsView
from pages.components import mounts
from pages.shared import layout, state, traces
from viz.attention.heads import pack_atlas, pack_tiles


def show(shown: HeadsView, numbers: bool) -> None:
    from model.analysis.head_measures import CROSS_KINDS, KINDS

    kinds = CROSS_KINDS if shown.cross else KINDS
    names = {"layer": "layer"} | {kind.key: kind.label for kind in kinds}
    state.among("heads_sort", tuple(names), "Order", "layer")
    st.segmented_control("Sort by", tuple(names), key="heads_sort", format_func=names.__getitem__, required=True)
    tiles = traces.pack(shown.run, f"tiles {shown.stack} {shown.attention}", lambda: _tiles(shown))
    title = f"All {shown.layers * shown.heads} heads"
    if numbers:
        head_files.show_columns(head_files.measures_table(tiles, kinds, state.get("heads_sort")), "%.2f")
    else:
        described = [
            {"key": kind.key, "label": kind.label, "meaning": kind.meaning, "threshold": kind.threshold}
            for kind in kinds
        ]
        mounts.heads_atlas(
            pack_atlas(
                tiles,
                title=title,
                kinds=described,
                sort=state.get("heads_sort"),
                layer=shown.layer,
                head=shown.head,
            ),
            key="heads atlas",
            on_pick=_take_head,
        )
    layout.caption(head_files.atlas_caption(shown, tiles, kinds))
    head_files.atlas(shown, tiles, kinds)


def _tiles(shown: HeadsView) -> bytes:
    """Small pictures and measures of every head, layer by layer: a copy of all weights at once would be large."""
    from model.analysis.head_measures import CROSS_KINDS, KINDS, measure
    from viz.attention.heads import TILE
    from viz.shared.payload import pool

    ids = None if shown.cross else [token.id for token in shown.queries]
    small, measures = [], []
    for layer in range(shown.layers):
        weights = shown.run.trace[f"{shown.path(layer)}.weights"]
        small.append(pool(weights.numpy(), TILE))
        found = measure(weights, ids)
        measures.append(np.stack([found[kind.key].numpy() for kind in (CROSS_KINDS if shown.cross else KINDS)], -1))
    return pack_tiles(np.stack(small), np.stack(measures))


def _take_head() -> None:
    layer, head = st.session_state["heads atlas"]["pick"]
    state.put(heads_layer=int(layer), heads_head=int(head), heads_shown=(), heads_view="Lines")
