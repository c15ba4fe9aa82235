"""The products of one query and one key, feature by feature, which sum to their score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from model.analysis.weight_story import Story
from views.attention.head_view import HeadView
from views.attention.head_words import pair_names
from views.parts import Chart, Controls, DataTable, Files
from viz.attention.heads import products_figure
from viz.documents.page_parts import Text
from viz.shared.style import Theme, number, plain_text, plotly_text

NO_PAIR = "Choose a query and a key first: click two tokens in Lines, or a cell of the Matrix."


@dataclass(frozen=True)
class QueryKey(HeadView):
    """The products of the query and the key that are singled out in a head."""

    of_page: ClassVar[str] = "Query-key"

    @property
    def story(self) -> Story:
        assert self.head.story is not None
        return self.head.story

    def picture_parts(self) -> Sequence[Any]:
        parts = [Text(NO_PAIR, "info")] if self.head.story is None else super().picture_parts()
        return [Controls("pair"), *parts]

    def number_parts(self) -> Sequence[Any]:
        parts = [Text(NO_PAIR, "info")] if self.head.story is None else super().number_parts()
        return [Controls("pair"), *parts]

    def picture(self) -> Chart:
        draw = partial(products_figure, self.story.q.numpy(), self.story.k.numpy())
        return Chart(draw, plain_text(self.caption()), key="heads products figure", tells_numbers=True)

    def table(self) -> DataTable:
        return DataTable(self._products, 3, height=560)

    def _products(self) -> pd.DataFrame:
        """One row for each feature of the head, the largest product first."""
        story = self.story
        products = story.products.numpy()
        order = np.argsort(-products, kind="stable")
        return pd.DataFrame(
            {
                "feature": order,
                "q": story.q.numpy()[order],
                "k": story.k.numpy()[order],
                "q × k": products[order],
                "running sum": products[order].cumsum(),
            }
        )

    def caption(self) -> str:
        story, (query, key) = self.story, pair_names(self.head)
        products = np.sort(story.products.numpy())[::-1]
        positive = products[products > 0]
        half = int(np.searchsorted(np.cumsum(positive), positive.sum() / 2)) + 1 if len(positive) else 0
        return (
            f"The {story.d_head} products of the query of {query} and the key of {key} sum to "
            f"{number(story.raw_score)}. The largest is {number(float(products[0]))}; {half} of the {len(positive)} "
            f"positive ones make half of all that is positive, and {int((products < 0).sum())} pull the score down."
        )

    def files(self) -> Files:
        head, story = self.head, self.story
        q, k = story.q.numpy(), story.k.numpy()
        return Files(
            f"{head.file_name}-query{story.query}-key{story.key}",
            self._print,
            partial(products_figure, q, k),
            rows=lambda: self._products().to_dict("records"),
            arrays=lambda: {"q": q, "k": k, "products": q * k},
        )

    def _print(self, theme: Theme = "light") -> go.Figure:
        head, story = self.head, self.story
        title = f"{head.queries[story.query]} · {head.keys[story.key]}, {head.place}"
        figure = products_figure(story.q.numpy(), story.k.numpy(), theme=theme)
        return figure.update_layout(title_text=plotly_text(title))
