"""Heads, view Lines: a line from each query to the keys that it looks at, thick where the weight is large."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
import torch

from pages.attention.heads_parts import weight_story
from pages.components import mounts
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import NO_PAIR
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun, layer_place
from viz.attention.heads import pack_lines, pack_stack, weights_figure
from viz.print import head_pictures
from viz.print.files import npz
from viz.shared.tokens import chips

if TYPE_CHECKING:
    from torch import Tensor

MAX_STACK = 1 << 17  # weights of all layers that travel with the picture of one: some 50 kB


def show(screen: HeadOfRun) -> None:
    with weight_story.picture_column(screen):
        counts = len(screen.query_tokens), len(screen.key_tokens)
        part = token_window.choose_part("lines", counts, (screen.query, screen.key))
        with st.container(gap=None):
            _mount(screen, *part)
        shown = token_window.say_part(part, counts)
        layout.caption(
            f"{weight_story.describe_head(screen)} Point at a word for its lines, click to keep them.{shown}"
        )
        _export(screen, *part)


def _mount(screen: HeadOfRun, down: slice, across: slice) -> None:
    mounts.attention_lines(
        pack_lines(
            screen.layer_weights()[:, down, across].numpy(),
            chips(screen.query_tokens[down]),
            chips(screen.key_tokens[across]),
            identity=repr((*_stack_of(screen)[1:], down.start, across.start)),
            title=f"Attention of {screen.layer_place}",
            causal=bool(screen.hidden.any()),
            view=_view(screen, down, across),
            first=(down.start, across.start),
            layer=screen.at.layer,
            stack=repr(_stack_of(screen)),
        ),
        key="heads lines",
        on_view=partial(_take_view, down.start, across.start),
    )
    if _stack_size(screen) <= MAX_STACK:
        what = f"stack {screen.at.stack} {screen.at.part}"
        mounts.stack_weights(traces.pack(screen.run, what, lambda: _pack_stack(screen)), key="heads stack")


def _stack_of(screen: HeadOfRun) -> tuple[Any, ...]:
    """Names the attention of a run whose layers the picture shows: first what edits its weights, then its sentence."""
    run = screen.run
    return (run.model.state, run.edits), run.name, run.text, run.target, screen.at.stack, screen.at.part


def _stack_size(screen: HeadOfRun) -> int:
    """How many weights all layers have together."""
    return screen.n_layers * screen.layer_weights().numel()


def _pack_stack(screen: HeadOfRun) -> bytes:
    weights: Tensor = torch.stack([screen.layer_weights(layer) for layer in range(screen.n_layers)])
    places = [layer_place(screen.config, screen.at.in_layer(layer)) for layer in range(screen.n_layers)]
    return pack_stack(
        weights.numpy(),
        identity=repr(_stack_of(screen)),
        titles=[f"Attention of {place}" for place in places],
    )


def _heads(screen: HeadOfRun) -> list[int]:
    """The heads that have lines: those that the reader chose. Where the head on screen is not among them, it alone."""
    heads = [head for head in state.get("heads_shown") if head < screen.config.n_heads]
    return heads if screen.head in heads else [screen.head]


def _view(screen: HeadOfRun, down: slice, across: slice) -> dict[str, Any]:
    """The view of the component, in the order and the form in which it comes back. Its tokens count from the first
    that is shown."""
    query = token_window.place_in(down, screen.query)
    key = token_window.place_in(across, screen.key) if state.get("key") >= 0 and query >= 0 else -1
    return {
        "heads": _heads(screen),
        "head": screen.head,
        "least": state.get("heads_least"),
        "hide": [name for name in ("special", "sink") if name in state.get("heads_hide").split()],
        "layout": state.get("heads_layout"),
        "query": query if query >= 0 else None,
        "key": key if key >= 0 else None,
    }


def _take_view(first_query: int, first_key: int) -> None:
    view = st.session_state["heads lines"]["view"]
    heads = tuple(int(head) for head in view["heads"])
    head = int(view["head"])
    state.put(
        heads_shown=heads,
        head=head if head in heads or not heads else heads[0],
        heads_least=min(max(float(view["least"]), 0.0), 0.5),
        heads_hide=" and ".join(view["hide"]) or "nothing",
        heads_layout=view["layout"],
        query=NO_PAIR if view["query"] is None else first_query + int(view["query"]),
        key=-1 if view["key"] is None else first_key + int(view["key"]),
    )


def _export(screen: HeadOfRun, down: slice, across: slice) -> None:
    """Of the tokens shown: the table holds the weights of one head, the archive those of all heads with lines."""
    heads, queries, keys = _heads(screen), screen.queries[down], screen.keys[across]
    one, several = screen.weights[down, across].numpy(), screen.layer_weights()[heads, down, across].numpy()
    title = f"{screen.run.model.card.title}, {screen.place}"
    view = _view(screen, down, across)
    query, key = (-1 if view[side] is None else view[side] for side in ("query", "key"))
    figures.files(
        f"{screen.file_name}-lines",
        partial(
            head_pictures.lines_picture,
            several,
            heads,
            queries,
            keys,
            title,
            least=state.get("heads_least"),
            selected=(query, key),
        ),
        partial(weights_figure, one, queries, keys, hidden=screen.hidden[down, across].numpy()),
        CSV=partial(head_pictures.matrix_csv, one, queries, keys),
        NPZ=partial(npz, weights=several, heads=heads, queries=queries, keys=keys),
    )
