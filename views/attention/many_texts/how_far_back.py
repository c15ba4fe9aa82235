"""How far back the chosen head looks, over all texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.reading import Reading
from model.surveys.tally import REACH
from views.attention.many_texts.head_view import ViewOfOneHead
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.many_texts_head import distance_figure
from viz.shared.style import count_noun, percent

AT_NEXT = "the share of weight on the token before"


@dataclass(frozen=True)
class HowFarBack(ViewOfOneHead):
    """The weight of a head of self-attention by distance. Places of the first token and of the query itself are left
    out."""

    @cached_property
    def shares(self) -> tuple[Array, Array]:
        """Distances in tokens back, and the share of weight at each: up to the last that has some."""
        distances, shares = self.reading.by_distance(self.attention, self.head.at.layer, self.head.head)
        used = np.flatnonzero(shares)
        part = slice(int(used.min(initial=REACH + 1)), int(used.max(initial=REACH)) + 1)
        return distances[part], shares[part]

    def told(self) -> Mapping[str, float | str]:
        return {AT_NEXT: self._at(1)}

    def _at(self, distance: int) -> float:
        distances, shares = self.shares
        return float(shares[distances == distance].sum())

    def picture(self) -> Chart:
        return Chart(self._draw(), f"The share of the weight of {self.head.place} at each distance", "heads distances")

    def _draw(self) -> Draw:
        distances, shares = self.shares
        return partial(distance_figure, distances, shares, [_say(int(each)) for each in distances])

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), {"share of weight": 4}, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        distances, shares = self.shares
        return [
            {"tokens back": int(distance), "place": _say(int(distance)), "share of weight": float(share)}
            for distance, share in zip(distances, shares, strict=True)
        ]

    def caption(self) -> str:
        distances, shares = self.shares
        if not shares.any():
            return self.none_found()
        best = int(shares.argmax())
        near, halfway = np.argsort(np.abs(distances), kind="stable"), 0.5
        reach = int(np.abs(distances)[near][np.searchsorted(np.cumsum(shares[near]), halfway - 1e-9)])
        most, share = _say(int(distances[best])), percent(float(shares[best]))
        return (
            f"{self.name_of_head} has most weight {most}: {share}. Half of it is at most "
            f"{count_noun(reach, 'token')} away. The first token and the query itself are left out."
        )

    def formula(self) -> Sequence[Any]:
        shares = equation(
            r"s(\delta) = \frac{\sum_t \sum_i A_{i,\, i - \delta}}{\sum_t \sum_i \sum_{j \neq 0, i} A_{ij}}",
            "The weight at a distance over that at all, from all texts.",
            {
                "A": f"the weights of {self.head.place} on text t",
                r"\delta": f"tokens back; what is farther away than {REACH} counts as {REACH}",
            },
        )
        distances, found = self.shares
        if not found.any():
            return shares
        best = int(found.argmax())
        weights = self.tally.by_distance[self.head.at.layer, self.head.head]
        weight, total = float(weights[REACH + int(distances[best])]), float(weights.sum())
        worked = rf"s({int(distances[best])}) = \frac{{{tex(weight)}}}{{{tex(total)}}} = {tex(float(found[best]))}"
        return [*shares, *work_out(f"The largest share is {_say(int(distances[best]))}:", worked)]

    def code(self) -> Sequence[Any]:
        return [Reading.by_distance]

    def files(self) -> Files:
        draw, (distances, shares) = self._draw(), self.shares
        arrays = {"tokens_back": distances, "share": shares}
        return Files(f"{self.head.file_name}-distance", draw, draw, self._rows, lambda: arrays)


def _say(distance: int) -> str:
    """ "3 tokens back", "1 token ahead"."""
    away = count_noun(abs(distance), "token") + (" or more" if abs(distance) == REACH else "")
    return f"{away} {'back' if distance > 0 else 'ahead'}"
