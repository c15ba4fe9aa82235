"""The attention of the heads of one layer at one step of a training, and the score of every head over all steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from views.chart_view import ChartView
from viz.learning.training import scores_figure
from viz.shared.sheet import grid_figure
from viz.shared.style import Theme, isolate, percent


@dataclass(frozen=True)
class LayerHeads(ChartView):
    """The heads of a layer, by one sentence.

    `weights`: (layers, heads, queries, keys). `scores`: of the heads of the layer. `moment`: the step in words.
    `described`: the caption.
    """

    weights: NDArray[np.float16] = field(compare=False)
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    layer: int
    scores: tuple[float, ...]
    moment: str
    name: str
    described: str
    max_tokens: int | None = None  # on one side of a map

    @property
    def drawn(self) -> NDArray[np.float32]:
        """The weights that are drawn: (heads, queries, keys)."""
        end = self.max_tokens
        return np.asarray(self.weights[self.layer, :, :end, :end], np.float32)

    def draw(self, theme: Theme = "light") -> go.Figure:
        titles = [f"head {head}: {percent(score)}" for head, score in enumerate(self.scores)]
        queries, keys = ([isolate(each) for each in labels[: self.max_tokens]] for labels in (self.queries, self.keys))
        return grid_figure(self.drawn, titles, queries, keys, theme)

    def alt(self) -> str:
        return f"Attention of the heads of layer {self.layer} at {self.moment}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each query of each head."""
        return [
            {"head": head, "query": query, **{f"{i} {key}": float(row[i]) for i, key in enumerate(self.keys)}}
            for head, rows in enumerate(self.weights[self.layer])
            for query, row in zip(self.queries, rows, strict=True)
        ]

    def arrays(self) -> Mapping[str, Any]:
        return {"weights": self.weights}

    def caption(self) -> str:
        return self.described

    def file_name(self) -> str:
        return self.name


@dataclass(frozen=True)
class HeadScores(ChartView):
    """A score of every head: (steps, layers, heads). `shown`: the place of the shown step among the steps."""

    steps: tuple[int, ...]
    scores: NDArray[np.float32] = field(compare=False)
    shown: int

    @property
    def best(self) -> tuple[int, int]:
        """The layer and the head with the highest score at the last step."""
        layer, head = np.unravel_index(int(self.scores[-1].argmax()), self.scores.shape[1:])
        return int(layer), int(head)

    @property
    def line(self) -> NDArray[np.float32]:
        """The score of the best head at each step."""
        layer, head = self.best
        return np.asarray(self.scores[:, layer, head])

    def kind(self) -> str:
        """What the score measures, in a word."""
        raise NotImplementedError

    def draw(self, theme: Theme = "light") -> go.Figure:
        steps = list(self.steps)
        return scores_figure(steps, self.scores, steps[self.shown], self.best, self.kind(), theme)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """A row for each step."""
        _, layers, heads = self.scores.shape
        names = {f"{layer}.{head}": (layer, head) for layer in range(layers) for head in range(heads)}
        return [
            {"step": step, **{name: float(scores[place]) for name, place in names.items()}}
            for step, scores in zip(self.steps, self.scores, strict=True)
        ]

    def arrays(self) -> Mapping[str, Any]:
        return {"scores": self.scores}

    def say_jump(self) -> str:
        """Between which steps the best head grows most; "" for a single step."""
        if len(self.steps) < 2:
            return ""
        line, jump = self.line, int(np.diff(self.line).argmax())
        return (
            f" It grows most between steps {self.steps[jump]:,} and {self.steps[jump + 1]:,}, from "
            f"{percent(float(line[jump]))} to {percent(float(line[jump + 1]))}."
        )
