"""Matrices of the same queries and keys side by side, in a component and in print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from views.parts import Canvas, Pick, Print
from views.shared import windows
from views.shared.windows import MatrixPart, Window
from viz.print import panel_pictures
from viz.shared.panels import Panel, cut, pack_panels


@dataclass(frozen=True)
class SideBySide:
    """Panels of matrices (queries, keys). `part`: what is shown of them. `pair`: the cell that is framed.

    `across`: how many stand in a row in print.
    """

    panels: Sequence[Panel]
    queries: Sequence[str]
    keys: Sequence[str]
    part: MatrixPart
    pair: Window
    across: int = 3

    @property
    def shown(self) -> list[Panel]:
        return cut(self.panels, self.part)

    @property
    def selected(self) -> Window:
        """The framed cell as a place in the part that is shown."""
        return windows.nearest_in(self.part, self.pair)

    def canvas(
        self, key: str, title: str, identity: str, pick: Pick | None = None, *, has_sums: bool = False
    ) -> Canvas:
        """The component. Without `pick`, a framed cell is not kept. `has_sums`: each row has its sum beside it."""
        data = partial(self._pack, title, identity, has_sums)
        return Canvas("attention/matrix_panels", data, key, picks={"cell": pick or _keep_nothing})

    def _pack(self, title: str, identity: str, has_sums: bool) -> bytes:
        down, across = self.part
        return pack_panels(
            self.shown,
            self.queries[down],
            self.keys[across],
            identity=f"{identity} {down.start} {across.start}",
            title=title,
            selected=self.selected,
            sums=has_sums,
        )

    def print(self, title: str) -> Print:
        """The picture for print."""
        (down, across), shown = self.part, self.shown
        return partial(
            panel_pictures.panels_picture, shown, self.queries[down], self.keys[across], title,
            across=self.across, selected=self.selected,
        )  # fmt: skip


def _keep_nothing(cell: object) -> dict[str, int]:
    return {}
