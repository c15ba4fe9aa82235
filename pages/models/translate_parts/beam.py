"""Beam search: the tree of hypotheses, and greedy search beside it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import partial

import streamlit as st
import torch

from model.generation.beam import Hypothesis, Tree, beam_search
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import model_turns
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.shared.style import isolate, markdown_text, number
from viz.shared.tokens import words
from viz.shared.tree import PRINTED_ROW_PIXELS, Node, tree_figure

MAX_TOKENS = 40  # of a hypothesis
MAX_KEPT_TREES = 8  # in a session
LIVE = "the number of beginnings that lived on, over that of greedy search,"


def show(pair: Pair, depth: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Width", 1, 8, key="translate_width", width=130,
            help="So many beginnings live on at each step. The search ends when as many are finished and no live one "
            "has a better score than the worst of them, as in transformers with early_stopping=False.",
        )  # fmt: skip
        st.slider(
            "Length normalisation α", 0.0, 2.0, step=0.1, key="translate_alpha", width=220,
            help="Score = log p / length^α. At 0 long translations lose; at 1 it is the mean log p of a token.",
        )  # fmt: skip
        st.toggle("All pruned hypotheses", key="translate_pruned")
    width, alpha = state.get("translate_width"), state.get("translate_alpha")
    tree, greedy = search(pair, width, alpha), search(pair, 1, alpha)
    claims.tell(LIVE, _count_live(tree) / max(_count_live(greedy), 1))
    table = [_row(pair, name, each) for name, each in _list_hypotheses(tree, greedy)]
    nodes = _nodes(pair, tree)
    figure = tree_figure(nodes, theme=state.theme(), unit="tokens written")
    if depth == "Numbers":
        st.dataframe([_node(pair, node) for node in tree.nodes[1:]], hide_index=True, height=420)
    else:
        with st.container(key="wide tree"):
            figures.chart(
                figure,
                key="translate tree",
                theme=None,
                config={"displayModeBar": False},
                alt="The tree of hypotheses of the beam search",
            )
    layout.caption(_what_to_see(pair, tree, greedy))
    printed = partial(tree_figure, nodes, unit="tokens written", row_pixels=PRINTED_ROW_PIXELS)
    figures.export("translation-beam", printed, lambda: table)
    st.dataframe(table, hide_index=True)


@dataclass
class SearchSession:
    """The last searches by what was asked for."""

    trees: dict[Hashable, Tree] = field(default_factory=dict)


def search(pair: Pair, width: int, alpha: float) -> Tree:
    """The search of a pair with these settings. The session keeps the last `MAX_KEPT_TREES` searches."""
    trees = of_session(SearchSession).trees
    key = (pair.run.spec.model, pair.source_ids, width, alpha)
    if key not in trees:
        limit = min(MAX_TOKENS, pair.run.model.config.max_length - 1)
        with model_turns.forward_pass(runs=0, tokens=width * limit):
            trees[key] = beam_search(
                pair.run.model.network,
                torch.tensor([pair.start]),
                limit,
                pair.run.model.output_tokenizer.ends,
                source=torch.tensor(pair.source_ids),
                width=width,
                alpha=alpha,
            )
        while len(trees) > MAX_KEPT_TREES:
            del trees[next(iter(trees))]
    return trees[key]


def _count_live(tree: Tree) -> int:
    return sum(node.state == "live" for node in tree.nodes)


def _list_hypotheses(tree: Tree, greedy: Tree) -> list[tuple[str, Hypothesis]]:
    return [("greedy", greedy.best), *((f"beam, place {i + 1}", each) for i, each in enumerate(tree.finished))]


def _row(pair: Pair, name: str, node: Hypothesis) -> dict[str, object]:
    return {
        "search": name,
        "translation": pair.text(node.ids),
        "tokens": node.step,
        "log p": node.log_probability,
        "score": node.score,
    }


def _node(pair: Pair, node: Hypothesis) -> dict[str, object]:
    return {"step": node.step, "state": node.state, "beginning": pair.text(node.ids),
            "last": words(pair.run.model.output_tokenizer.tokens(node.ids[-1:]))[0], "log p": node.log_probability,
            "score": node.score}  # fmt: skip


def _nodes(pair: Pair, tree: Tree) -> list[Node]:
    """The drawn nodes: all live and finished hypotheses, and the pruned ones that lost against the winner's path."""
    winners = {node.number for node in tree.path(tree.best)} | {0}
    visible = [
        node for node in tree.nodes if node.state != "pruned" or state.get("translate_pruned") or node.parent in winners
    ]
    place = {node.number: i for i, node in enumerate(visible)}
    tokenizer = pair.run.model.output_tokenizer
    return [
        Node(
            _label(words(tokenizer.tokens(node.ids[-1:] or [pair.start]))[0], node),
            None if node.parent is None else place[node.parent],
            "root" if node.parent is None else node.state,
            node.number in winners,
            note=f"{pair.text(node.ids)}: log p {number(node.log_probability, 2)}, score {number(node.score, 3)}, "
            f"{node.state}",
            custom=(node.number,),
        )
        for node in visible
    ]


def _label(last: str, node: Hypothesis) -> str:
    """The token. The end of a finished hypothesis also has its score."""
    return f"{last}  {number(node.score, 2)}" if node.state == "finished" else last


def _what_to_see(pair: Pair, tree: Tree, greedy: Tree) -> str:
    counts = {kind: sum(node.state == kind for node in tree.nodes[1:]) for kind in ("live", "finished", "pruned")}
    text = (
        f"A beam of {tree.width} looked at {len(tree.nodes) - 1} beginnings: {counts['live']} lived on, "
        f"{counts['finished']} finished, {counts['pruned']} were pruned. "
        f"Beside each end stands its score, log p / length^{tree.alpha:g}. "
    )
    if tree.best.ids == greedy.best.ids:
        return text + "It ends where greedy search ends."
    better = tree.best.log_probability - greedy.best.log_probability
    return text + (
        f"It finds **{isolate(markdown_text(pair.text(tree.best.ids)))}** where greedy search finds "
        f"**{isolate(markdown_text(pair.text(greedy.best.ids)))}**; log p differs by {number(better, 2)}."
    )
