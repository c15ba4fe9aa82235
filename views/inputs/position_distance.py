"""Position vectors and distance: p(t).p(s) as a matrix and by t - s, with two positions to drag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from model.cached_property import cached_property
from model.experiments import position_schemes
from model.network import positions
from views.inputs.learned_table import LearnedTable
from views.inputs.placed_sentence import NEEDS, PlacedSentence, name_token
from views.parts import Canvas, Controls, DataTable, Files, Source
from views.shared import sums
from views.view import View, equation, work_out
from viz.documents.page_parts import Text
from viz.inputs.position_bytes import pack_distance
from viz.print import position_pictures
from viz.shared.style import markdown_text, number

COMPONENT = "positions distance"
MAX_POSITIONS = 256
USUAL_DISTANCE = 4  # from t back to s
SPREAD = "how much the score of this distance changes with the place"


@dataclass(frozen=True)
class Vectors:
    """The vectors p (T, d) of one scheme, the name of their product, and a sentence about the scheme."""

    p: Tensor
    product: str
    about: str


@dataclass(frozen=True)
class PositionDistance(View):
    """The products of so many positions (`count`) of a scheme: "sinusoidal", "learned" or "rotary".

    `d` and `base`: of the formula. `table_of_model`: of the learned scheme, or why there is none. `places`: two
    positions (t, s). `of_sentence`: whether the positions are those of the sentence's tokens.
    """

    sentence: PlacedSentence
    scheme: str
    count: int
    of_sentence: bool
    d: int
    base: float
    table_of_model: LearnedTable | Text | None
    places: tuple[int, int]

    needs = NEEDS

    @cached_property
    def labels(self) -> list[str]:
        """A label for each position."""
        labels = self.sentence.labels
        return [*labels[: self.count], *[""] * (self.count - len(labels))]

    @cached_property
    def vectors(self) -> Vectors:
        if isinstance(self.table_of_model, LearnedTable):
            scheme, longest = position_schemes.directions_scheme(self.table_of_model.rows[: self.count])
            about = (
                f"This is {markdown_text(self.table_of_model.title)}'s trained table, each row divided by its length. "
                f"The longest row is {longest}."
            )
            return Vectors(scheme.all(self.count), "cos(p(t), p(s))", about)
        if self.scheme == "sinusoidal":
            about = "Only the distance counts, so every diagonal has one colour."
            return Vectors(positions.sinusoidal(torch.arange(self.count), self.d, self.base), "p(t)·p(s)", about)
        about = (
            "The content is fixed: each pair of q and k starts as (1, 0), and its place turns it. "
            "The part Rotary does this with a real head's q and k."
        )
        return Vectors(position_schemes.rotary_scheme(self.d, self.base).all(self.count), "q(t)·k(s)", about)

    @cached_property
    def scores(self) -> Tensor:
        """(T, T)"""
        return positions.products(self.vectors.p)

    @cached_property
    def curve(self) -> Tensor:
        """The mean, least and greatest score by distance: (2T - 1, 3)."""
        return positions.by_distance(self.scores)

    @property
    def of_distance(self) -> tuple[float, float, float]:
        """The mean, least and greatest score at the distance of the two places."""
        t, s = self.places
        mean, least, most = self.curve[t - s + self.count - 1].tolist()
        return mean, least, most

    def told(self) -> Mapping[str, float | str]:
        if isinstance(self.table_of_model, Text):
            return {}
        _, least, most = self.of_distance
        return {SPREAD: most - least}

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(super().picture_parts)

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(super().number_parts)

    def _below_controls(self, parts: Any) -> list[Any]:
        missing = self.table_of_model if isinstance(self.table_of_model, Text) else None
        return [Controls("positions"), *(parts() if missing is None else [missing])]

    def picture(self) -> Canvas:
        return Canvas("inputs/position_distance", self._pack, COMPONENT, {"pair": self._pick_places})

    def _pack(self) -> bytes:
        lengths = positions.row_lengths(self.vectors.p).numpy()
        arrays = (self.scores.numpy(), lengths, self.curve.numpy())
        return pack_distance(*arrays, self.labels, self.places, product=self.vectors.product)

    def _pick_places(self, pair: Sequence[Any]) -> dict[str, Any]:
        t, s = (int(place) for place in pair)
        return {"positions_places": (t, s)} | ({"query": t} if self.of_sentence else {})

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.curve.numpy(), columns=["mean", "least", "most"])
        frame.insert(0, "t − s", range(1 - self.count, self.count))
        return frame

    def caption(self) -> str:
        t, s = self.places
        mean, least, most = self.of_distance
        spread = (
            "the same at every place"
            if most - least < 1e-9 * max(1, abs(mean))
            else f"{number(least, 2)} to {number(most, 2)}"
        )
        return (
            f"{name_token(self.labels, t)} and {name_token(self.labels, s)} are {abs(t - s)} apart. On their "
            f"diagonal {self.vectors.product} is {number(mean, 2)} on average, {spread}. {self.vectors.about} "
            "Drag the two dots, or over the matrix."
        )

    def files(self) -> Files:
        table, scores = self.curve.numpy(), self.scores.numpy()
        arrays = {"vectors": self.vectors.p, "products": scores, "by_distance": table, "positions": self.labels}
        return Files(
            "position-distances",
            partial(position_pictures.distances_picture, table, self.vectors.product, scores),
            arrays=lambda: arrays,
            others={"CSV": partial(position_pictures.distances_csv, table)},
        )

    def formula_parts(self) -> Sequence[Any]:
        return [*self.formula(), *self._below_controls(self._work_out)]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"p(t) \cdot p(s) = \sum_k \cos(\omega_k (t - s))",
                "From Palaskos (2022), eqs. 3.6-3.8, and sin a sin b + cos a cos b = cos(a − b).",
                {"t - s": "the distance, the only variable of the sum"},
            ),
            *equation(
                r"q_t \cdot k_s = (R_t\, q) \cdot (R_s\, k) = q^\top R_{s-t}\, k",
                "Su et al. (2021), arXiv:2104.09864, eq. 34: rotary positions",
                {"R_t": "turns pair k of a query or key by the angle ω_k t", "q, k": "the content, before rotation"},
            ),
        ]

    def _work_out(self) -> list[Any]:
        """The product of the two positions, feature by feature, and by the formula pair by pair."""
        (t, s), p = self.places, self.vectors.p
        names = f"{name_token(self.labels, t)} and {name_token(self.labels, s)}"
        shown = work_out(f"{names}, feature by feature:", sums.product(p[t], p[s]))
        if self.scheme == "sinusoidal":
            terms = positions.product_terms(t - s, self.d, self.base)
            shown += work_out(
                f"And pair by pair, from the distance t − s = {number(t - s, 0)} alone:",
                rf"\sum_k \cos(\omega_k (t - s)) = {sums.total(terms)}",
            )
        return shown

    def code_parts(self) -> Sequence[Any]:
        return [Source(positions.by_distance), Source(position_schemes.rotary_scheme)]


def most_places(table: LearnedTable | Text | None) -> int:
    """How many positions can be compared."""
    return min(MAX_POSITIONS, len(table.rows)) if isinstance(table, LearnedTable) else MAX_POSITIONS


def choose_places(
    chosen: Sequence[int], length: int, token: Callable[[int | None], int] | None = None
) -> tuple[int, int]:
    """The two positions (t, s) of `length`: the chosen ones where both are there, or else the last and one before it.

    `token`: where the positions are those of a sentence, its chosen token, for the place of the usual one or None.
    """
    fits = len(chosen) == 2 and max(chosen) < length
    t = chosen[0] if fits else length - 1
    if token is not None:
        t = min(token(t if fits else None), length - 1)
    return t, chosen[1] if fits else max(t - USUAL_DISTANCE, 0)
