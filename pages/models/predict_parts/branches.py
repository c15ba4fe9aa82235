"""The tree of all continuations of this sentence. A click goes back to a branch."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from pages.models.predict_parts import writing
from pages.models.predict_parts.writing import Continuation, WritingSession
from pages.shared.elements import figures, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.shared.tokens import words
from viz.shared.tree import Node, tree_figure


@dataclass
class TreeSession:
    """The beginnings of branches on screen, one for each node, for a click."""

    paths: list[tuple[int, ...]] = field(default_factory=list)


def show(written: Continuation, depth: str) -> None:
    branches = writing.branches()
    if not branches:
        st.info("Nothing is written yet. Step on, or choose a candidate above.")
        return
    session = of_session(WritingSession)
    if session.is_full:
        session.is_full = False
        st.caption(f"More than {writing.MAX_BRANCHES} branches: the oldest was dropped.")
    paths = _prefixes(branches)
    nodes = _nodes(written, paths)
    if depth == "Numbers":
        st.dataframe(_rows(written, branches), hide_index=True)
    else:
        of_session(TreeSession).paths = paths
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
        f"{len(branches)} {'branch' if len(branches) == 1 else 'branches'}; the strong line is the one shown above. "
        "Choose another candidate above to grow one; click a node to go back to it."
    )
    figures.export("branches", partial(tree_figure, nodes), partial(_rows, written, branches))


def _rows(written: Continuation, branches: list[tuple[int, ...]]) -> list[dict[str, Any]]:
    """One row a branch."""
    decode = written.run.model.tokenizer.decode
    return [
        {"branch": i + 1, "tokens": len(path), "text": decode(path), "ids": " ".join(map(str, path))}
        for i, path in enumerate(branches)
    ]


def _nodes(written: Continuation, paths: list[tuple[int, ...]]) -> list[Node]:
    """The tree: one node for each beginning, so branches with the same beginning share its nodes."""
    tokenizer = written.run.model.tokenizer
    labels = ["…", *words(tokenizer.tokens(path[-1] for path in paths[1:]))]
    number_of = {path: i for i, path in enumerate(paths)}
    return [
        Node(
            label,
            number_of[path[:-1]] if path else None,
            "root" if not path else "finished" if path[-1] in tokenizer.ends else "live",
            written.path[: len(path)] == path,
            custom=(number_of[path],),
        )
        for label, path in zip(labels, paths, strict=True)
    ]


def _prefixes(branches: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Every beginning of every branch once, parents first. The empty beginning is the root."""
    beginnings = {path[:length]: None for path in branches for length in range(len(path) + 1)}
    return sorted(beginnings, key=len)


def _take_branch() -> None:
    points = st.session_state["predict tree"]["selection"]["points"]
    if not points:
        return
    beginning = of_session(TreeSession).paths[int(points[0]["customdata"][0])]
    branch = next((path for path in writing.branches() if path[: len(beginning)] == beginning), beginning)
    writing.go_to(branch)
    state.put(predict_step=max(len(beginning) - 1, 0))
