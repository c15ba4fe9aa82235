"""Beam search: the tree of hypotheses, and greedy search beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from model.generation.beam import Hypothesis, Tree, beam_steps
from views.models.translate.translation import Translation
from views.parts import Chart, Controls, DataTable, Files
from views.view import grey
from viz.documents.page_parts import Group
from viz.shared.style import isolate, markdown_text, number
from viz.shared.tokens import words
from viz.shared.tree import PRINTED_ROW_PIXELS, Node, tree_figure

LIVE = "the number of beginnings that lived on, over that of greedy search,"
UNIT = "tokens written"


@dataclass(frozen=True)
class BeamSearch(Translation):
    """The tree of a beam search."""

    @cached_property
    def tree(self) -> Tree:
        return self.decoder.search(self.pair, self.choice.width, self.choice.alpha)

    @cached_property
    def greedy(self) -> Tree:
        return self.decoder.search(self.pair, 1, self.choice.alpha)

    def told(self) -> Mapping[str, float | str]:
        return {**super().told(), LIVE: _count_live(self.tree) / max(_count_live(self.greedy), 1)}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("beam"), self.picture(), *self._below()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("beam"), self.table(), *self._below()]

    def _below(self) -> list[Any]:
        """The caption, the files, and the translations that were found."""
        return [*grey(self.caption()), self.files(), DataTable(lambda: pd.DataFrame(self._rows()))]

    def picture(self) -> Group:
        draw, alt = partial(tree_figure, self._nodes(), unit=UNIT), "The tree of hypotheses of the beam search"
        return Group([Chart(draw, alt, key="translate tree", tells_numbers=True)], key="wide tree")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame([self._describe(node) for node in self.tree.nodes[1:]]), height=420)

    def files(self) -> Files:
        printed = partial(tree_figure, self._nodes(), unit=UNIT, row_pixels=PRINTED_ROW_PIXELS)
        return Files("translation-beam", printed, printed, self._rows)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each translation that was found, that of greedy search first."""
        places = [(f"beam, place {i + 1}", each) for i, each in enumerate(self.tree.finished)]
        return [
            {
                "search": name,
                "translation": self.pair.text(node.ids),
                "tokens": node.step,
                "log p": node.log_probability,
                "score": node.score,
            }
            for name, node in [("greedy", self.greedy.best), *places]
        ]

    def _describe(self, node: Hypothesis) -> dict[str, Any]:
        return {"step": node.step, "state": node.state, "beginning": self.pair.text(node.ids),
                "last": self._last_word(node), "log p": node.log_probability, "score": node.score}  # fmt: skip

    def _last_word(self, node: Hypothesis) -> str:
        return words(self.pair.run.model.output_tokenizer.tokens(node.ids[-1:] or [self.pair.start]))[0]

    def _nodes(self) -> list[Node]:
        """The drawn nodes: all live and finished hypotheses, and the pruned ones that lost against the best one."""
        tree = self.tree
        winners = {node.number for node in tree.path(tree.best)} | {0}
        visible = [
            node for node in tree.nodes if node.state != "pruned" or self.choice.has_pruned or node.parent in winners
        ]
        place = {node.number: i for i, node in enumerate(visible)}
        return [
            Node(
                _label(self._last_word(node), node),
                None if node.parent is None else place[node.parent],
                "root" if node.parent is None else node.state,
                node.number in winners,
                note=f"{self.pair.text(node.ids)}: log p {number(node.log_probability, 2)}, "
                f"score {number(node.score, 3)}, {node.state}",
                custom=(node.number,),
            )
            for node in visible
        ]

    def caption(self) -> str:
        pair, tree, greedy = self.pair, self.tree, self.greedy
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

    def code(self) -> Sequence[Any]:
        return (beam_steps,)


def _count_live(tree: Tree) -> int:
    return sum(node.state == "live" for node in tree.nodes)


def _label(last: str, node: Hypothesis) -> str:
    """The token. The end of a finished hypothesis also has its score."""
    return f"{last}  {number(node.score, 2)}" if node.state == "finished" else last
