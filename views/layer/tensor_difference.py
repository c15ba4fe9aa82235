"""A tensor of a layer in one model less the same tensor in another one, over the same tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor
from torch.nn.functional import cosine_similarity

from views.layer.layer_of_run import LayerOfRun
from views.parts import Chart, DataTable, Draw, Files
from views.shared import quotes
from views.view import View, heading
from viz.block.layer import tensor_figure
from viz.shared.style import number, upper_first


@dataclass(frozen=True)
class TensorDifference(View):
    """The tensor `name` of the layer of a `place` less that of an `other` place of the same shape."""

    place: LayerOfRun
    other: LayerOfRun
    name: str

    @property
    def tensors(self) -> tuple[Tensor, Tensor]:
        """(tokens, features) each."""
        return self.place.tensor(self.name), self.other.tensor(self.name)

    @property
    def change(self) -> Tensor:
        """The first less the second: (tokens, features)."""
        first, second = self.tensors
        return first - second

    def picture_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().number_parts()]

    def _heading(self) -> Any:
        return heading(self.place.run.title, self.other.run.title)

    def picture(self) -> Chart:
        alt = f"{upper_first(self.place.title(self.name))} of the first model less that of the second, as a heatmap"
        return Chart(self._draw(), alt, key="block difference")

    def _draw(self) -> Draw:
        return partial(tensor_figure, self.change.numpy(), self.place.tokens)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 3)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each token: the lengths of both vectors, that of their difference, and their cosine."""
        first, second = self.tensors
        columns = {
            "first": first.norm(dim=-1),
            "second": second.norm(dim=-1),
            "difference": self.change.norm(dim=-1),
            "cosine": cosine_similarity(first, second, dim=-1),
        }
        named = zip(self.place.tokens, *(column.tolist() for column in columns.values()), strict=True)
        return [{"token": token, **dict(zip(columns, values, strict=True))} for token, *values in named]

    def caption(self) -> str:
        rows = self.rows()
        place, farthest = min(enumerate(rows), key=lambda row: float(row[1]["cosine"]))
        middle = sorted(float(row["cosine"]) for row in rows)[len(rows) // 2]
        return (
            f"{upper_first(self.place.title(self.name))} points elsewhere most at "
            f"{quotes.quote(farthest['token'], place)}, cosine {number(farthest['cosine'], 2)}; in the middle "
            f"{number(middle, 2)}. Two models that were trained apart have features in no common order."
        )

    def files(self) -> Files:
        first, second = self.tensors
        name = f"{self.place.run.name}-{self.place.full_name(self.name).replace('.', '-')}-compared"
        arrays = {"first": first.numpy(), "second": second.numpy(), "difference": self.change.numpy()}
        return Files(name, self._draw(), self._draw(), self.rows, lambda: arrays)
