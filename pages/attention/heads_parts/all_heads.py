"""Heads, view All heads: every head of a stack as a small picture, sorted by what it does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model.analysis.head_measures import Kind
from model.arrays import Array
from pages.attention.heads_parts import next_words
from pages.components import mounts
from pages.shared.elements import claims, columns, figures, layout
from pages.shared.model_runs import head_tiles
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from viz.attention.heads import TILE, pack_atlas, read_tiles, weights_figure
from viz.print import head_pictures
from viz.print.files import npz, rows_csv
from viz.shared.payload import unpack
from viz.shared.style import number

STRONGEST = "the first head's measure"


def show(screen: HeadOfRun, numbers: bool) -> None:
    kinds = _kinds(screen)
    titles = {"layer": "layer"} | {kind.key: kind.label for kind in kinds}
    order = state.checked_choice("heads_sort", tuple(titles), "Order", "layer")
    st.segmented_control("Sort by", tuple(titles), key="heads_sort", format_func=titles.__getitem__, required=True)
    with next_words.beside(screen):
        _show_tiles(screen, kinds, order, numbers)


def _show_tiles(screen: HeadOfRun, kinds: Sequence[Kind], order: str, numbers: bool) -> None:
    tiles = head_tiles.tiles_of(screen.run, screen.at.stack, screen.at.part)
    if numbers:
        show_columns(measures_table(tiles, kinds, order), 2)
    else:
        mounts.heads_atlas(
            pack_atlas(
                tiles,
                title=f"All {screen.n_layers * screen.config.n_heads} heads",
                kinds=[_describe_kind(kind) for kind in kinds],
                sort=order,
                layer=screen.at.layer,
                head=screen.head,
                queries=len(screen.query_tokens),
            ),
            key="heads atlas",
            on_pick=_take_head,
        )
    if order != "layer":
        place = [kind.key for kind in kinds].index(order)
        claims.tell(STRONGEST, float(_read_measures(tiles)[..., place].max()))
    layout.caption(_describe(screen, tiles))
    _export(screen, tiles)


def _is_long(screen: HeadOfRun) -> bool:
    """Whether the weights of all heads together would be too large to keep."""
    return token_window.is_long(screen.hidden.shape)


def _kinds(screen: HeadOfRun) -> tuple[Kind, ...]:
    return head_tiles.kinds_of(screen.at.part)


def _describe_kind(kind: Kind) -> dict[str, Any]:
    return {"key": kind.key, "label": kind.label, "meaning": kind.meaning, "threshold": kind.threshold}


def _take_head() -> None:
    layer, head = st.session_state["heads atlas"]["pick"]
    state.put(layer=int(layer), head=int(head), heads_shown=(), heads_view="Lines")


def measures_table(tiles: bytes, kinds: Sequence[Kind], order: str) -> pd.DataFrame:
    """One row for each head, with its layer and every measure. `order` is "layer" or the key of a kind."""
    values = _read_measures(tiles)
    layer, head = np.divmod(np.arange(values.shape[0] * values.shape[1]), values.shape[1])
    flat = values.reshape(-1, len(kinds))
    table = pd.DataFrame({"layer": layer, "head": head} | {kind.label: flat[:, i] for i, kind in enumerate(kinds)})
    if order == "layer":
        return table
    label = next(kind.label for kind in kinds if kind.key == order)
    return table.sort_values(label, ascending=False, kind="stable")


def _read_measures(tiles: bytes) -> Array:
    """(layers, heads, kinds), 0..1."""
    return unpack(tiles)[1]["metrics"]


def show_columns(table: pd.DataFrame, decimals: int) -> None:
    """A long table. Its measured columns share a format; its counted columns stay whole numbers."""
    measured = table.select_dtypes("floating").columns
    config = {name: columns.decimals(decimals) for name in measured}
    st.dataframe(table, height=560, column_config=config, hide_index=True)


def _describe(screen: HeadOfRun, tiles: bytes) -> str:
    """How many heads are of each kind, and which head is the strongest of it. Markdown."""
    measures = _read_measures(tiles)
    kinds_present = []
    for values, kind in zip(np.moveaxis(measures, -1, 0), _kinds(screen), strict=True):  # values: (layers, heads)
        count = 0 if kind.threshold is None else int((values >= kind.threshold).sum())
        if count:
            layer, head = np.unravel_index(values.argmax(), values.shape)
            kinds_present.append(
                f"{count} of {values.size} heads are of the kind “{kind.label}”, most of all layer {layer}, "
                f"head {head} ({number(float(values[layer, head]), 2)})"
            )
    none = "No head passes the threshold of any kind on this sentence."
    body = "; ".join(kinds_present) + "." if kinds_present else none
    start = f"Rows are queries and columns keys in every picture. {body}"
    if _is_long(screen):
        start += f" A cell of a picture is the largest weight of a block, and a picture has {TILE} × {TILE} of them."
    return f"{start} Framed: layer {screen.at.layer}, head {screen.head}. Click a picture to open its head."


def _export(screen: HeadOfRun, tiles: bytes) -> None:
    """The small pictures, the measures, and the weights of all heads: in full, or of a long text as the pictures."""

    def every() -> Array:
        """(layers, heads, queries, keys)"""
        if _is_long(screen):
            return read_tiles(tiles)
        return np.stack([screen.layer_weights(layer).numpy() for layer in range(screen.n_layers)])

    title, framed = f"{screen.run.model.card.title}: all heads", (screen.at.layer, screen.head)
    queries, keys, kinds = screen.queries, screen.keys, _kinds(screen)
    shown = slice(0, token_window.MAX_TOKENS)
    one, hidden = screen.weights[shown, shown].numpy(), screen.hidden[shown, shown].numpy()
    figures.files(
        f"{screen.run.name}-{screen.at.stack}-{screen.at.part}-all-heads",
        lambda theme: head_pictures.atlas_picture(every(), title, framed=framed, theme=theme),
        partial(weights_figure, one, queries[shown], keys[shown], hidden=hidden),
        CSV=lambda: rows_csv(measures_table(tiles, kinds, "layer").to_dict("records")),
        NPZ=lambda: npz(weights=every(), queries=queries, keys=keys),
    )
