"""Where the new token looks: the views of the page Heads, for the sentence and its continuation."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.analysis.head_measures import KINDS
from model.arrays import Array
from model.network.masks import causal_mask, combine, window_mask
from pages.components import mounts
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import figures, layout
from pages.shared.model_runs import head_on_screen
from pages.shared.session import state, token_window
from views import head_tiles
from views.attention.all_heads import measures_table
from views.shared import quotes, windows
from views.shared.windows import MatrixPart
from viz.attention.heads import pack_atlas, pack_lines, read_tiles, weights_figure
from viz.print import files, head_pictures
from viz.shared.alternative import describe_figure
from viz.shared.style import number
from viz.shared.tokens import chips, words

CHART = {"displayModeBar": False}
LEAST_WEIGHT = 0.03  # of a line that is drawn


def place(written: Continuation) -> tuple[int, int]:
    """The chosen layer and head. Head -1 is the mean of all."""
    layer, head = head_on_screen.read_layer_and_head(written.as_run, "decoder", "self_attn", len(written.prompt) - 1)
    return layer, -1 if state.get("predict_mean") else head


def show(written: Continuation, layer: int, head: int, depth: str) -> None:
    config = written.run.model.config
    st.toggle("Mean of all heads", key="predict_mean")
    heads = list(range(config.n_heads)) if head < 0 else [head]
    query, count = written.query(state.get("predict_step")), len(written.trace.tokens)
    part = token_window.choose_part("predict attention", (count, count), (query, query))
    if depth == "Numbers":
        _matrix(written, layer, heads, part)
    else:
        _lines(written, layer, head, heads, part)
    layout.caption(_what_to_see(written, layer, heads) + windows.say_part(part, (count, count)))
    _export(written, layer, heads, part)
    if depth != "Numbers":
        _atlas(written, layer, head)


def _weights(written: Continuation, layer: int) -> Array:
    """(heads, queries, keys) of a layer."""
    return written.trace[f"decoder.{layer}.self_attn.weights"].numpy()


def _hidden(written: Continuation, layer: int, tokens: int) -> NDArray[np.bool_]:
    """Where the mask of a layer hides a key from a query: keys after it, and before its window: (queries, keys)."""
    width = written.run.model.config.window_of("decoder", layer)
    near = None if width is None else window_mask(torch.arange(tokens), tokens, width)
    mask = combine(causal_mask(tokens, tokens), near)
    assert mask is not None
    return mask.isneginf().numpy()


def _matrix(written: Continuation, layer: int, heads: list[int], part: MatrixPart) -> None:
    """The mean of the heads as a matrix. Keys that the mask hides are grey."""
    (down, across), names = part, words(written.trace.tokens)
    matrix, hidden = _matrix_of(written, layer, heads, part)
    figure = weights_figure(
        matrix, names[down], names[across], hidden=hidden, selected=None, theme=state.theme(), first_query=down.start
    )
    alt = describe_figure(f"Weights of layer {layer}", figure)
    figures.chart(figure, key="predict matrix", theme=None, config=CHART, alt=alt)


def _matrix_of(written: Continuation, layer: int, heads: list[int], part: MatrixPart) -> tuple[Array, Array]:
    """A part of the mean of the heads, and where the mask hides its keys: (queries, keys) each."""
    matrix = _weights(written, layer)[heads].mean(0)
    return matrix[part], _hidden(written, layer, len(matrix))[part]


def _lines(written: Continuation, layer: int, head: int, heads: list[int], part: MatrixPart) -> None:
    tokens, (down, across) = chips(written.trace.tokens), part
    query = windows.place_in(down, written.query(state.get("predict_step")))
    view = {
        "heads": heads,
        "head": max(head, 0),
        "least": LEAST_WEIGHT,
        "hide": [],
        "layout": "down",
        "query": query if query >= 0 else None,
        "key": None,
    }
    packed = pack_lines(
        _weights(written, layer)[:, down, across],
        tokens[down],
        tokens[across],
        identity=repr((written.run.name, written.ids, layer, head, query, down.start, across.start)),
        title=f"Attention of layer {layer}",
        causal=True,
        view=view,
        first=(down.start, across.start),
    )
    mounts.attention_lines(packed, key="predict lines")


def _what_to_see(written: Continuation, layer: int, heads: list[int]) -> str:
    query = written.query(state.get("predict_step"))
    row = _weights(written, layer)[heads].mean(0)[query]  # (keys,)
    best = int(row.argmax())
    names = words(written.trace.tokens)
    reader, source = quotes.quote(names[query], query), quotes.quote(names[best], best)
    text = f"The token read last, {reader}, looks most at {source} ({number(float(row[best]), 2)})"
    first_matters = best != 0 and row[0] >= 0.1
    return text + (f"; {number(float(row[0]), 2)} rests on the first token." if first_matters else ".")


def _export(written: Continuation, layer: int, heads: list[int], part: MatrixPart) -> None:
    """The Export menu: the lines as a picture, the drawn matrix as a table, and all heads as an archive."""
    down, across = part
    weights, names = _weights(written, layer)[:, down, across], words(written.trace.tokens)
    queries, keys = names[down], names[across]
    matrix, hidden = _matrix_of(written, layer, heads, part)
    which = f"head {heads[0]}" if len(heads) == 1 else "all heads"
    title = f"{written.run.model.card.title}: layer {layer}, {which}"
    figures.files(
        "prediction-attention",
        partial(head_pictures.lines_picture, weights[heads], heads, queries, keys, title, least=LEAST_WEIGHT),
        partial(weights_figure, matrix, queries, keys, hidden=hidden),
        CSV=partial(head_pictures.matrix_csv, matrix, queries, keys),
        NPZ=partial(files.npz, weights=weights, queries=queries, keys=keys),
    )


def _atlas(written: Continuation, layer: int, head: int) -> None:
    tiles = head_tiles.tiles_of(written.as_run, "decoder", "self_attn")
    kinds = [
        {"key": kind.key, "label": kind.label, "meaning": kind.meaning, "threshold": kind.threshold} for kind in KINDS
    ]
    mounts.heads_atlas(
        pack_atlas(
            tiles,
            title="All heads",
            kinds=kinds,
            sort="layer",
            layer=layer,
            head=max(head, 0),
            queries=len(written.ids),
        ),
        key="predict atlas",
        on_pick=_take_head,
    )
    layout.caption("Every head over the whole text, written tokens too. Click one to see it above.")
    every, title = partial(_every_head, written, tiles), f"{written.run.model.card.title}: all heads"
    figures.files(
        "prediction-all-heads",
        lambda theme: head_pictures.atlas_picture(every(), title, framed=(layer, max(head, 0)), theme=theme),
        CSV=lambda: files.rows_csv(measures_table(tiles, KINDS, "layer").to_dict("records")),
        NPZ=lambda: files.npz(weights=every(), tokens=words(written.trace.tokens)),
    )


def _every_head(written: Continuation, tiles: bytes) -> Array:
    """The weights of all heads, of a long text as their pictures show them: (layers, heads, queries, keys)."""
    if windows.is_long((len(written.ids),)):
        return read_tiles(tiles)
    return np.stack([_weights(written, layer) for layer in range(_layers(written))])


def _layers(written: Continuation) -> int:
    return written.run.model.config.n_decoder_layers


def _take_head() -> None:
    layer, head = st.session_state["predict atlas"]["pick"]
    state.put(layer=int(layer), head=int(head), predict_mean=False)
