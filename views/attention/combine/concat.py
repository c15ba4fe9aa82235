"""The outputs of all heads as one row a token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd

from views.attention.combine.combined import Combined, feature_rows
from views.parts import Chart, DataTable, Draw, Files
from viz.attention.combine import slices_figure


@dataclass(frozen=True)
class Concat(Combined):
    """The heads side by side."""

    def picture(self) -> Chart:
        return Chart(self._draw(), f"The outputs of {self.config.n_heads} heads side by side, one row a token")

    def _draw(self) -> Draw:
        return partial(slices_figure, self.concat.numpy(), self.tokens, self.config.n_heads)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(feature_rows(self.tokens, self.concat)))

    def caption(self) -> str:
        config = self.config
        return (
            f"Each band is a head: {config.n_heads} heads × {config.head_width} features make "
            f"{self.concat.shape[1]:,}, which $W_O$ turns into the {config.d_model:,} features of the residual stream."
        )

    def files(self) -> Files:
        draw, rows = self._draw(), partial(feature_rows, self.tokens, self.concat)
        return Files(f"{self.run.name}-concat", draw, draw, rows, lambda: {"concat": self.concat})
