"""What of the reader's sentence, put into the run of another one, brings the answer back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from model.arrays import Array
from model.experiments import patching, sentence_pair
from model.experiments.sentence_pair import Site
from views.call import Call
from views.models.why.asked_view import AskedView
from views.models.why.patched import Patched, patch
from views.models.why.patched_head import PatchedHead, patch_head
from views.models.why.question import Question, likeliest
from views.parts import Chart, Controls, DataTable, Files
from views.shared import quotes
from views.view import cite, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.patching import next_tokens_figure, patching_figure
from viz.shared.style import number

BROUGHT_BACK = "the most that one part brings back"
LIKELIEST = 3  # tokens of each run, beside the answer and its rival
TABLE_PIXELS = 420
NO_SENTENCE = (
    "Type a second sentence with as many tokens, which changes the answer: another name, another country, one instead "
    "of many."
)


@dataclass(frozen=True)
class PatchedAnswer(AskedView):
    """The parts of a `site`, patched. `cell`: the (layer, row) that is chosen; None while no share is known.

    `logits` (answers,) are those of the patched run of the cell. `head`: the head of the cell, at each token alone.
    `patched`: None where there is nothing to patch, as `why_not` says.
    """

    site: Site
    patched: Patched | None
    cell: tuple[int, int] | None = None
    logits: Tensor | None = field(default=None, compare=False)
    head: PatchedHead | None = None
    why_not: Text | None = None

    def made_by(self) -> Call:
        if self.patched is None:
            return Call(PatchedAnswer, (self.asked, self.site, None), {"why_not": self.why_not})
        named: dict[str, Any] = {} if self.cell is None else {"cell": self.cell}
        if self.patched.is_part:
            named["rows"] = self.patched.rows
        if len(self.patched.layers) < self.patched.count:
            named["layers"] = len(self.patched.layers)
        if self.patched.estimate is None:
            named["is_estimated"] = False
        if self.head is not None and self.head.patched.is_part:
            named["tokens"] = self.head.patched.rows
        if self.head is not None and len(self.head.found) < self.head.batches:
            named["batches"] = len(self.head.found)
        return Call(patch_answer, (self.asked, self.patched.other, self.site), named)

    def told(self) -> Mapping[str, float | str]:
        if self.patched is None or np.isnan(self._shares(self.patched)).all():
            return {}
        return {BROUGHT_BACK: float(np.nanmax(self._shares(self.patched)))}

    def _shares(self, patched: Patched) -> Array:
        """The best that is known of each cell."""
        return patched.measured if patched.layers else patched.estimated

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(self._picture_above_words)

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(self._table_above_words)

    def formula_parts(self) -> Sequence[Any]:
        return self._below_controls(self._equations)

    def code_parts(self) -> Sequence[Any]:
        return [Controls("sentences"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [patching.Patching, sentence_pair.record_pair]

    def _below_controls(self, make: Any) -> list[Any]:
        parts = existing(self.why_not) if self.patched is None else make(self.patched)
        return [Controls("patching"), *parts]

    def _picture_above_words(self, patched: Patched) -> list[Any]:
        run = [] if self.cell is None else self._patched_run(patched, self.cell)
        if run and self._maps(patched):
            run = [Group([Group([self.picture()], "column", 3), Group(run, "column", 2)], "row", gap="medium")]
        return [*run, *self._words(patched)]

    def _table_above_words(self, patched: Patched) -> list[Any]:
        if self._maps(patched):
            return [self.table(), *self._words(patched)]
        return self._picture_above_words(patched)

    def _words(self, patched: Patched) -> list[Any]:
        works = (
            "Patching: Meng et al. (2022), arXiv:2202.05262; Zhang and Nanda (2024), arXiv:2309.16042. The estimate: "
            "Nanda (2023), “Attribution Patching”."
        )
        return [*grey(patched.describe()), cite(works), *existing(self.files())]

    def _maps(self, patched: Patched) -> dict[str, Array]:
        """What is known of each cell (layers, columns), by its title."""
        maps = {"measured": patched.measured} if patched.layers else {}
        if patched.estimate is not None:
            maps["by the gradient"] = patched.estimated
        return maps

    def picture(self) -> Group:
        """The maps, on which the cell is framed."""
        patched, cell = self._of_cell()
        draw = partial(
            patching_figure,
            self._maps(patched),
            patched.columns,
            patched.axis,
            selected=(cell[0], cell[1] - patched.first),
        )
        alt = f"The share of {patched.number.plain_name} that each part brings back"
        return Group([Chart(draw, alt, key="why patched", pick=self._pick_cell)], key="why patching")

    def _pick_cell(self, point: Mapping[str, Any]) -> dict[str, Any]:
        patched, _ = self._of_cell()
        return {"why_cell": (int(point["y"]), patched.first + int(point["x"]))}

    def _of_cell(self) -> tuple[Patched, tuple[int, int]]:
        assert self.patched is not None
        assert self.cell is not None
        return self.patched, self.cell

    def _patched_run(self, patched: Patched, cell: tuple[int, int]) -> list[Any]:
        """The answers of the patched run of a cell, beside those of both sentences."""
        assert self.logits is not None
        every = *patched.patching.pair.logits, self.logits
        runs = dict(zip(("your sentence", "the other", "patched"), every, strict=True))
        shares = {name: self.asked.scores(logits) for name, logits in runs.items()}
        ids = likeliest(runs.values(), LIKELIEST, patched.patching.tokens)
        names = [self.asked.word(id) for id in ids]
        shown = {name: each[ids].numpy() for name, each in shares.items()}
        draw = partial(next_tokens_figure, shown, names, kind=self.asked.config.label_scores)
        chart = Chart(draw, f"The {self.asked.answers} of both sentences and of the patched run")
        title = Text(f"**The patched run**, {patched.name(cell)}")
        return [title, chart, Controls("see run"), *existing(self.head)]

    def table(self) -> DataTable:
        assert self.patched is not None
        patched = self.patched
        return DataTable(lambda: pd.DataFrame(patched.table()), height=TABLE_PIXELS)

    def files(self) -> Files | None:
        patched = self.patched
        if patched is None or not self._maps(patched):
            return None
        draw = partial(patching_figure, self._maps(patched), patched.columns, patched.axis)
        arrays = {"measured": patched.measured, "estimate": patched.estimated}
        name = f"{self.asked.run.name}-patching"
        return Files(name, draw, draw, patched.table, lambda: arrays, focus=("why patching",))

    def _equations(self, patched: Patched) -> list[Any]:
        whole = equation(
            r"s = \frac{\Delta(x^* \leftarrow x_c) - \Delta(x^*)}{\Delta(x) - \Delta(x^*)}, \qquad "
            r"\hat s = \frac{(x_c - x^*_c) \cdot \nabla_{x^*_c} \Delta}{\Delta(x) - \Delta(x^*)}",
            "Zhang and Nanda (2024), arXiv:2309.16042, section 2; the estimate: Nanda (2023), “Attribution Patching”.",
            {
                r"\Delta": patched.number.name,
                "x": "the run of your sentence",
                "x^*": "the run of the other sentence",
                "x_c": "one part of a run: what is patched",
            },
        )
        if self.cell is None or self.logits is None:
            return [*whole, *grey(patched.describe())]
        clean, corrupted = patched.patching.measures
        minus = f"- {quotes.tex(corrupted)}" if corrupted >= 0 else f"+ {quotes.tex(-corrupted)}"
        measure = patched.patching.measure(self.logits)
        change, share = float(measure), float(patched.patching.share(measure))
        worked = work_out(
            f"With {patched.name(self.cell)} from your sentence, {patched.number.statement} {number(change)}:",
            rf"s = \frac{{{quotes.tex(change)} {minus}}}{{{quotes.tex(clean)} {minus}}} = {quotes.tex(share)}",
        )
        return [*whole, *worked]


def patch_answer(
    asked: Question,
    other: str,
    site: Site,
    cell: tuple[int, int] | None = None,
    *,
    rows: slice | None = None,
    layers: int | None = None,
    is_estimated: bool = True,
    tokens: slice | None = None,
    batches: int | None = None,
) -> PatchedAnswer:
    """Patches each part of a `site` of the run of a question into the run of the `other` sentence.

    `cell`: the (layer, row) that is chosen; by default the one that brings most back. `tokens` and `batches`: those of
    its head (`patch_head`). The others are those of `patch`. Raises `GlassformerError`.
    """
    patched = patch(asked, other, site, rows, layers=layers, is_estimated=is_estimated)
    cell = patched.best if cell is None else cell
    if cell is None:
        return PatchedAnswer(asked, site, patched)
    logits = patched.patching.run_row(site, *cell)  # (answers,)
    head = patch_head(patched, cell, tokens, batches) if site.is_of_heads else None
    return PatchedAnswer(asked, site, patched, cell, logits, head)
