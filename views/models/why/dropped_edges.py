"""The answer when edges of a flow of information are dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.analysis.answers import answers
from model.analysis.head_steps import final_name
from model.cached_property import cached_property
from model.edits.edges import DropEdge
from views.models.why.question import Question, likeliest
from views.parts import Chart, DataTable, Draw, Files
from views.view import View, grey
from viz.documents.page_parts import Group, Text
from viz.models.patching import next_tokens_figure
from viz.shared.style import number, upper_first

LIKELIEST = 4  # tokens of each run
LOST = "what the dropped edges cost the answer's probability"


@dataclass(frozen=True)
class DroppedEdges(View):
    """The likeliest answers with all edges and without the `dropped`. `without` (answers,) are the logits then."""

    asked: Question
    dropped: tuple[str, ...]
    without: Tensor = field(compare=False)

    @property
    def logits(self) -> dict[str, Tensor]:
        return {"all edges": self.asked.logits, "without the dropped": self.without}

    @cached_property
    def ids(self) -> list[int]:
        return likeliest(self.logits.values(), LIKELIEST, self.asked.tokens)

    @cached_property
    def shares(self) -> dict[str, Any]:
        return {name: self.asked.scores(each)[self.ids].numpy() for name, each in self.logits.items()}

    def told(self) -> Mapping[str, float | str]:
        before, after = (float(self.asked.scores(each)[self.asked.token]) for each in self.logits.values())
        return {LOST: before - after}

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table())

    def _in_place(self, shown: Any) -> list[Any]:
        title = Text(f"**The {self.asked.answers} with these edges dropped**")
        return [Group([title, shown, *grey(self.caption()), self.files()], key="why without edges")]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"The {self.asked.answers} with and without the dropped edges")

    def _draw(self) -> Draw:
        names = [self.asked.word(id) for id in self.ids]
        return partial(next_tokens_figure, self.shares, names, kind=self.asked.config.label_scores)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"token": self.asked.word(id)} | {run: float(each[place]) for run, each in self.shares.items()}
            for place, id in enumerate(self.ids)
        ]

    def caption(self) -> str:
        asked = self.asked
        before, after = map(asked.read_off, self.logits.values())
        chances = [asked.chances(each) for each in self.logits.values()]
        return (
            f"{upper_first(asked.number.name)} goes from {number(before)} to {number(after)}, the {asked.chances_noun} "
            f"from {chances[0]} to {chances[1]}. All that comes after the edges is computed again."
        )

    def files(self) -> Files:
        arrays = dict(zip(("all_edges", "without"), self.shares.values(), strict=True))
        name, draw = f"{self.asked.run.name}-dropped-edges", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=("why without edges",))


def drop_edges(asked: Question, dropped: tuple[str, ...]) -> DroppedEdges | None:
    """The answers without some edges, by their names; None without any."""
    return DroppedEdges(asked, dropped, run_without(asked, dropped)) if dropped else None


def run_without(asked: Question, dropped: tuple[str, ...]) -> Tensor:
    """The logits of the answers in the run without some edges: (answers,)."""
    run = asked.run
    made = run.again(final_name(asked.config, asked.config.stacks[-1]), [DropEdge.parse(name) for name in dropped])
    return answers(run.model, made, asked.position)
