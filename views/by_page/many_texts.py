"""Views of Heads over many texts: what every head does on them, and what the chosen one does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from traitlets import Enum, Unicode

from model import Trace
from model.surveys.points import SIDES
from model.surveys.reading import Reading
from model.surveys.rule_text import read_rule
from model.surveys.trial import try_rule
from views.attention.many_texts import texts
from views.attention.many_texts.all_heads import DRAWN
from views.attention.many_texts.all_heads import AllHeadsOfTexts as AllHeads
from views.attention.many_texts.beside import beside_on_texts
from views.attention.many_texts.effect import effect_on_texts
from views.attention.many_texts.numbers import TITLES, titles_of, usual_axes
from views.attention.many_texts.other_model import possible_others
from views.attention.many_texts.points import COLOURS, points_of_texts
from views.attention.many_texts.points import PointsOfTexts as Points
from views.attention.many_texts.rule import RuleOnTexts as Rule
from views.by_page.of_head import LiveViewOfHead
from views.view import View


class LiveViewOfTexts(LiveViewOfHead):
    """A view of heads over many texts. They are read when it is first shown, or a `reading` is given."""

    stands_on: ClassVar[str] = "heads"
    needs_pair: ClassVar[bool] = False
    is_measured: ClassVar[bool] = True
    texts = Unicode("", help='"glassformer" or "small world"; by default as the model knows their words')
    text_kinds = Unicode("", help="the kinds that are read, with commas between; by default all").tag(key="heads_kinds")

    def __init__(self, run: Trace, reading: Reading | None = None, **choices: Any) -> None:
        """`reading`: of texts of your own, `survey(model, texts)`. Raises as `LiveViewOfRun`."""
        super().__init__(run, **choices)
        self._reading = reading

    def reading_of_texts(self) -> Reading:
        """What the heads do on the texts. Raises `GlassformerError` for texts that there are not."""
        if self._reading is not None:
            return self._reading
        model = self.run.model
        collection = texts.built_in(self.texts or texts.usual_texts(model), self.text_kinds)
        return self.kept("reading", collection.digest, lambda: texts.read_texts(model, collection))


class AllHeadsOfTexts(LiveViewOfTexts):
    """All heads over many texts, each a point between two of its numbers."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "All heads")
    x = Unicode("", help='across: "previous", "induction in code", "layer", ...')
    y = Unicode("", help="upwards")
    colour = Unicode("", help="the colour")
    drawn = Enum(DRAWN, DRAWN[0], help='as "histograms", y on each text is counted, and x gives the order')

    def view(self) -> View:
        head, reading = self.head_of_run(), self.reading_of_texts()
        attention = f"{head.at.stack}.{head.at.part}"
        titles = titles_of(reading, attention)
        x, y, colour = (self.chosen_name(axis, tuple(titles), usual) for axis, usual in usual_axes(titles).items())
        return AllHeads(head, reading, x, y, colour, self.drawn)


class RuleOnTexts(LiveViewOfTexts):
    """A rule of where heads look, tested on many texts: how much of the head it explains, and of all others."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "Rule")
    rule = Unicode("same-earlier", help="""such as 'same-earlier | nearest(comma, "and") | first'""")

    def view(self) -> View:
        head, reading, chosen = self.head_of_run(), self.reading_of_texts(), read_rule(self.rule)
        if chosen in reading.rules or head.at.is_cross:
            return Rule(head, reading, chosen)
        model = self.run.model
        tried = self.kept("rule", (reading, chosen), lambda: try_rule(model, reading, chosen))
        return Rule(head, reading.with_rule(chosen, tried.rule_tallies), chosen)


class PointsOfTexts(LiveViewOfTexts):
    """Queries, keys or outputs of a head on many texts, as points along their principal components."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "Points")
    side = Enum(SIDES, "queries", help="which vectors")
    tint = Enum(COLOURS, "kind", help="by what they are coloured")

    def view(self) -> View:
        head, reading = self.head_of_run(), self.reading_of_texts()
        found = self.kept(
            "points", (reading, head.at, head.head), lambda: points_of_texts(head, reading, SIDES[0], COLOURS[0])
        )
        return Points(head, reading, found.points, self.side, self.tint)


class WritesOnTexts(LiveViewOfTexts):
    """What a head writes on many texts, and what is lost without it. All texts run twice for it."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "What it writes")

    def view(self) -> View:
        head, reading = self.head_of_run(), self.reading_of_texts()
        found = self.kept("effect", (reading, head.at, head.head), lambda: effect_on_texts(head, reading))
        return replace(found, head=head)


class BesideOnTexts(LiveViewOfTexts):
    """The heads of the model beside those of another one, which reads the same texts."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "Beside")
    beside = Unicode("", help='"step 0" of its training, "whole", or the name of a model; by default what there is')
    compared = Unicode("", help="the measure that is drawn; by default what changed most")

    def view(self) -> View:
        head, reading = self.head_of_run(), self.reading_of_texts()
        others = tuple(possible_others(self.run.model))
        other = self.chosen_name("beside", others, others[0])
        found = self.kept("beside", (reading, other), lambda: beside_on_texts(head, reading, other))
        return replace(found, head=head, measure=self.chosen_name("compared", tuple(TITLES), ""))
