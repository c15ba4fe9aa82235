"""Heads: where every head of the model looks, and why."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Float, Tuple

from views.attention import lines, matrix
from views.by_page.of_head import LiveViewOfHead


class Lines(LiveViewOfHead):
    """A line from each query to the keys that it looks at, thick where the weight is large."""

    page: ClassVar[str] = "heads"
    shown = Tuple(help="the heads of the layer whose lines are drawn; by default the chosen one")
    least = Float(0.03, min=0, max=0.5, help="lines of a smaller weight are not drawn")
    hide = Enum(("nothing", "special", "sink", "special and sink"), "nothing", help="keys that get no lines")
    layout = Enum(("down", "across"), "down", help="how the two sentences are written")

    def view(self) -> lines.Lines:
        head = self.head_of_run()
        choice = lines.LineChoice.of(head, self.shown, self.least, self.hide, self.layout, self.key)
        return lines.Lines(head, choice, self.part_of(head))


class Matrix(LiveViewOfHead):
    """The weights or the scores of one head, a row for each query and a column for each key."""

    page: ClassVar[str] = "heads"
    values = Enum(("Weights", "Scores"), "Weights", help="what a cell shows")

    def view(self) -> matrix.HeadMatrix:
        head = self.head_of_run()
        return matrix.HeadMatrix(head, self.values.lower(), self.part_of(head))
