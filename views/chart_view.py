"""A view whose picture is one chart. Its table has the rows of the chart's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from views.parts import Chart, DataTable, Files
from views.view import View
from viz.shared.style import Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go


class ChartView(View):
    """A chart with its rows. `focus`: the elements of the page that the chart shows, as in `views.parts.Files`."""

    focus: ClassVar[tuple[str, ...]] = ()

    def draw(self, theme: Theme = "light") -> go.Figure:
        """The chart."""
        raise NotImplementedError

    def alt(self) -> str:
        """A sentence on what the chart shows."""
        raise NotImplementedError

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The numbers of the chart."""
        raise NotImplementedError

    def file_name(self) -> str:
        """What the names of its files begin with."""
        raise NotImplementedError

    def arrays(self) -> Mapping[str, Any]:
        """The arrays of its NPZ file; {} where it has none."""
        return {}

    def picture(self) -> Chart:
        return Chart(self.draw, self.alt())

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows())

    def files(self) -> Files:
        arrays = self.arrays if self.arrays() else None
        return Files(self.file_name(), self.draw, self.draw, self.rows, arrays, focus=self.focus)
