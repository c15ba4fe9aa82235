"""The whole matrix of a head over a long text, in blocks of cells. A click on a block shows its cells below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from model.arrays import Array
from views.head_of_run import HeadOfRun
from views.parts import Chart, Draw, Files
from views.shared import windows
from views.shared.quotes import quote
from views.shared.windows import MatrixPart
from views.view import View
from viz.attention.whole_matrix import BLOCKS, block_rows, blocks_figure
from viz.shared.payload import pool_edges
from viz.shared.style import number


@dataclass(frozen=True)
class WholeMatrix(View):
    """All weights or scores of a head, `values` (queries, keys). `shown`: the part that is drawn below."""

    head: HeadOfRun
    kind: str
    values: Array = field(compare=False)
    shown: MatrixPart

    def picture(self) -> Chart:
        count, wide = self.values.shape
        alt = f"All {self.kind} of {self.head.place}, {count:,} queries and {wide:,} keys"
        return Chart(self._draw(), alt, key="heads whole", pick=self._pick_block, tells_numbers=True)

    def _draw(self) -> Draw:
        return partial(blocks_figure, self.values, self.head.hidden.numpy(), self.kind, self.shown)

    def number_parts(self) -> Sequence[Any]:
        return self.picture_parts()

    def caption(self) -> str:
        head, values, (i, j) = self.head, self.values, self._largest()
        return (
            f"All {values.shape[0]:,} × {values.shape[1]:,} {self.kind}, each cell here the largest of a block: "
            f"{BLOCKS} × {BLOCKS} blocks. Largest away from the first token: {quote(head.queries[i], i)} to "
            f"{quote(head.keys[j], j)}, {number(float(values[i, j]))}. "
            "Click a block for its cells, framed here and drawn below."
        )

    def files(self) -> Files:
        rows = partial(block_rows, self.values, self.head.hidden.numpy())
        return Files(f"{self.head.file_name}-all-{self.kind}", self._draw(), self._draw(), rows)

    def _largest(self) -> tuple[int, int]:
        """The (query, key) of the largest visible value after the first key."""
        visible = np.where(self.head.hidden.numpy(), -np.inf, self.values)
        visible[:, 0] = -np.inf
        row, column = np.unravel_index(int(visible.argmax()), visible.shape)
        return int(row), int(column)

    def _pick_block(self, point: Mapping[str, Any]) -> dict[str, Any]:
        queries, keys = self.values.shape
        down, across = (int(pool_edges(size, BLOCKS)[int(point[axis])]) for size, axis in ((queries, "y"), (keys, "x")))
        return {"window": windows.around(down, queries), "columns": windows.around(across, keys)}
