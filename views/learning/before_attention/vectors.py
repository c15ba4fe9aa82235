"""What each decoder has of the sentence: one vector, an alignment, or the weights of several heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from torch import Tensor

from model.recurrent.networks import stack_steps
from views.chart_view import ChartView
from views.learning.before_attention import told
from views.models.translate.pair import Pair
from views.parts import Controls
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote
from views.view import grey
from viz.documents.page_parts import Text
from viz.learning.before_attention import alignment_figure, bottleneck_figure, heads_figure
from viz.shared.style import Theme, count_noun, number, percent
from viz.shared.tokens import words


@dataclass(frozen=True)
class Bottleneck(ChartView):
    """seq2seq: the one vector between encoder and decoder."""

    pair: Pair

    @property
    def vector(self) -> Tensor:
        return self.pair.run.trace["bottleneck"]

    def draw(self, theme: Theme = "light") -> go.Figure:
        return bottleneck_figure(self.vector.numpy(), theme)

    def alt(self) -> str:
        return f"The encoder's last state, {len(self.vector)} numbers between -1 and 1"

    def rows(self) -> list[dict[str, Any]]:
        return [{"feature": place, "value": float(value)} for place, value in enumerate(self.vector)]

    def arrays(self) -> Mapping[str, Any]:
        return {"bottleneck": self.vector.numpy()}

    def file_name(self) -> str:
        return "bottleneck"

    def picture_parts(self) -> Sequence[Any]:
        return [self._title(), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [self._title(), *super().number_parts()]

    def _title(self) -> Text:
        count = len(self.vector)
        return Text(f"**seq2seq**: all that the decoder gets of the sentence is this vector of {count} numbers")

    def caption(self) -> str:
        vector, source = self.vector, len(self.pair.source)
        strongest = int(vector.abs().argmax())
        return (
            f"Your sentence has {count_noun(source, 'token')}: {number(len(vector) / source, 1)} numbers for each. For "
            f"ten times as many it would be {number(len(vector) / source / 10, 1)}. Strongest: feature "
            f"{strongest}, {number(float(vector[strongest]))}."
        )


@dataclass(frozen=True)
class Weights(ChartView):
    """Weights over the words of the sentence, for the first `step` words that are written."""

    pair: Pair
    step: int

    @property
    def source(self) -> list[str]:
        return words(self.pair.source)

    @property
    def written(self) -> list[str]:
        return words(self.pair.written)

    @property
    def listed(self) -> Tensor:
        """The weights that the table has: (targets, sources)."""
        raise NotImplementedError

    @property
    def shown(self) -> int:
        """How many steps are shown: this translation may be shorter than the others."""
        return min(self.step, len(self.listed))

    def rows(self) -> list[dict[str, Any]]:
        weights = self.listed[: self.shown]
        table = pd.DataFrame(weights.numpy(), index=self.written[: len(weights)], columns=number_words(self.source))
        return named_rows(table, "word")


@dataclass(frozen=True)
class Alignment(Weights):
    """Bahdanau's attention: the weights of the encoder's states."""

    focus = ("before attention alignment",)

    @property
    def listed(self) -> Tensor:
        return stack_steps(self.pair.run.trace, "attention.weights")

    def told(self) -> Mapping[str, float | str]:
        looks = self.listed[: self.shown].argmax(-1)  # (targets,)
        return {told.JUMP: int(looks.diff().abs().max()) if self.shown > 1 else 0}

    def draw(self, theme: Theme = "light") -> go.Figure:
        return alignment_figure(self.listed.numpy(), self.shown, self.source, self.written, theme)

    def alt(self) -> str:
        return "Alignment: weights of the English tokens (columns) for each word"

    def arrays(self) -> Mapping[str, Any]:
        return {"weights": self.listed.numpy()}

    def file_name(self) -> str:
        return "alignment"

    def picture_parts(self) -> Sequence[Any]:
        return [_ALIGNMENT, *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [_ALIGNMENT, *super().number_parts()]

    def caption(self) -> str:
        row = self.listed[self.shown - 1]
        best = int(row.argmax())
        return (
            f"Writing {quote(self.written[self.shown - 1])}, it looks most at {quote(self.source[best], best)}, "
            f"{percent(float(row[best]))}. Each row sums to 1. Nobody told it where to look."
        )


_ALIGNMENT = Text("**Bahdanau**: for every word the decoder weighs all states of the encoder anew")


@dataclass(frozen=True)
class CrossAttention(Weights):
    """The transformer's heads of one layer. The table has their mean."""

    layer: int

    @property
    def weights(self) -> Tensor:
        """(heads, targets, sources)"""
        return self.pair.run.trace[f"decoder.{self.layer}.cross_attn.weights"]

    @property
    def listed(self) -> Tensor:
        return self.weights.mean(0)

    def draw(self, theme: Theme = "light") -> go.Figure:
        return heads_figure(self.weights.numpy(), self.shown, self.source, self.written, theme)

    def alt(self) -> str:
        return f"Cross-attention of {self.pair.config.n_heads} heads of decoder layer {self.layer}"

    def arrays(self) -> Mapping[str, Any]:
        return {"weights": self.weights.numpy()}

    def file_name(self) -> str:
        return "cross-attention"

    def picture_parts(self) -> Sequence[Any]:
        return self._above_layer(self.picture(), "")

    def number_parts(self) -> Sequence[Any]:
        return self._above_layer(self.table(), "the mean of the heads is listed. ")

    def _above_layer(self, shown: Any, said: str) -> list[Any]:
        title = Text("**Transformer**: several heads look at once, in every layer")
        words = grey(f"Layer {self.layer}: {said}{self.caption()}")
        return [title, shown, Controls("layer"), *words, self.files()]

    def caption(self) -> str:
        strongest = [int(head[self.shown - 1].argmax()) for head in self.weights]
        names = ", ".join(quote(self.source[best], best) for best in strongest)
        return (
            f"At {quote(self.written[self.shown - 1])} heads 0 to {len(strongest) - 1} look most at {names}. Layer 1 "
            "was taught the alignment during training; Bahdanau's was not."
        )
