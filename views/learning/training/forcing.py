"""Teacher forcing as a table: the decoder's input, label and likeliest token at each position of one batch."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from model.generation.teacher_forcing import TeacherForcedRun
from model.train.live import LiveRun, Look, force_batch
from model.train.live_recording import RecordedRun
from model.train.live_tasks import LiveTask
from model.train.task import shift_right
from views.chart_view import ChartView
from views.learning.training.run_at import RunAt
from views.parts import Controls, DataTable
from views.shared import sums
from views.shared.quotes import quote, tex
from views.view import equation, grey, work_out
from viz.documents.page_parts import Text
from viz.learning.training import forcing_figure
from viz.shared.style import Theme, markdown_text, number

TASK_WORDS = {
    "reverse": "The decoder writes the digits of the source from the last to the first.",
    "sort": "The decoder writes the digits of the source in their order of size.",
    "pairs": "The decoder writes the English source in Urdu.",
}
EXAMPLE_WORDS = ("The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog")
READS_BEFORE = "the share of positions that read the label of the one before"
READS_OWN = "the share of positions that read their own answer"


@dataclass(frozen=True)
class TeacherForcing(ChartView):
    """A `row` of a batch of the run: of the look at `place`. `origin` says which run it is, if not the reader's."""

    run: RunAt
    place: int
    row: int
    origin: str = ""

    @property
    def look(self) -> Look:
        """What was measured at the step of the batch."""
        return self.run.looks[self.place]

    @property
    def forced(self) -> TeacherForcedRun:
        """The decoder's run over the row."""
        return self.look.batch[self.row][1]

    def told(self) -> Mapping[str, float | str]:
        inputs, labels = self.forced.inputs, self.forced.labels
        return {
            READS_BEFORE: float(np.mean(np.equal(inputs[1:], labels[:-1]))),
            READS_OWN: float(np.mean(np.equal(inputs, labels))),
        }

    @property
    def _words(self) -> tuple[list[str], list[str], list[str]]:
        """What the decoder reads, is asked for, and finds likeliest."""
        forced, words = self.forced, self.run.words
        return words(forced.inputs), words(forced.labels), words(forced.predictions)

    def draw(self, theme: Theme = "light") -> go.Figure:
        return forcing_figure(*self._words, self.forced.losses, theme)

    def alt(self) -> str:
        return "What the decoder reads, is asked for and finds likeliest at each position, with its loss"

    def rows(self) -> list[dict[str, Any]]:
        positions = zip(*self._words, self.forced.losses, strict=True)
        return [
            {"position": i, "decoder reads": r, "is asked for": y, "finds likeliest": p, "right": y == p,
             "loss in nats": e}
            for i, (r, y, p, e) in enumerate(positions)
        ]  # fmt: skip

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), {"loss in nats": 3})

    def file_name(self) -> str:
        return f"teacher-forcing-{self.run.setup.task}"

    def picture_parts(self) -> Sequence[Any]:
        return self._above_table([self.picture()])

    def number_parts(self) -> Sequence[Any]:
        return self._above_table([])

    def _above_table(self, picture: Sequence[Any]) -> list[Any]:
        source = markdown_text(" ".join(self.run.words(self.look.batch[self.row][0])))
        task = Text(f"**Task** {TASK_WORDS[self.run.setup.task]}  \n**Source** {source}")
        words = [*grey(self.caption()), *grey(self.origin)]
        return [Controls("step"), Controls("row"), task, *picture, self.table(), *words, self.files()]

    def caption(self) -> str:
        forced = self.forced
        n_right = sum(a == b for a, b in zip(forced.labels, forced.predictions, strict=True))
        worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
        text = (
            f"After step {self.look.step:,}: {n_right} of {len(forced.labels)} positions are right, mean loss "
            f"{number(forced.loss)} nats. The hardest is position {worst}, {number(forced.losses[worst])}. "
        )
        switches = self.run.setup.switches
        if not switches.teacher_forcing:
            return text + "Teacher forcing is off: the decoder reads what it wrote itself, right or wrong."
        if not switches.shifted:
            return text + "The target is not shifted: every position reads the token that it is asked for."
        return text + (
            "The decoder reads the truth, one place late, after \\<SOS\\>: position j reads the label of position "
            "j − 1, and the causal mask hides all later ones. So one pass trains all positions at once."
        )

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\text{input} = (\langle SOS\rangle, y_1, \dots, y_n), \qquad "
                r"\text{target} = (y_1, \dots, y_n, \langle EOS\rangle)",
                "The target shifted right. Shamsi (2024), section 2.4; Palaskos (2022), section 3.11.",
                {"y": "the true tokens: in training the decoder reads them, whatever it would have written"},
            ),
            DataTable(_shifted_example),
            *grey("Position j of the input is position j − 1 of the target."),
            *equation(
                r"\mathrm{loss}_j = -\ln p(y_j \mid y_{<j}, x)",
                "What each position is asked for, in nats; the loss of training is the mean. Shamsi (2024), section "
                "2.4.",
            ),
            *self._work_out_loss(),
        ]

    def _work_out_loss(self) -> list[Any]:
        """The loss of the hardest position, and the mean of all."""
        forced = self.forced
        worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
        loss, label = forced.losses[worst], quote(self.run.words((forced.labels[worst],))[0])
        return work_out(
            f"After step {self.look.step:,}, row {self.row} of the batch: the hardest position, {worst}, which is "
            f"asked for {label}; then all positions, and their mean:",
            rf"-\ln {tex(math.exp(-loss), 5)} = {tex(loss)}, \qquad "
            rf"\frac{{{sums.plus(forced.losses, tex)}}}{{{len(forced.losses)}}} = {tex(forced.loss)}",
        )

    def code(self) -> Sequence[Any]:
        return [shift_right, LiveTask.decoder_inputs, force_batch]


def _shifted_example() -> pd.DataFrame:
    """What the decoder reads and is asked for in one sentence."""
    ids = list(range(len(EXAMPLE_WORDS)))
    names = [*EXAMPLE_WORDS, "<SOS>", "<EOS>"]
    read, labels = shift_right(ids, len(ids), len(ids) + 1)
    return pd.DataFrame(
        {"position": place, "decoder reads": names[a], "is asked for": names[b]}
        for place, (a, b) in enumerate(zip(read, labels, strict=True))
    )


def nearest_step(steps: Sequence[int], wanted: int) -> int:
    """The place of a step among those that were measured: the nearest one before it, or the last for -1."""
    return len(steps) - 1 if wanted < 0 else max(bisect_right(steps, wanted) - 1, 0)


def say_origin(run: LiveRun | RecordedRun) -> str:
    """Which run it is, where it is not the reader's own."""
    if isinstance(run, RecordedRun):
        return f"This is the recorded run of the part “Train one now”, made with {run.made_with}."
    return (
        "This is the untrained network with the settings of the part “Train one now”. When you have trained one "
        "with them, its measured batches are shown here."
    )
