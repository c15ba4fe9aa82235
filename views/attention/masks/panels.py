"""Scores and weights without and with a mask, and the effect of the mask on the output and the next token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.experiments import padded_batch
from model.network import masks
from views.attention.masks import kinds, mask_equations
from views.attention.masks.mask_code import snippet
from views.attention.masks.outcome import MaskOutcome
from views.attention.masks.two_runs import MaskedRuns
from views.attention.side_by_side import SideBySide
from views.attention.view_of_head import ViewOfHead
from views.call import Call, call_of
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import run_code, score_formula, windows
from views.shared.matrix_tables import number_words
from views.shared.quotes import quote
from views.shared.windows import MatrixPart
from views.view import grey
from viz.documents.page_parts import Code, Text
from viz.print import head_pictures
from viz.shared.panels import Panel
from viz.shared.style import count_noun, number, percent

VISIBLE_CHANGE = 1e-4  # of a score; rounding makes smaller ones
# The two runs have different scores, because the layers below differ too: each number names its run.
SCORE, MASKED = "score, run without", "score + mask, run with"
WEIGHT_WITHOUT, WEIGHT_WITH = "weight, run without", "weight, run with"
OF_PAIR = "the weight of the chosen pair with the mask"
SEEN = "the number of keys that the last query sees"
ON_HIDDEN = "the largest weight of a hidden key"


@dataclass(frozen=True)
class MaskPanels(ViewOfHead):
    """The effect of a mask that somebody has chosen or painted. `part`: the queries and the keys that are shown.

    `position`: the one whose next token is predicted. `beside_alone`: how far the answers for a sentence of a padded
    batch are from those for the sentence alone, with the padding hidden and without. `left_out`: what is not in the
    batch, and why.
    """

    runs: MaskedRuns
    part: MatrixPart
    position: int
    beside_alone: tuple[float, float] | None = None
    left_out: tuple[str, ...] = ()

    def made_by(self) -> Call:
        return call_of(self, beside_alone=Call(compare_with_alone, (self.runs,)) if self.beside_alone else None)

    def told(self) -> Mapping[str, float | str]:
        weights, hidden = self.runs.effect.weights_with, ~self.runs.visible
        told = {OF_PAIR: float(weights[self.head.query, self.head.key]), SEEN: int(self.runs.visible[-1].sum())}
        return told | ({ON_HIDDEN: float(weights[hidden].max())} if hidden.any() else {})

    def picture_parts(self) -> Sequence[Any]:
        painter = [Controls("painter")] if self.runs.kind == "painted" else []
        return self._in_frame(*painter, self.picture(), hint=" Point at a cell to read it in all four.")

    def number_parts(self) -> Sequence[Any]:
        return self._in_frame(self.table())

    def _in_frame(self, *parts: Any, hint: str = "") -> list[Any]:
        """Parts between the choice of the mask and what it does after the scores."""
        said = f"{self.caption()}{hint}{windows.say_part(self.part, self.runs.visible.shape)}"
        return [
            *(*self._choice(), Controls("window"), *parts, *grey(said), *grey(self._describe_batch()), self.files()),
            MaskOutcome(self.runs, self.position),
        ]

    def _choice(self) -> list[Any]:
        """The choice of the mask, and what it could not take of the reader."""
        return [Controls("mask"), *(Text(each, "warning") for each in self.left_out)]

    @property
    def _panels(self) -> SideBySide:
        """The scores and the weights of the run without the mask and of the run with it."""
        runs, effect, head = self.runs, self.runs.effect, self.head
        scores = score_formula.in_words(head.config, head.at.is_cross)
        panels = [
            Panel("Run without: scores", f"{scores}, nothing hidden", SCORE, effect.scores.numpy(), "signed"),
            Panel("Run with: scores + mask", "hidden cells are −∞", MASKED, effect.masked.numpy(), "signed"),
            Panel("Run without: weights", "softmax of the first", WEIGHT_WITHOUT, effect.weights_without.numpy()),
            Panel("Run with: weights", "softmax of the second", WEIGHT_WITH, effect.weights_with.numpy()),
        ]
        return SideBySide(panels, runs.queries, runs.keys, self.part, (head.query, head.key), across=2)

    def picture(self) -> Canvas:
        identity, title = (
            f"{self.head.identity} {len(self.runs.queries)}",
            "Scores and weights without and with the mask",
        )
        return self._panels.canvas("masks panels", title, identity, partial(windows.pick_cell, self.part))

    def table(self) -> DataTable:
        return DataTable(self._table, height=420, missing="−∞", has_index=True)  # of hidden scores

    def _table(self) -> pd.DataFrame:
        """One row for each cell of the four panels."""
        effect, (down, across) = self.runs.effect, self.part
        queries, keys = number_words(self.runs.queries)[down], number_words(self.runs.keys)[across]
        rows, columns = np.indices((len(queries), len(keys)))
        masked = effect.masked.masked_fill(effect.masked.isneginf(), np.nan)
        return pd.DataFrame(
            {
                "query": [queries[i] for i in rows.flat],
                "key": [keys[j] for j in columns.flat],
                SCORE: effect.scores[self.part].numpy().ravel(),
                MASKED: masked[self.part].numpy().ravel(),
                WEIGHT_WITHOUT: effect.weights_without[self.part].numpy().ravel(),
                WEIGHT_WITH: effect.weights_with[self.part].numpy().ravel(),
            }
        )

    def formula(self) -> Sequence[Any]:
        return [
            *mask_equations.equations(self.head),
            *self._choice(),
            *mask_equations.worked_weights(self.runs),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [*self._choice(), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        again: list[Any] = []
        if self.runs.sentence.batch is None:
            program = run_code.as_run(self.head.run, snippet(self.runs))
            again = [Text("The run with this mask again", "caption"), Code(program, "python")]
        return [
            *(masks.causal_mask, masks.window_mask, masks.padding_mask, masks.combine, masks.masked_softmax),
            *again,
        ]

    def caption(self) -> str:
        """The number of hidden cells, the weight that they would get, and the change of the visible scores."""
        runs, effect, hidden = self.runs, self.runs.effect, ~self.runs.visible
        count = int(hidden.sum())
        if not count:
            return "Nothing is hidden: the mask is 0 everywhere, so both runs are the same." + self._say_reach()
        sentences = (
            f"{count:,} of {hidden.numel():,} cells {'is' if count == 1 else 'are'} hidden in {self.head.place}. "
            f"Without the mask a query would give {percent(effect.weight_on_hidden)} of its attention to what is "
            f"hidden, on average; with it exactly {number(float(effect.weights_with[hidden].max()))}."
        )
        if effect.hidden_rows:
            names = ", ".join(quote(runs.queries[row], row) for row in effect.hidden_rows[:3])
            sentences += f" The whole row of {names} is hidden: its weights are 0, not undefined."
        if effect.score_change > VISIBLE_CHANGE:
            sentences += (
                f" The visible scores differ by up to {number(effect.score_change)} between the runs, because the "
                "layers below ran with the mask too."
            )
        return sentences + self._say_reach()

    def _say_reach(self) -> str:
        """How far the layers together see where each of them has the same window."""
        runs, layers = self.runs, self.head.n_layers
        if runs.kind != "window" or not runs.everywhere:
            return ""
        back, each = runs.width - 1, f" Each of the {count_noun(layers, 'layer')} looks"
        return (
            f"{each} {count_noun(back, 'token')} back, so after the last one a word knows of {layers * back:,} before "
            "it."
            if kinds.is_causal(self.head)
            else f"{each} {count_noun(back, 'token')} to either side."
        )

    def _describe_batch(self) -> str:
        """The largest difference between the sentence in a padded batch and alone."""
        batch = self.runs.sentence.batch
        if batch is None or self.beside_alone is None:
            return ""
        masked, unmasked = self.beside_alone
        causal = " A causal mask already hides padding that stands after the words."
        return (
            f"Run as one batch of {len(batch.tokens)} sentences, the model's answer for yours differs from the "
            f"sentence alone by {number(masked)} at most with the padding hidden, and by {number(unmasked)} without."
            f"{causal if self.head.config.kind == 'decoder' else ''}"
        )

    def files(self) -> Files:
        """The pictures and the table hold what is shown, the archive holds the whole matrices."""
        runs, effect, (down, across) = self.runs, self.runs.effect, self.part
        mask = runs.visible.numpy().astype(np.uint8)
        matrices = {
            "scores": effect.scores,
            "masked": effect.masked,
            "weights_without": effect.weights_without,
            "weights_with": effect.weights_with,
        }
        program = {"PY": partial(snippet, runs)} if runs.sentence.batch is None else {}
        table = partial(head_pictures.matrix_csv, mask[self.part], runs.queries[down], runs.keys[across])
        return Files(
            f"{self.head.file_name}-{runs.kind.replace(' ', '-')}",
            self._panels.print(f"{self.head.run.model.card.title}, {self.head.place}"),
            arrays=lambda: {"visible": mask, "queries": runs.queries, "keys": runs.keys, **matrices},
            others={"CSV": table, **program},
        )


def compare_with_alone(runs: MaskedRuns) -> tuple[float, float] | None:
    """How far the answers for the sentence of a padded batch are from those for the sentence alone, with the padding
    hidden and without; None where there is no batch."""
    batch, source = runs.sentence.batch, runs.sentence.source_batch
    return None if batch is None else padded_batch.compare_with_alone(runs.head.run.model, batch, source)
