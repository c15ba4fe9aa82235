"""The tree of everything that was written behind this sentence; a click goes back to a branch."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.models.predict_parts import writing
from pages.models.predict_parts.writing import Continuation
from pages.shared import figures, layout, state
from viz.shared.tokens import words
from viz.shared.tree import Node, tree_figure


def show(written: Continuation, depth: str) -> None:
    known = writing.branches()
    if not known:
        st.info("Nothing is written yet. Step on, or choose a candidate above.")
        return
    if st.session_state.pop("_predict_forgot", False):
        st.caption(f"More than {writing.MAX_BRANCHES} branches: the oldest was dropped.")
    paths = _prefixes(known)
    nodes = _nodes(written, paths)
    if depth == "Numbers":
        st.dataframe(_rows(written, known), hide_index=True)
    else:
        st.session_state["_predict_tree"] = paths
        with st.container(key="wide tree"):
            figures.chart(
                tree_figure(nodes, theme=state.theme()),
                key="predict tree",
                on_select=_take_branch,
                selection_mode="points",
                theme=None,
                config={"displayModeBar": False},
                alt="The tree of branches",
            )
    layout.caption(
        f"{len(known)} {'branch' if len(known) == 1 else 'branches'}; the strong line is the one shown above. "
        "Choose another candidate above to grow one; click a node to go back to it."
    )
    figures.export("branches", partial(tree_figure, nodes), partial(_rows, written, known))


def _rows(written: Continuation, known: list[tuple[int, ...]]) -> list[dict[str, Any]]:
    """One row a branch."""
    decode = written.run.model.tokenizer.decode
    return [
        {"branch": i + 1, "tokens": len(path), "text": decode(path), "ids": " ".join(map(str, path))}
        for i, path in enumerate(known)
    ]


def _nodes(written: Continuation, paths: list[tuple[int, ...]]) -> list[Node]:
    """The branches as a tree: one node for each beginning that they share."""
    tokenizer = written.run.model.tokenizer
    labels = ["…", *words(tokenizer.tokens(path[-1] for path in paths[1:]))]
    number_of = {path: i for i, path in enumerate(paths)}
    return [
        Node(
            label,
            number_of[path[:-1]] if path else None,
            "root" if not path else "finished" if path[-1] == tokenizer.end else "live",
            written.path[: len(path)] == path,
            custom=(number_of[path],),
        )
        for label, path in zip(labels, paths, strict=True)
    ]


def _prefixes(known: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Every beginning of every branch once, parents first; the empty one is the root."""
    found = {path[:length]: None for path in known for length in range(len(path) + 1)}
    return sorted(found, key=len)


def _take_branch() -> None:
    points = st.session_state["predict tree"]["selection"]["points"]
    if not points:
        return
    node = st.session_state["_predict_tree"][int(points[0]["customdata"][0])]
    whole = next((path for path in writing.branches() if path[: len(node)] == node), node)
    writing.go_to(whole)
    state.put(predict_step=max(len(node) - 1, 0))
