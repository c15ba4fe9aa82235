"""Attention built up: similarity alone, then with learned projections, then scaled, then masked as in the model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.analysis import scores
from model.analysis.scores import attend
from model.cached_property import cached_property
from views.attention.side_by_side import SideBySide
from views.attention.view_of_head import ViewOfHead
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import score_formula, sums, windows
from views.shared.matrix_tables import cell_rows, number_words
from views.shared.quotes import quote, tex
from views.shared.windows import MatrixPart
from views.view import equation, grey, work_out
from viz.shared.panels import Panel
from viz.shared.style import percent

HEAD = "the head"
AT_EQUALS = "what the query gives to words like itself without learning"


@dataclass(frozen=True)
class Similarity(ViewOfHead):
    """The stages from similarity to the attention of a head. `part`: the queries and the keys that are shown."""

    part: MatrixPart

    @cached_property
    def stages(self) -> list[Panel]:
        """The weights (queries, keys) of every stage. The last stage is the model's own."""
        head, steps = self.head, self.head.steps
        has_mask, scale = bool((steps.mask != 0).any()), math.sqrt(steps.q.shape[-1])
        similar = attend(steps.x, steps.memory, steps.memory)
        learned, scaled = attend(steps.q, steps.k, steps.v), attend(steps.q, steps.k, steps.v, scale)
        stages = [
            Panel("Similarity", "softmax(X Xᵀ)", "similarity", similar.weights.numpy()),
            Panel("Learned", "softmax(Q Kᵀ)", "learned", learned.weights.numpy()),
            Panel("Scaled", "softmax(Q Kᵀ ÷ √d_k)", "scaled", scaled.weights.numpy()),
        ]
        own = "Masked" if score_formula.is_usual(head.config, head.at.is_cross) else "This model"
        if own != "Masked":  # its scores are not those of the paper, with a mask or without
            said = score_formula.in_words(head.config, head.at.is_cross)
            stages.append(Panel(own, f"softmax({said}{' + M' * has_mask})", "masked", steps.weights.numpy()))
        elif has_mask:
            stages.append(Panel(own, "as in the model", "masked", steps.weights.numpy()))
        return stages

    def told(self) -> Mapping[str, float | str]:
        head = self.head
        equal = [key for key, word in enumerate(head.keys) if word == head.queries[head.query]]
        return {HEAD: head.head, AT_EQUALS: float(self.stages[0].values[head.query, equal].sum())}

    @property
    def _beside(self) -> SideBySide:
        head = self.head
        return SideBySide(self.stages, head.queries, head.keys, self.part, (head.query, head.key), across=2)

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("window"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        query = quote(self.head.queries[self.head.query], self.head.query)
        row = grey(f"The row of {query} at every stage.")
        return [Controls("window"), self.table(), *row, *grey(self.caption()), self.files()]

    def picture(self) -> Canvas:
        pick = partial(windows.pick_cell, self.part)
        return self._beside.canvas("scores stages", "Attention built up from similarity", self.head.identity, pick)

    def table(self) -> DataTable:
        return DataTable(self._row, has_index=True)

    def _row(self) -> pd.DataFrame:
        """The weights of the singled-out query at every stage."""
        weights = {stage.title: stage.values[self.head.query] for stage in self.stages}
        return pd.DataFrame(weights, index=number_words(self.head.keys))

    def formula(self) -> Sequence[Any]:
        """Each stage with the singled-out pair: its product, and the weight that the row makes of it."""
        head = self.head
        is_usual = score_formula.is_usual(head.config, head.at.is_cross)
        return [*self._similar(), *self._learned(), *self._scaled(), *([] if is_usual else self._own_scores())]

    def _similar(self) -> list[Any]:
        head, h, i, j = self.head, self.head.steps, self.head.query, self.head.key
        pair = f"{quote(head.queries[i])} (i = {i}) and {quote(head.keys[j])} (j = {j})"
        similarities = h.x[i] @ h.memory.T  # (keys,)
        return [
            *equation(r"Y = \mathrm{softmax}(X X^\top)\, X", "Bishop, ch. 12; Palaskos (2022), eqs. 3.15-3.17"),
            *grey("A token takes most from the tokens that it resembles. Nothing is learned."),
            *work_out(
                f"For {pair}, in {head.place}, the product of what the attention reads:",
                rf"x_i \cdot x_j = {sums.product(h.x[i], h.memory[j])}",
                rf"A_{{ij}} = {sums.softmax(similarities, j)}",
            ),
        ]

    def _learned(self) -> list[Any]:
        h, i, j = self.head.steps, self.head.query, self.head.key
        return [
            *equation(
                r"Y = \mathrm{softmax}(Q K^\top)\, V, \qquad Q = X W_Q,\; K = X W_K,\; V = X W_V",
                "Bishop, ch. 12; Palaskos (2022), eqs. 3.29-3.32",
            ),
            *grey("Three learned matrices decide what resembling means, and what is taken."),
            *work_out(
                "The same two as query and key:",
                rf"q_i \cdot k_j = {sums.product(h.q[i], h.k[j])}",
                rf"A_{{ij}} = {sums.softmax(h.q[i] @ h.k.T, j)}",
            ),
        ]

    def _scaled(self) -> list[Any]:
        h, i, j = self.head.steps, self.head.query, self.head.key
        products, width = h.q[i] @ h.k.T, h.q.shape[-1]  # (keys,)
        score, has_mask = float(products[j] / math.sqrt(width)), bool((h.mask[i] != 0).any())
        return [
            *equation(
                r"Y = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
                "Vaswani et al. (2017), eq. 1; encoder notes, eqs. 0.1.3-0.1.5; Palaskos (2022), eq. 3.42",
            ),
            *grey("The scale keeps the softmax where it has a gradient."),
            *work_out(
                "Divided by the root of the head's width" + (", with the model's mask added:" if has_mask else ":"),
                rf"S_{{ij}} = \frac{{{tex(float(products[j]))}}}{{\sqrt{{{width}}}}} = {tex(score)}",
                rf"A_{{ij}} = {sums.softmax(products / math.sqrt(width) + h.mask[i], j)}",
            ),
        ]

    def _own_scores(self) -> list[Any]:
        """The scores of a model that makes them in another way than the paper."""
        h, i, j = self.head.steps, self.head.query, self.head.key
        config, is_cross = self.head.config, self.head.at.is_cross
        capped = "" if config.score_cap is None else r",\ \text{capped}"
        bias = "" if h.position_bias is None else f" + {tex(float(h.position_bias[i, j]))}"
        return [
            *equation(
                rf"Y = \mathrm{{softmax}}\!\left({score_formula.in_latex(config, is_cross)} + M\right) V",
                f"This model{score_formula.source(config, is_cross)}",
                score_formula.symbols(config, is_cross),
            ),
            *work_out(
                "As this model has it, with its mask:",
                rf"S_{{ij}} = {tex(float(h.scores_unbiased[i, j]))}{bias}{capped} = {tex(float(h.scores[i, j]))}",
                rf"A_{{ij}} = {sums.softmax(h.masked[i], j)}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [scores.attend]

    def caption(self) -> str:
        head, (similarity, learned, scaled) = self.head, (stage.values for stage in self.stages[:3])
        key = int(self.stages[-1].values[head.query].argmax())
        query, best = quote(head.queries[head.query], head.query), quote(head.keys[key], key)
        largest = [percent(float(np.mean(weights.max(-1)))) for weights in (learned, scaled)]
        if head.at.is_cross:
            start = "By similarity alone, decoder and encoder vectors are compared as they are. "
        else:
            itself = percent(float(np.mean(np.diag(similarity))))
            start = f"By similarity alone a token gives {itself} of its attention to itself, on average. "
        return (
            f"{start}The learned projections change that; without the scale the largest weight of a row is "
            f"{largest[0]} on average, with it {largest[1]}. In the end {query} looks most at {best}."
            f"{windows.say_part(self.part, head.hidden.shape)}"
        )

    def files(self) -> Files:
        """The pictures and the table hold what is shown, the archive holds the whole matrices."""
        head, (down, across) = self.head, self.part
        cells = {stage.short: stage.values for stage in self._beside.shown}
        return Files(
            f"{head.file_name}-stages",
            self._beside.print(head.place),
            rows=lambda: cell_rows(head.queries[down], head.keys[across], cells),
            arrays=lambda: {stage.short: stage.values for stage in self.stages},
        )
