"""How surprising each token of the text is to the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from model.generation.surprise import Surprise, surprise
from views.models.predict.prediction import Prediction
from views.models.predict.reader import Reader
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from viz.documents.page_parts import Text
from viz.models.predict import surprise_figure
from viz.shared.style import number
from viz.shared.tokens import words

MOST = "the word that surprises most"
TOO_SHORT = "The first token has nothing before it to be predicted from. Type a second word."


@dataclass(frozen=True)
class SurpriseOfTokens(Prediction):
    """The surprise of every token after the first. `window`: those of them that the picture shows."""

    window: slice
    reader: Reader = field(default=Reader(), compare=False, repr=False)

    @property
    def has_two(self) -> bool:
        return len(self.now.written.trace.tokens) > 1

    @cached_property
    def measured(self) -> Surprise:
        return self.reader.surprise(self.now.written)

    @property
    def names(self) -> list[str]:
        """The tokens that have a prediction."""
        return words(self.now.written.trace.tokens[1:])

    @property
    def own(self) -> int:
        """The tokens of the reader that the model could predict."""
        return len(self.now.written.prompt) - 1

    @property
    def read(self) -> Surprise:
        """Of the reader's tokens. Their one token has no prediction: then of the model's own."""
        count = self.own or len(self.names)
        return Surprise(self.measured.loss[:count], self.measured.rank[:count])

    def told(self) -> Mapping[str, float | str]:
        found = super().told()
        return {**found, MOST: self.names[int(self.read.bits.argmax())]} if self.has_two else found

    def below_in_picture(self) -> Sequence[Any]:
        return [Controls("window"), *super().below_in_picture()] if self.has_two else [Text(TOO_SHORT, "info")]

    def below_in_numbers(self) -> Sequence[Any]:
        return super().below_in_numbers() if self.has_two else [Text(TOO_SHORT, "info")]

    def picture(self) -> Chart:
        return Chart(self._draw(), "Surprise of every token in bits", key="predict surprise")

    def _draw(self) -> Draw:
        shown = range(len(self.names))[self.window]
        bits, ranks = self.measured.bits.numpy()[self.window], self.measured.rank.tolist()[self.window]
        return partial(surprise_figure, self.names[self.window], bits, ranks, self.own - shown.start)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"token": name, "probability": float(2.0**-bit), "bits": float(bit), "rank": rank}
            for name, bit, rank in zip(self.names, self.measured.bits.numpy(), self.measured.rank.tolist(), strict=True)
        ]

    def caption(self) -> str:
        given, first = self.read, words(self.now.written.trace.tokens[:1])[0]
        most, mean = int(given.bits.argmax()), float(given.bits.mean())
        word, bits = quotes.quote(self.names[most], most + 1), number(float(given.bits[most]), 2)
        return (
            f"{word} surprises most: {bits} bits, rank "
            f"{int(given.rank[most]):,} of {self.now.written.config.vocab_size:,}. The mean is {number(mean, 2)} bits, "
            f"a perplexity of {number(given.perplexity, 1)}. The first token, {quotes.quote(first, 0)}, has no "
            "prediction; fainter bars are the model's own tokens."
        )

    def files(self) -> Files:
        return Files("surprise", self._draw(), self._draw(), self._rows, lambda: {"bits": self.measured.bits.numpy()})

    def code(self) -> Sequence[Any]:
        return (surprise,)
