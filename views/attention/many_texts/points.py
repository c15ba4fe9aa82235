"""Queries, keys or outputs of the chosen head on many texts, as points: what the head takes to be alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.cached_property import cached_property
from model.surveys.points import HeadPoints, Points, head_points
from model.surveys.reading import Reading
from model.vectors.principal_components import principal_components
from views.attention.many_texts.reading_view import ReadingView, call_of_reading
from views.attention.many_texts.token_names import names_of
from views.call import Call
from views.head_of_run import HeadOfRun
from views.parts import Chart, Controls, DataTable, Draw, Files, Keys
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.many_texts_points import COLOURED, PointGroup, points_figure
from viz.shared.style import count_noun, percent, token_label
from viz.shared.tokens import shorten

KIND, TOKEN, TEXT = COLOURS = ("kind", "token", "text")
MOST_TITLE = 28  # characters of a text in the legend
AROUND = 5  # tokens on each side of a point's own in its hover text
FIRST_SHARE = "the share of the variance along the first direction"


@dataclass(frozen=True)
class PointsOfTexts(ReadingView):
    """Points of a head. `side`: one of `model.surveys.points.SIDES`. `colour`: one of `COLOURS`."""

    points: HeadPoints
    side: str
    colour: str

    def made_by(self) -> Call:
        return Call(points_of_texts, (self.head, call_of_reading(self), self.side, self.colour))

    @property
    def shown(self) -> Points:
        """The points of the chosen side."""
        return self.points.sides[self.side]

    @cached_property
    def words(self) -> list[str]:
        """The token of each point, as a label."""
        return [self.names[id] for id in self.points.ids(self.side)]

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The labels of the tokens that were read on the chosen side, by their ids."""
        return names_of(self.head.run.model, self.reading, self.points.stack_of(self.side))

    def labels_by(self, colour: str) -> list[str]:
        """The group of each point: its token, its text, or the kind of its text."""
        if colour == TOKEN:
            return self.words
        texts = self.reading.collection.texts
        found = (texts[number] for number in self.shown.numbers.tolist())
        return [text.kind if colour == KIND else shorten(token_label(text.content), MOST_TITLE) for text in found]

    def told(self) -> Mapping[str, float | str]:
        return {FIRST_SHARE: float(self.shown.shares[0])}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("points"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("points"), *super().number_parts()]

    def picture(self) -> Chart:
        said = f"The {self.side} of {self.head.place}: {len(self.words):,} tokens as points. {self._say_shares()}"
        return Chart(self._draw(), said, key="points of texts", pick=self._open, tells_numbers=True)

    def _draw(self) -> Draw:
        groups, others = self._groups()
        return partial(points_figure, groups, others, self.shown.shares.tolist())

    def _groups(self) -> tuple[list[PointGroup], PointGroup | None]:
        """The groups with the most points, and all other points."""
        labels = np.array(self.labels_by(self.colour))
        counts = Counter(labels.tolist())
        titles = [title for title, _ in counts.most_common(COLOURED)]
        groups = [self._group(title, np.flatnonzero(labels == title)) for title in titles]
        rest = np.flatnonzero(~np.isin(labels, titles))
        return groups, self._group(count_noun(len(counts) - len(titles), f"other {self.colour}"), rest) if len(
            rest
        ) else None

    def _group(self, title: str, at: np.ndarray[Any, Any]) -> PointGroup:
        shown = self.shown
        names = np.stack([shown.numbers[at], shown.places[at]], axis=1).tolist()
        return PointGroup(title, shown.along[at], [self._tell(*name) for name in names], names)

    def _tell(self, number: int, place: int) -> str:
        """A token with those beside it, and the kind of its text."""
        ids = self.reading.tokens[self.points.stack_of(self.side)].ids_of(number)
        words = [self.names[id] for id in ids]
        before, after = words[max(0, place - AROUND) : place], words[place + 1 : place + 1 + AROUND]
        shown = f"{''.join(before)} [{words[place]}] {''.join(after)}"
        kind = self.reading.collection.texts[number].kind
        return f"{kind}: {shown}" if kind else shown

    def _open(self, point: Mapping[str, Any]) -> Keys:
        """The text of a point becomes the sentence; a query that was picked is chosen in it."""
        number, place = map(int, point["customdata"])
        is_query = self.side != "keys"
        chosen = {"query": place, "key": -1} if is_query else {"query": -1, "key": place}
        return {"text": self.reading.collection.texts[number].content, "target": ""} | chosen

    def caption(self) -> str:
        texts = len(np.unique(self.shown.numbers))
        told = " ".join(filter(None, map(self._say_told, (TOKEN, KIND))))
        return (
            f"{self._say_shares()} {len(self.words):,} tokens of {count_noun(texts, 'text')} that are drawn by lot, "
            f"without the first one of each. {told} Click a point: its text becomes the sentence."
        )

    def _say_shares(self) -> str:
        first, second = self.shown.shares.tolist()
        return f"The two directions have {percent(first)} and {percent(second)} of the variance."

    def _say_told(self, colour: str) -> str:
        """How much of where the points lie a kind of label tells."""
        if colour == KIND and not self.reading.collection.kinds:
            return ""
        share = self.shown.share_between(self.labels_by(colour))
        if not np.isfinite(share):
            return ""
        what = "Which token it is" if colour == TOKEN else "The kind of its text"
        return f"{what} tells {percent(max(share, 0.0))} of where a point lies."

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 3, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        shown, texts = self.shown, self.reading.collection.texts
        points = zip(self.words, shown.numbers.tolist(), shown.places.tolist(), shown.along.tolist(), strict=True)
        return [
            {"token": word, "place": place, "kind": texts[number].kind, "first": first, "second": second}
            | {"text": texts[number].content}
            for word, number, place, (first, second) in points
        ]

    def formula(self) -> Sequence[Any]:
        first, second = self.shown.shares.tolist()
        count = len(self.words)
        return [
            *equation(
                r"X = U \Sigma W^\top, \qquad p_i = (x_i - \bar{x})\, [w_1\; w_2], \qquad "
                r"\mathrm{share}_k = \frac{\sigma_k^2}{\sum_m \sigma_m^2}",
                "Pearson (1901); Hotelling (1933).",
                {
                    "x_i": f"the {self.side} of token i, a row of X without its mean, one of {count:,}",
                    "w_k": "the direction in which the points differ most, and the one across it",
                    r"\sigma_k": "the length of all rows together along a direction",
                },
            ),
            *work_out(
                "The two directions together:",
                rf"\mathrm{{share}}_1 + \mathrm{{share}}_2 = {tex(first)} + {tex(second)} = {tex(first + second)}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [head_points, principal_components]

    def files(self) -> Files:
        name = f"{self.head.file_name}-{self.side}-points"
        return Files(name, self._draw(), self._draw(), self._rows, lambda: {"along": self.shown.along})


def points_of_texts(head: HeadOfRun, reading: Reading, side: str, colour: str) -> PointsOfTexts:
    """The points of a head on the texts of a reading. Some texts run again for them. Raises as `head_points`."""
    attention = f"{head.at.stack}.{head.at.part}"
    found = head_points(head.run.model, reading, head.at.layer, head.head, attention)
    return PointsOfTexts(head, reading, found, side, colour)
