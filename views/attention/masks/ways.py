"""Three ways to hide keys, on the scores of a real head: only one of them works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from model.analysis.three_ways import ThreeWays, mask_three_ways
from model.cached_property import cached_property
from model.network import masks
from views.attention.masks.kinds import mask_of
from views.attention.masks.sentence import alone
from views.attention.side_by_side import SideBySide
from views.attention.view_of_head import ViewOfHead
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import sums, windows
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote
from views.shared.windows import MatrixPart
from views.view import equation, grey, work_out
from viz.documents.page_parts import Text
from viz.shared.panels import Panel
from viz.shared.style import number, percent

SEEN = "the number of keys that the query sees"
STRAY = "how far a row's sum is from 1 at most, with −∞ added before,"
WAYS = (
    ("Add −∞ before", "softmax(S + M)", "added"),
    ("Multiply the scores", "softmax(S ∘ M)", "scores × 0"),
    ("Multiply the weights", "softmax(S) ∘ M", "weights × 0"),
)


@dataclass(frozen=True)
class WaysToHide(ViewOfHead):
    """The weights of a head by each way. `part`: the queries and the keys that are shown."""

    part: MatrixPart

    @cached_property
    def visible(self) -> Tensor:
        """True where a query may look: by the model's own mask, or where it hides nothing, by the causal one."""
        head = self.head
        return ~head.hidden if head.hidden.any() else mask_of(head, alone(head.run), "causal")

    @cached_property
    def ways(self) -> ThreeWays:
        return mask_three_ways(self.head.steps.scores, self.visible)

    def told(self) -> Mapping[str, float | str]:
        stray = float((self.ways.added.sum(-1) - 1).abs().max())
        return {SEEN: int(self.ways.visible[self.head.query].sum()), STRAY: stray}

    def _by_title(self) -> dict[str, Tensor]:
        return {title: weights for (title, _, _), weights in zip(WAYS, self.ways.weights, strict=True)}

    @property
    def _panels(self) -> SideBySide:
        head = self.head
        panels = [
            Panel(title, note, short, weights.numpy())
            for (title, note, short), weights in zip(WAYS, self.ways.weights, strict=True)
        ]
        return SideBySide(panels, head.queries, head.keys, self.part, (head.query, head.key))

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("window"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        query = quote(self.head.queries[self.head.query], self.head.query)
        return [
            *(Controls("window"), Text("**Sum of each row**"), self.table()),
            *(Text(f"**Weights of** {query}"), self._row()),
            *(*grey(self.caption()), self.files()),
        ]

    def picture(self) -> Canvas:
        title, pick = "Three ways of masking, with the sum of each row", partial(windows.pick_cell, self.part)
        return self._panels.canvas("masks ways", title, self.head.identity, pick, has_sums=True)

    def table(self) -> DataTable:
        return DataTable(self._sums, has_index=True)

    def _sums(self) -> pd.DataFrame:
        """The sum of every row by each way."""
        row_sums = {title: weights.sum(-1).numpy() for title, weights in self._by_title().items()}
        return pd.DataFrame(row_sums, index=number_words(self.head.queries))

    def _row(self) -> DataTable:
        """The weights of the chosen query by each way."""
        weights = {title: each[self.head.query].numpy() for title, each in self._by_title().items()}
        return DataTable(lambda: pd.DataFrame(weights, index=number_words(self.head.keys)), has_index=True)

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\mathrm{softmax}(S + M), \quad M \in \{0, -\infty\}",
                "Slides, “Masked Attention”; Palaskos (2022), fig. 3.6",
            ),
            *grey("exp(−∞) = 0: a hidden key adds nothing to the sum and gets weight 0."),
            *equation(r"\mathrm{softmax}(S \circ M), \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.43; it fails"),
            *grey("A hidden score becomes 0, and exp(0) = 1: the key still gets weight, often a lot."),
            *equation(r"\mathrm{softmax}(S) \circ M, \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.53; it fails"),
            *grey("What was given to hidden keys is lost: the row no longer sums to 1, and the mix shrinks."),
            *self._worked_weight(),
            *grey(self._describe_row()),
        ]

    def _worked_weight(self) -> list[Any]:
        """The weight of a key by each way: of a hidden key where the row has one."""
        head, row = self.head, self.head.query
        scores, may_look = head.steps.scores[row].numpy(), self.visible[row].numpy()
        key = head.key if may_look.all() or not may_look[head.key] else int(np.flatnonzero(~may_look)[-1])
        return work_out(
            f"For {quote(head.queries[row])} (i = {row}) and {quote(head.keys[key])} (j = {key}), with M "
            f"added before, then with S multiplied by it, then with the weight multiplied by {may_look[key]:d}:",
            rf"A_{{{row},{key}}} = {sums.softmax(np.where(may_look, scores, -np.inf), key)}",
            rf"A_{{{row},{key}}} = {sums.softmax(scores * may_look, key)}",
            rf"A_{{{row},{key}}} = {may_look[key]:d} \cdot {sums.softmax(scores, key)}",
        )

    def _describe_row(self) -> str:
        """The share of the query's hidden keys by each way, and the sum of its row."""
        row = self.head.query
        hidden = ~self.visible[row]  # (keys,)
        results = [
            f"{title.lower()}: hidden keys get {number(float(weights[row][hidden].sum()))}, the row sums to "
            f"{number(float(weights[row].sum()))}"
            for title, weights in self._by_title().items()
        ]
        count = f"{int(hidden.sum()):,} of its {len(hidden):,} keys hidden"
        return f"For {quote(self.head.queries[row], row)}, {count}: {'; '.join(results)}."

    def code(self) -> Sequence[Any]:
        return [masks.mask_before_softmax, masks.multiply_scores, masks.multiply_weights, masks.masked_softmax]

    def caption(self) -> str:
        queries, ways, part = self.head.queries, self.ways, windows.say_part(self.part, tuple(self.visible.shape))
        if ways.visible.all():
            return f"Nothing is hidden here, so the three ways give the same. Write two words or more.{part}"
        worst, poorest = int(ways.leaks.argmax()), int(ways.remainders.argmin())
        return (
            f"Multiplying the scores by 0 hides nothing: exp(0) = 1, so hidden keys get up to "
            f"{percent(float(ways.leaks[worst]))} of a row ({quote(queries[worst], worst)}). Multiplying the "
            f"weights afterwards leaves rows that do not sum to 1: {quote(queries[poorest], poorest)} keeps "
            f"{number(float(ways.remainders[poorest]), 2)}. Minus infinity before the softmax gives 0 and sums of 1."
            f"{part}"
        )

    def files(self) -> Files:
        ways = self.ways
        return Files(
            f"{self.head.file_name}-three-ways",
            self._panels.print(self.head.place),
            rows=lambda: named_rows(self._sums(), "query"),
            arrays=lambda: {
                "added": ways.added,
                "scores_times_mask": ways.scores_times_mask,
                "weights_times_mask": ways.weights_times_mask,
            },
        )
