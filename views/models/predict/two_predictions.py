"""The next token as two models expect it that have read the same tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from torch import Tensor

from views.models.predict.continuation import Playhead
from views.parts import Chart, DataTable, Files
from views.shared.token_link import same_tokens
from views.view import View, heading
from viz.models.predict import candidates_figure
from viz.shared.style import Theme, markdown_text, percent
from viz.shared.tokens import labels

MAX_TOKENS = 10  # whose probabilities differ most


@dataclass(frozen=True)
class TwoPredictions(View):
    """The probabilities of the next token in two models, before any filter: those that differ most."""

    first: Playhead
    second: Playhead

    @property
    def titles(self) -> tuple[str, str]:
        return self.first.written.run.title, self.second.written.run.title

    def shares(self) -> tuple[Tensor, Tensor]:
        """The probabilities of all tokens: (V,) each."""
        first, second = (now.logits.double().softmax(-1) for now in (self.first, self.second))
        return first, second

    def rows(self) -> list[dict[str, Any]]:
        """The tokens whose probabilities differ most, in that order."""
        first, second = self.shares()
        ids = (first - second).abs().topk(min(MAX_TOKENS, len(first))).indices.tolist()
        names = labels(self.first.written.run.model.tokenizer.tokens(ids))
        return [
            {"token": name, "id": id, "first": float(first[id]), "second": float(second[id])}
            | {"difference": float(first[id] - second[id])}
            for name, id in zip(names, ids, strict=True)
        ]

    def picture_parts(self) -> Sequence[Any]:
        return [heading(*self.titles), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [heading(*self.titles), *super().number_parts()]

    def picture(self) -> Chart:
        alt = f"The next token by {' and by '.join(self.titles)}: the probabilities that differ most"
        return Chart(self._draw, alt, key="two predictions")

    def _draw(self, theme: Theme = "light") -> go.Figure:
        read = "".join(token.text for token in self.first.written.trace.tokens[: self.first.query + 1])
        sides = ((self.titles[0], "first", "query"), (self.titles[1], "second", "key"))
        return candidates_figure(self.rows(), read, theme, sides)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 4)

    def caption(self) -> str:
        first, second = self.shares()
        largest = self.rows()[0]
        if largest["difference"] == 0:
            return "Both expect the same."
        elsewhere = (
            float((first - second).abs().sum()) / 2
        )  # a moved share is missing in one place and added in another
        return (
            f"They differ most at **{markdown_text(largest['token'])}**: {percent(largest['first'])} against "
            f"{percent(largest['second'])}. In all, {percent(elsewhere)} of the probability lies on other tokens."
        )

    def files(self) -> Files:
        first, second = self.shares()
        return Files(
            "predictions-compared", self._draw, self._draw, self.rows, partial(dict, first=first, second=second)
        )


def subtract(first: Playhead, second: Playhead) -> TwoPredictions | None:
    """Both predictions; None where the models have read other tokens, or know other ones."""
    read = [now.written.trace.tokens[: now.query + 1] for now in (first, second)]
    is_one_vocabulary = first.written.config.vocab_size == second.written.config.vocab_size
    return TwoPredictions(first, second) if is_one_vocabulary and same_tokens(*read) else None
