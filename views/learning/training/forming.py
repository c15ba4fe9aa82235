"""What a live run has learnt so far: its cross-attention as it forms, and what it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.train.live import Look
from views.chart_view import ChartView
from views.learning.training.run_at import RunAt
from views.parts import DataTable, Files
from views.view import View, grey
from viz.documents.page_parts import Heading
from viz.shared.sheet import maps_figure
from viz.shared.style import Theme, percent

MAX_MOMENTS = 6  # of the attention during training


@dataclass(frozen=True)
class FormingAttention(ChartView):
    """The cross-attention of the first held-out example at some steps from the start to the latest."""

    run: RunAt

    @property
    def looks(self) -> list[Look]:
        count = len(self.run.looks)
        places = np.unique(np.geomspace(1, count, MAX_MOMENTS).round().astype(int)) - 1
        return [self.run.looks[place] for place in places]

    @property
    def maps(self) -> NDArray[Any]:
        """(heads, moments, targets, sources)"""
        return np.stack([look.attention.numpy() for look in self.looks], axis=1)

    @property
    def words(self) -> tuple[list[str], list[str]]:
        """What the decoder reads, and the source."""
        run, sample = self.run, self.run.latest.samples[0]
        read = [run.task.start, *sample.truth] if run.setup.switches.shifted else [*sample.truth, run.task.end]
        return run.words(read), run.words(sample.source)

    def draw(self, theme: Theme = "light") -> go.Figure:
        maps, (queries, keys) = self.maps, self.words
        columns = [f"{look.step:,}" if place else f"step {look.step}" for place, look in enumerate(self.looks)]
        return maps_figure(maps, columns, [f"head {head}" for head in range(len(maps))], queries, keys, theme)

    def alt(self) -> str:
        return "Cross-attention of one held-out example at several steps"

    def rows(self) -> list[dict[str, Any]]:
        queries, keys = self.words
        return [
            {"step": look.step, "head": head, "reads": query}
            | {f"{i} {key}": weight for i, (key, weight) in enumerate(zip(keys, row, strict=True))}
            for look in self.looks
            for head, weights in enumerate(look.attention.tolist())
            for query, row in zip(queries, weights, strict=True)
        ]

    def arrays(self) -> Mapping[str, Any]:
        return {"attention": self.maps}

    def file_name(self) -> str:
        return f"training-{self.run.setup.task}-attention"

    def picture_parts(self) -> Sequence[Any]:
        return [_TITLE, *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [_TITLE, *super().number_parts()]

    def caption(self) -> str:
        decision = self.run.latest.attention.max(-1).values.mean(-1)
        head = int(decision.argmax())
        return (
            "One held-out example, always the same: rows are what the decoder reads, columns the source. Head "
            f"{head} is the most decided: its largest weight is {percent(float(decision[head]))} of a row on average."
        )


_TITLE = Heading("Cross-attention as it forms", 3)


@dataclass(frozen=True)
class Samples(View):
    """What the run writes of held-out examples."""

    run: RunAt

    def picture_parts(self) -> Sequence[Any]:
        words = [*grey(self.caption()), *grey(self._say_known())]
        return [Heading("What it writes", 3), self.table(), *words, self.files()]

    number_parts = picture_parts

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        words = self.run.words
        return [
            {
                "source": " ".join(words(sample.source)),
                "should be": " ".join(words(sample.truth)),
                "written": " ".join(words(sample.written)) or "(nothing)",
                "right": sample.truth == sample.written,
            }
            for sample in self.run.latest.samples
        ]

    def files(self) -> Files:
        return Files(f"training-{self.run.setup.task}-samples", rows=self.rows)

    def caption(self) -> str:
        look, copied = self.run.latest, self.run.latest.measures["copied"]
        text = f"Held-out examples after step {look.step:,}, written from \\<SOS>, each word fed back in. "
        if self.run.setup.switches.shifted:
            return text + f"Given random tokens to read, it repeats {percent(copied)} of them."
        if copied > 0.5:
            return text + (
                f"The target was not shifted: given random tokens to read, it repeats **{percent(copied)}** of them. "
                "It has learnt to copy what it reads, and at inference there is no answer to read."
            )
        said = f"Given random tokens to read, it repeats {percent(copied)} of them so far."
        return f"{text}The target is not shifted. {said}"

    def _say_known(self) -> str:
        """How much of its hundred pairs it has learnt."""
        if self.run.setup.task != "pairs":
            return ""
        measures = self.run.latest.measures
        return (
            f"It has learnt {percent(measures['known'])} of its hundred pairs by heart. These examples are new "
            f"sentences of the same words; it writes {percent(measures['exact'])} of them: a hundred are too few to "
            "learn a language from."
        )
