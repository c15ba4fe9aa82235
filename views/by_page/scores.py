"""Scores: attention in one head, step by step, and why each step is there."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Float, Int, Unicode

from views.attention.scores import geometry, scale, similarity, steps, table, temperature
from views.by_page.live_view import LiveView
from views.by_page.of_head import LiveViewOfHead
from views.head_of_run import KEEP, HeadOfRun
from views.run import make_run
from views.shared import windows
from views.view import View


class Steps(LiveViewOfHead):
    """One step of a head, from its input to its part of the output."""

    part: ClassVar[tuple[str, ...]] = ("steps",)
    step = Enum(tuple(steps.STEPS), "project", help="the step that is open")
    of = Enum(("q", "k", "v"), "q", help="whose projection is shown, in a step that has all three")

    def view(self) -> View:
        head = self.head_of_run()
        names = steps.steps_of(head)
        name = self.chosen_name("step", names, names[0])
        return steps.open_step(head, name, self.of, self.part_of(head))


class Similarity(LiveViewOfHead):
    """From the similarity of the words to the weights of the head."""

    part: ClassVar[tuple[str, ...]] = ("similarity",)

    def view(self) -> View:
        head = self.head_of_run()
        return similarity.Similarity(head, self.part_of(head))


class Scale(LiveView):
    """Why the scores are divided by the root of d_k: products of random vectors of many widths. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("scale",)
    width = Int(64, min=1, max=1024, help="the width that is marked; the nearest power of two")
    seed = Int(0, min=0, max=9999, help="of the random vectors")

    def view(self) -> View:
        return scale.Scale(scale.nearest_width(self.width), self.seed)


class Temperature(LiveViewOfHead):
    """The weights of one query at another temperature."""

    part: ClassVar[tuple[str, ...]] = ("temperature",)
    temperature = Float(0.5, min=0.05, max=5.0, help="what the scores are divided by before the softmax")

    def view(self) -> View:
        head = self.head_of_run()
        shown = windows.window_if_long(len(head.keys), self.columns, at=head.key)
        return temperature.Temperature(head, self.temperature, shown)


class Table(LiveViewOfHead):
    """A table of weights by hand, beside the head over the same four words."""

    part: ClassVar[tuple[str, ...]] = ("table",)
    table = Unicode("", help="sixteen weights with commas between them; by default those of Shamsi (2024)")

    def view(self) -> View:
        head = self.head_of_run()
        beside = make_run(self.run.model, table.SENTENCE, KEEP, target=self.run.target)
        return table.WeightTable(head, table.rows_of(self.table), HeadOfRun(beside, head.at, head.head))


class Geometry(LiveViewOfHead):
    """The scores as lengths and angles of a query and the keys."""

    part: ClassVar[tuple[str, ...]] = ("geometry",)

    def view(self) -> View:
        return geometry.Geometry(self.head_of_run())
