"""How far each head of one model looks elsewhere than the same head of another one, over the same tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from views.head_of_run import HeadOfRun
from views.parts import Chart, DataTable, Draw, Files
from views.view import View, heading
from viz.attention.many_texts_rule import rule_map_figure
from viz.shared.style import percent

MEANING = "the share of its attention that a query gives to other keys, on average"


@dataclass(frozen=True)
class HeadsMoved(View):
    """The share of the attention of each head that lies on other keys in the `other` run, which has the same tokens."""

    head: HeadOfRun
    other: HeadOfRun

    @cached_property
    def moved(self) -> Array:
        """Half of the sum of the differences of a query's weights, as a mean over queries: (layers, heads), 0..1."""
        layers = [self._moved_in(layer) for layer in range(self.head.n_layers)]
        return np.stack(layers)

    def _moved_in(self, layer: int) -> Array:
        change = self.head.layer_weights(layer) - self.other.layer_weights(layer)  # (heads, queries, keys)
        moved: Array = (change.abs().sum(-1).mean(-1) / 2).numpy()
        return moved

    def picture_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().number_parts()]

    def _heading(self) -> Any:
        return heading(self.head.run.title, self.other.run.title)

    def picture(self) -> Chart:
        alt = "How far each head looks elsewhere in the two models, layers downwards and heads across"
        return Chart(self._draw(), alt, key="heads moved", pick=_pick_head)

    def _draw(self) -> Draw:
        return partial(rule_map_figure, self.moved, (self.head.at.layer, self.head.head))

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 3)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each head, the farthest first."""
        rows = [
            {"layer": layer, "head": head, "moved": float(share)}
            for layer, shares in enumerate(self.moved)
            for head, share in enumerate(shares)
        ]
        return sorted(rows, key=lambda row: -float(row["moved"]))

    def caption(self) -> str:
        most = self.rows()[0]
        return (
            f"Each cell is a head, and its colour {MEANING}. Most of all layer {most['layer']}, head {most['head']}: "
            f"{percent(most['moved'])}. In the middle {percent(float(np.median(self.moved)))}. Click a head to open it."
        )

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.head.run.name}-heads-compared", draw, draw, self.rows, lambda: {"moved": self.moved})


def _pick_head(point: Mapping[str, Any]) -> dict[str, Any]:
    return {"layer": int(point["y"]), "head": int(point["x"]), "heads_shown": (), "heads_view": "Lines"}
