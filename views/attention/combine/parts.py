"""The output at one token as a sum over the heads, and the size of each head's part at every token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from views.attention.combine.combined import Combined
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import quote
from views.view import grey
from viz.attention.combine import parts_figure, sizes_figure
from viz.documents.page_parts import Group
from viz.shared.style import number

LARGEST = "the largest part, in sizes of the smallest,"


@dataclass(frozen=True)
class HeadParts(Combined):
    """What each head adds at the chosen token."""

    def told(self) -> Mapping[str, float | str]:
        sizes = self.output_sum.sizes[:, self.token]  # (heads,)
        return {LARGEST: float(sizes.max() / sizes.min())} if float(sizes.min()) > 0 else {}

    def picture_parts(self) -> Sequence[Any]:
        return [*self._focused(self.picture()), *self._sizes(), *grey(self.caption())]

    def number_parts(self) -> Sequence[Any]:
        return [*self._focused(self.table()), *grey(self.caption())]

    def _focused(self, part: Chart | DataTable) -> list[Any]:
        return [Group([part], key="combine parts"), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"What each head adds at {self.tokens[self.token]}, and their sum")

    def _draw(self) -> Draw:
        """The part of every head, the bias, and their sum."""
        output, token = self.output_sum, self.token
        bias = None if output.bias is None else output.bias.numpy()
        return partial(parts_figure, output.parts[:, token].numpy(), output.out[token].numpy(), bias)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        sizes = self.output_sum.sizes[:, self.token].tolist()
        return [{"head": head, "size of its part": size} for head, size in enumerate(sizes)]

    def files(self) -> Files:
        output, draw = self.output_sum, self._draw()
        arrays = lambda: {"parts": output.parts, "out": output.out}  # noqa: E731
        return Files(f"{self.run.name}-parts", draw, draw, self._rows, arrays)

    def _sizes(self) -> list[Any]:
        """The size of every part at every token."""
        sizes = self.output_sum.sizes  # (heads, queries)
        draw = partial(sizes_figure, sizes.numpy(), self.tokens)
        files = Files(f"{self.run.name}-sizes", draw, draw, self._size_rows, lambda: {"sizes": sizes})
        return [Chart(draw, "Size of each head's part at each token"), files]

    def _size_rows(self) -> list[dict[str, Any]]:
        by_token = zip(self.tokens, self.output_sum.sizes.T.tolist(), strict=True)
        return [{"token": token, **{f"head {head}": size for head, size in enumerate(row)}} for token, row in by_token]

    def caption(self) -> str:
        output, token = self.output_sum, self.token
        sizes = output.sizes[:, token]  # (heads,)
        largest = int(sizes.argmax())
        return (
            f"At {quote(self.tokens[token], token)} head {largest} adds most ({number(float(sizes[largest]))}). "
            f"Over all tokens, the sum of the parts and the output of attention differ by at most "
            f"{number(output.difference)}."
        )
