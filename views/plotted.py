"""The smallest view: a figure, its numbers, a caption and its files. Larger views are made of such ones."""

from __future__ import annotations

from dataclasses import dataclass

from views.parts import Canvas, Chart, DataTable, Files
from views.view import View
from viz.documents.page_parts import Group


@dataclass(frozen=True)
class Plotted(View):
    """A `chart` at the depth Picture and its `numbers` at the depth Numbers. `said` is the caption of both."""

    chart: Chart | Canvas | Group
    numbers: DataTable
    said: str = ""
    saved: Files | None = None

    def picture(self) -> Chart | Canvas | Group:
        return self.chart

    def table(self) -> DataTable:
        return self.numbers

    def caption(self) -> str:
        return self.said

    def files(self) -> Files | None:
        return self.saved
