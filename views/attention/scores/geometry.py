"""Queries and keys as points: the key with the largest product is the one that the query finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from model.analysis import scores
from model.analysis.scores import KeyFit, Projection, fit_keys, project
from model.cached_property import cached_property
from model.vectors.principal_components import principal_components
from views.attention.view_of_head import ViewOfHead
from views.parts import Chart, DataTable, Draw, Files
from views.shared.matrix_tables import number_words
from views.shared.quotes import quote, tex
from views.view import equation, grey, work_out
from viz.attention.scores import geometry_figure
from viz.shared.style import number, percent

if TYPE_CHECKING:
    from torch import Tensor

QUERY = "the query"


@dataclass(frozen=True)
class Geometry(ViewOfHead):
    """The singled-out query of a head, and how well every key fits it."""

    @cached_property
    def fit(self) -> KeyFit:
        return fit_keys(self.head.steps.q[self.head.query], self.head.steps.k)

    @cached_property
    def points(self) -> Projection:
        return project(self.head.steps.q, self.head.steps.k)

    @property
    def visible(self) -> Tensor:
        """True where the query may look: (keys,)."""
        return ~self.head.hidden[self.head.query]

    @property
    def best(self) -> int | None:
        """The visible key with the largest product."""
        return self.fit.best(self.visible)

    @property
    def weights(self) -> Tensor:
        """(keys,)"""
        return self.head.weights[self.head.query]

    def told(self) -> Mapping[str, float | str]:
        return {QUERY: self.head.queries[self.head.query]}

    def picture(self) -> Chart:
        alt = "Queries and keys of the head in three dimensions."
        return Chart(self._draw(), alt, key="scores geometry", tells_numbers=True)

    def _draw(self) -> Draw:
        head, points = self.head, self.points
        return partial(
            geometry_figure,
            points.queries.numpy(),
            points.keys.numpy(),
            points.explained.numpy(),
            (head.queries, head.keys),
            head.query,
            self.best,
            self.visible.numpy(),
        )

    def table(self) -> DataTable:
        return DataTable(lambda: self._table().sort_values("q · k", ascending=False))

    def _table(self) -> pd.DataFrame:
        """One row for each key, measured in all dimensions."""
        return pd.DataFrame(
            {
                "key": number_words(self.head.keys),
                "q · k": self.fit.products.numpy(),
                "cosine": self.fit.cosines.numpy(),
                "distance": self.fit.distances.numpy(),
                "weight": self.weights.numpy(),
                "visible": self.visible.numpy(),
            }
        )

    def formula(self) -> Sequence[Any]:
        written = equation(
            r"q \cdot k = |q|\,|k| \cos\theta",
            "Palaskos (2022), section 3.3.4 and fig. 3.4",
            {r"\theta": "the angle between query and key: small where they point the same way"},
        )
        near = (
            "The picture keeps three principal components of all queries and keys of the head, so angles in it "
            "are only nearly those of the full vectors. Products and ranks are computed in all dimensions."
        )
        return [*written, *grey(near), *self._worked_product()]

    def _worked_product(self) -> list[Any]:
        """The product of the key that fits best, by lengths and angle."""
        head, best = self.head, self.best
        if best is None:
            return []
        lengths = (float(vector.norm()) for vector in (head.steps.q[head.query], head.steps.k[best]))
        factors = (*lengths, float(self.fit.cosines[best]))
        return work_out(
            f"For {quote(head.queries[head.query], head.query)} and {quote(head.keys[best], best)}, "
            "the key with the largest product:",
            r"|q|\,|k| \cos\theta = "
            + r" \cdot ".join(tex(factor, 5) for factor in factors)
            + f" = {tex(float(self.fit.products[best]))}",
        )

    def code(self) -> Sequence[Any]:
        return [scores.fit_keys, scores.project, principal_components]

    def caption(self) -> str:
        width = self.head.steps.q.shape[-1]
        return (
            f"Each point is a query or a key of this head, a vector of {width} numbers. The three axes are the "
            f"directions in which these vectors differ most (their principal components), and hold "
            f"{percent(float(self.points.explained.sum()))} of the differences (the variance). The rest is "
            f"computed with all {width} numbers. {self._describe()}"
        )

    def _describe(self) -> str:
        """The key that fits best, and those that are nearest by angle and by distance. Markdown."""
        head, best, visible = self.head, self.best, self.visible
        query = quote(head.queries[head.query], head.query, "blue")
        if best is None:
            return f"Every key is hidden from {query}."
        names = [quote(key, place, "orange") for place, key in enumerate(head.keys)]
        sentence = (
            f"Of the keys that {query} may see, {names[best]} has the largest product q · k, "
            f"{number(float(self.fit.products[best]))}, "
        )
        weight, most = percent(float(self.weights[best])), int(self.weights.argmax())
        if self.weights[most] > self.weights[best]:  # relative positions and ALiBi add a bias to each product
            sentence += f"and the weight {weight}. With the bias of its place, {names[most]} gets more, "
            sentence += f"{percent(float(self.weights[most]))}. "
        else:
            sentence += f"so it gets the most weight, {weight}. "
        nearest = {"angle": self.fit.nearest_by_angle(visible), "distance": self.fit.nearest(visible)}
        others = [f"by {way} is {names[key]}" for way, key in nearest.items() if key is not None and key != best]
        if not others:
            return sentence + "It is also the nearest, by angle and by distance."
        return sentence + f"The nearest {' and '.join(others)}: a long key can win over a near one."

    def files(self) -> Files:
        steps, points, draw = self.head.steps, self.points, self._draw()
        placed = {"queries_3d": points.queries, "keys_3d": points.keys, "explained": points.explained}
        return Files(
            f"{self.head.file_name}-geometry",
            draw,
            draw,
            rows=lambda: self._table().to_dict("records"),
            arrays=lambda: {"q": steps.q, "k": steps.k, **placed},
        )
