"""The effect of a mask after the scores: on each token's output, and on the next token or the last vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.analysis.change import likeliest_of_either, relative_change
from model.arrays import Array
from views.attention.masks.two_runs import TwoRuns
from views.parts import Chart, Controls, DataTable, Files
from views.plotted import Plotted
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote
from views.view import View
from viz.attention.masks import change_figure, predictions_figure
from viz.documents.page_parts import Group, Text
from viz.shared.style import number, percent
from viz.shared.tokens import words

LIKELIEST = 6  # next tokens that are shown


@dataclass(frozen=True)
class MaskOutcome(View):
    """The change of an attention's output beside that of the model's. `position`: the one whose next token is
    predicted."""

    runs: TwoRuns
    position: int

    def picture_parts(self) -> Sequence[Any]:
        return [Group([Group(self._of_output(), "column"), Group(self._of_model(), "column")], "row", gap="large")]

    number_parts = picture_parts

    def _of_output(self) -> list[Any]:
        runs, at = self.runs, self.runs.head.at
        without, with_mask = (trace[f"{at.path}.out"] for trace in (runs.without, runs.with_mask))
        change = relative_change(without, with_mask).numpy()
        most = int(change.argmax())
        said = (
            f"The mask changes the output most at {quote(runs.queries[most], most)}: by "
            f"{percent(float(change[most]))} of its length."
            if change[most]
            else "The mask changes no output here."
        )
        chart = _chart_of(runs.queries, change, "masks output", "How much each token's output changes")
        title = Text(f"**What attention adds in layer {at.layer}**")
        return [title, _plotted(chart, runs.queries, change, said, "mask-output")]

    def _of_model(self) -> list[Any]:
        if "decoder" in self.runs.head.config.stacks:
            return [Controls("position"), self._predictions()]
        return [Text("**The last layer's vectors**"), self._last_vectors()]

    def _last_vectors(self) -> View:
        runs = self.runs
        change = relative_change(runs.final(runs.without), runs.final(runs.with_mask)).numpy()
        most = int(change.argmax())
        sentence = (
            f"Its vectors change most at {quote(runs.written[most], most)}, by {percent(float(change[most]))}, and "
            f"by {percent(float(change.mean()))} on average."
        )
        said = f"An encoder predicts no next token. {sentence if change[most] else 'Its vectors stay as they are.'}"
        chart = _chart_of(runs.written, change, "masks final", "How much each token's last vector changes")
        return _plotted(chart, runs.written, change, said, "mask-last-layer")

    def _predictions(self) -> View:
        """The likeliest next tokens after the position, in both runs."""
        runs = self.runs
        logits = [runs.logits(trace, self.position) for trace in (runs.without, runs.with_mask)]  # (vocabulary,) each
        without, with_mask = (each.softmax(-1) for each in logits)
        ids = likeliest_of_either(without, with_mask, LIKELIEST)
        names = words(runs.head.run.model.output_tokenizer.tokens(ids))
        groups = list(zip(runs.names, (without[ids].numpy(), with_mask[ids].numpy()), strict=True))
        draw = partial(predictions_figure, names, groups)
        table = pd.DataFrame({"next token": names} | dict(groups))
        chart = Chart(draw, f"The next token {' and '.join(runs.names)}", key="masks next")
        files = Files("mask-next-token", draw, draw, lambda: table.to_dict("records"))
        return Plotted(chart, DataTable(lambda: table), self._describe(names, groups, logits), files)

    def _describe(self, names: Sequence[str], groups: Sequence[tuple[str, Array]], logits: Sequence[Tensor]) -> str:
        runs, (first_run, second_run) = self.runs, self.runs.names
        first, second = (quote(names[int(shares.argmax())]) for _, shares in groups)
        expected = f"both expect {first}" if first == second else f"{first_run} {first}, {second_run} {second}"
        largest = " and ".join(percent(float(shares.max())) for _, shares in groups)
        return (
            f"After {quote(runs.written[self.position], self.position)}: {expected} ({largest}). "
            f"The logits there differ by up to {number(float((logits[1] - logits[0]).abs().max()))}."
        )


def _chart_of(tokens: Sequence[str], change: Array, key: str, alt: str) -> Chart:
    """The relative change of every token's vector: (tokens,)."""
    return Chart(partial(change_figure, tokens, change, "relative change"), alt, key=key)


def _plotted(chart: Chart, tokens: Sequence[str], change: Array, said: str, name: str) -> View:
    table = pd.DataFrame({"relative change": change}, index=number_words(tokens))
    rows = partial(named_rows, table, "token")
    files = Files(name, chart.draw, chart.draw, rows, lambda: {"change": change})
    return Plotted(chart, DataTable(lambda: table, has_index=True), said, files)
