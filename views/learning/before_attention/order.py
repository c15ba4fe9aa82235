"""The order of work: the steps that must wait for one another, the length of paths, and the time on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, cast

import plotly.graph_objects as go
import torch

from model.config import TransformerConfig
from model.cost import timing
from model.cost.timing import Timing
from model.experiments.gradient_by_distance import make_untrained
from model.network.attention import MultiHeadAttention
from model.network.transformer import Transformer
from model.recurrent.cells import Cell
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import Recurrent, with_torch_cell
from views.call import Call
from views.chart_view import ChartView
from views.learning.before_attention import told
from views.parts import Controls
from views.shared import sums
from views.view import View, cite, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.lines import lines_figure
from viz.shared.style import Theme, markdown_text, number

COUNTED_LENGTHS = tuple(2**n for n in range(11))  # 1 .. 1,024 tokens
MEASURED_LENGTHS = (8, 16, 32, 64, 128, 256, 512)
LAYER_WIDTH, N_HEADS, N_TOKENS = 128, 4, 1000  # of the networks that are measured
NETWORKS = ("LSTM", "LSTM, as PyTorch has it", "Transformer")


@cache
def untrained_networks() -> dict[str, Transformer | Recurrent]:
    """Untrained networks of one width. Their weights do not change the time of a pass."""
    longest = max(MEASURED_LENGTHS)
    shape = RecurrentConfig("decoder", "lstm", N_TOKENS, LAYER_WIDTH, LAYER_WIDTH, longest)
    recurrent = cast("Recurrent", make_untrained(shape))
    transformer = TransformerConfig(
        vocab_size=N_TOKENS,
        d_model=LAYER_WIDTH,
        n_heads=N_HEADS,
        d_ff=2 * LAYER_WIDTH,
        max_length=longest,
        n_decoder_layers=1,
    )
    networks = (recurrent, with_torch_cell(recurrent), make_untrained(transformer))
    return dict(zip(NETWORKS, networks, strict=True))


def time_layers(lengths: Sequence[int] = MEASURED_LENGTHS, n_passes: int = 1) -> LayerTimes:
    """Time one layer of each network on this machine."""
    timings = {
        name: tuple(timing.measure(network, lengths, keep=(), repeats=n_passes))  # type: ignore[arg-type]
        for name, network in untrained_networks().items()
    }
    return LayerTimes(timings, n_passes)


@dataclass(frozen=True)
class SentenceSize:
    """How many tokens a sentence has in a model of a title and a width."""

    title: str
    tokens: int
    width: int


@dataclass(frozen=True)
class OrderOfWork(View):
    """What is counted, and what was measured. `sentence`: the reader's; None where no model can read it, and `why_not`
    says so."""

    times: LayerTimes
    sentence: SentenceSize | None
    why_not: Text | None = None

    is_timed: ClassVar[bool] = True

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("nothing taken"), Counts(), self.times]

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        table = (
            "| layer | operations | steps in a row | longest path |\n|---|---|---|---|\n"
            "| recurrent | $O(T\\,d^2)$ | $O(T)$ | $O(T)$ |\n"
            "| self-attention | $O(T^2\\,d)$ | $O(1)$ | $O(1)$ |"
        )
        return [
            Group([Text(table)], key="before attention formulas"),
            cite("Vaswani et al. (2017), table 1; T tokens of width d"),
            *equation(
                r"h_t = f(x_t, h_{t-1}) \qquad\text{against}\qquad H = A\,V",
                "A loop that cannot be cut into parallel pieces, and a product of matrices that can",
            ),
            *(existing(self.why_not) if self.sentence is None else _work_out(self.sentence)),
        ]

    def code(self) -> Sequence[Any]:
        return [Cell, MultiHeadAttention, timing.measure]


def _work_out(sentence: SentenceSize) -> list[Any]:
    """The operations of the table for the reader's sentence, at the width of the run bar's model."""
    tokens, width = sentence.tokens, sentence.width
    return work_out(
        f"Your sentence has T = {tokens} tokens in {markdown_text(sentence.title)}, of width d = {width}. "
        f"Recurrent, in {tokens} steps; then self-attention, in one:",
        rf"T\,d^2 = {tokens} \cdot {width}^2 = {sums.whole(tokens * width**2)}, \qquad "
        rf"T^2\,d = {tokens}^2 \cdot {width} = {sums.whole(tokens**2 * width)}",
    )


@dataclass(frozen=True)
class Counts(ChartView):
    """Steps, paths and pairs of one layer by the number of tokens."""

    def told(self) -> Mapping[str, float | str]:
        return {told.STEPS: COUNTED_LENGTHS[-1]}

    @property
    def curves(self) -> Mapping[str, Sequence[int]]:
        return {
            "recurrent: steps in a row, and longest path": COUNTED_LENGTHS,
            "self-attention: steps in a row, and longest path": [1] * len(COUNTED_LENGTHS),
            "self-attention: pairs, all at once": [t * t for t in COUNTED_LENGTHS],
        }

    def draw(self, theme: Theme = "light") -> go.Figure:
        lines = {name: (COUNTED_LENGTHS, ys) for name, ys in self.curves.items()}
        return lines_figure(lines, "tokens T", "count", log="xy", theme=theme)

    def alt(self) -> str:
        return "Sequential steps, path length and pairs by number of tokens"

    def rows(self) -> list[dict[str, Any]]:
        curves = self.curves
        return [{"tokens": t} | {name: ys[i] for name, ys in curves.items()} for i, t in enumerate(COUNTED_LENGTHS)]

    def file_name(self) -> str:
        return "order-of-work"

    def picture_parts(self) -> Sequence[Any]:
        return [_COUNTED, *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [_COUNTED, *super().number_parts()]

    def caption(self) -> str:
        return (
            "A recurrent layer takes T steps, each after the one before, and the first token reaches the last through "
            "all of them. Self-attention takes one step, over T² pairs, and every path has length 1."
        )


_COUNTED = Text("**Counted**: steps of one layer that wait for one another, and the longest way between two tokens")


@dataclass(frozen=True)
class LayerTimes(ChartView):
    """The times of one layer of each network that were measured, as medians of `n_passes` passes."""

    timings: Mapping[str, tuple[Timing, ...]]
    n_passes: int

    def made_by(self) -> Call:
        lengths = max(([each.tokens for each in times] for times in self.timings.values()), key=len, default=[])
        return Call(time_layers, (tuple(lengths), self.n_passes))

    @property
    def curves(self) -> dict[str, tuple[list[int], list[float]]]:
        """The lengths and the milliseconds of each network that has some."""
        return {
            name: ([each.tokens for each in times], [1000 * each.seconds for each in times])
            for name, times in self.timings.items()
            if times
        }

    def draw(self, theme: Theme = "light") -> go.Figure:
        return lines_figure(self.curves, "tokens T", "milliseconds", log="xy", theme=theme)

    def alt(self) -> str:
        return "Milliseconds of one pass by number of tokens"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"network": name, "tokens": tokens, "milliseconds": milliseconds}
            for name, (lengths, times) in self.curves.items()
            for tokens, milliseconds in zip(lengths, times, strict=True)
        ]

    def file_name(self) -> str:
        return "order-of-work-time"

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(super().picture_parts())

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(super().number_parts())

    def _below_controls(self, shown: Sequence[Any]) -> list[Any]:
        title = Text(f"**Measured**: one layer of each, {LAYER_WIDTH} wide, reading a text on this machine")
        return [title, Controls("measure"), *(shown if self.curves else []), *grey(self._say_how_much())]

    def _say_how_much(self) -> str:
        if self.n_passes == 1:
            return "A quick measurement: as many lengths as about half a second allows."
        if any(len(self.timings.get(name, ())) < len(MEASURED_LENGTHS) for name in NETWORKS):
            return "Partial: it was stopped before all lengths were measured."
        return ""

    def caption(self) -> str:
        sentences = []
        for name, (tokens, times) in self.curves.items():
            growth = times[-1] / times[0]
            sentences.append(
                f"{name}: {number(times[0], 2)} ms at {tokens[0]} tokens, {number(times[-1], 2)} ms at {tokens[-1]}, "
                f"{number(growth, 1)} times as long"
            )
        passes = f"Medians of {self.n_passes} passes" if self.n_passes > 1 else "One pass each"
        threads = torch.get_num_threads()
        return (
            "; ".join(sentences) + f". {passes}, with {threads} {'thread' if threads == 1 else 'threads'} for "
            "the products: the fewer there are, the less of the transformer's one step is done at once."
        )
