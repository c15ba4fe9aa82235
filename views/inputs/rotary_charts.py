"""The pictures of a turned query and key: one pair of features, the part of each pair, the score by distance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.analysis.rotary_pairs import RotaryPairs
from model.arrays import Array
from model.cached_property import cached_property
from views.inputs.placed_sentence import name_token
from views.parts import Chart, DataTable, Draw, Files
from views.view import View, grey
from viz.documents.page_parts import Text
from viz.inputs.positions import contributions_figure, distance_figure, rotary_figure
from viz.shared.style import number

MAX_DISTANCE_TOKENS = 64


@dataclass(frozen=True)
class TurnedPair(View):
    """One pair of the query's and of the key's features, before and after rotation."""

    pairs: RotaryPairs = field(compare=False)
    labels: list[str]
    pair: int

    @property
    def speed(self) -> float:
        """Radians per position."""
        return float(self.pairs.speeds[self.pair])

    @property
    def _names(self) -> tuple[str, str]:
        return f"q of {self.labels[self.pairs.t]}", f"k of {self.labels[self.pairs.s]}"

    def picture(self) -> Chart:
        query, key = self._names
        alt = f"Pair {self.pair} of the {query} and the {key}, before and after rotation."
        return Chart(self._draw(), alt, "positions rotary")

    def _draw(self) -> Draw:
        before, after = self.pairs.pair_before(self.pair).numpy(), self.pairs.pair_after(self.pair).numpy()
        return partial(rotary_figure, before, after, self._names, self.pair)

    def caption(self) -> str:
        pairs, speed = self.pairs, self.speed
        query, key = (name_token(self.labels, place) for place in (pairs.t, pairs.s))
        return (
            f"The :blue[query] of {query} is turned by ω·{pairs.t} = {_degrees(speed * pairs.t)}, the "
            f":orange[key] of {key} by ω·{pairs.s} = {_degrees(speed * pairs.s)}: the angle between them "
            f"changes by {_degrees(speed * pairs.distance)}, that of their distance {pairs.distance}. "
            f"{self._say_lengths()}"
        )

    def _say_lengths(self) -> str:
        """What the turn does with the lengths of a pair."""
        gain = float(self.pairs.gains[self.pair])
        return "Their lengths stay." if gain == 1 else f"Their lengths are multiplied by {number(gain)}, as in YaRN."

    def files(self) -> Files:
        pairs, draw = self.pairs, self._draw()
        vectors = {"q": pairs.q, "k": pairs.k, "turned_q": pairs.turned_q, "turned_k": pairs.turned_k}
        return Files("positions-rotary", draw, draw, self._rows, lambda: vectors)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each feature of the query and the key."""
        columns = (self.pairs.q, self.pairs.k, self.pairs.turned_q, self.pairs.turned_k)
        names = ("q", "k", "q turned", "k turned")
        return [
            {"feature": feature} | dict(zip(names, row, strict=True))
            for feature, row in enumerate(torch.stack(columns, dim=1).tolist())
        ]


@dataclass(frozen=True)
class Contributions(View):
    """The part of each pair in the score. One `pair` is singled out."""

    pairs: RotaryPairs = field(compare=False)
    pair: int

    def picture_parts(self) -> Sequence[Any]:
        return [Text("**What each pair adds to this score**"), *super().picture_parts()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The part of each pair of features in the score.", "positions rotary pairs")

    def _draw(self) -> Draw:
        return partial(contributions_figure, self.pairs.contributions().numpy(), self.pair)

    def caption(self) -> str:
        parts = self.pairs.contributions()
        largest = int(parts.abs().argmax())
        return (
            f"Pair {largest} weighs most, {number(float(parts[largest]), 2)}. All {len(parts)} together give "
            f"{number(float(parts.sum()), 3)}; the model's own score is {number(self.pairs.score, 3)}."
        )

    def files(self) -> Files:
        draw, parts = self._draw(), self.pairs.contributions()
        rows = partial(self._table().to_dict, "records")
        return Files("positions-rotary-pairs", draw, draw, rows, lambda: {"added": parts})

    def number_parts(self) -> Sequence[Any]:
        recomputed, score = float(self.pairs.contributions().sum()), self.pairs.score
        said = (
            f"The last column sums to {number(recomputed, 4)}; the model's own score is {number(score, 4)}, a "
            f"difference of {number(abs(recomputed - score), 2)}."
        )
        return [self.table(), self.files(), *grey(said)]

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        """One row for each pair of features."""
        speeds, (q, k) = self.pairs.speeds.numpy(), self.pairs.lengths()
        return pd.DataFrame(
            {
                "pair": range(len(speeds)),
                "ω": speeds,
                "|q|": q.numpy(),
                "|k|": k.numpy(),
                "ω(t − s), degrees": np.degrees(speeds * self.pairs.distance),
                "without rotation": self.pairs.unturned_contributions().numpy(),
                "adds to the score": self.pairs.contributions().numpy(),
            }
        )


@dataclass(frozen=True)
class DistanceCurve(View):
    """The score that the same query and key would have at every distance."""

    pairs: RotaryPairs = field(compare=False)

    @cached_property
    def curve(self) -> Array:
        """(distances,)"""
        return self.pairs.scores_by_distance(MAX_DISTANCE_TOKENS).numpy()

    @property
    def peak(self) -> int:
        """The distance with the highest score."""
        return int(self.curve.argmax())

    def picture_parts(self) -> Sequence[Any]:
        title = Text("**The score of the same query and key at every distance**")
        return [title, *super().picture_parts()]

    def picture(self) -> Chart:
        alt = f"Score by distance; here, {self.pairs.distance} apart, it is {number(self.pairs.score)}."
        return Chart(self._draw(), alt, "positions rotary distance")

    def _draw(self) -> Draw:
        here = self.pairs.distance, self.pairs.score
        return partial(distance_figure, np.arange(len(self.curve)), self.curve, here)

    def caption(self) -> str:
        best = self.peak
        return (
            f"Same q, same k, only moved apart. The curve is highest at distance {best} "
            f"({number(float(self.curve[best]), 2)}); the dot is the score in your sentence, "
            f"{number(self.pairs.score, 3)} at distance {self.pairs.distance}."
        )

    def files(self) -> Files:
        rows = [{"distance": far, "score": float(score)} for far, score in enumerate(self.curve)]
        draw = self._draw()
        return Files("positions-rotary-distance", draw, draw, lambda: rows, lambda: {"scores": self.curve})


def _degrees(radians: float) -> str:
    return f"{number(math.degrees(radians), 1)}°"
