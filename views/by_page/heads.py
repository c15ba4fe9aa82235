"""Heads: where every head of the model looks, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from traitlets import Enum, Float, Int, Tuple, Unicode

from model import GlassformerError
from views.attention import all_heads, by_turn, compare, lines, matrix, measures, query_key, rollout, why_there
from views.attention import sweep as sweeping
from views.by_page.many_texts import AllHeadsOfTexts as AllHeadsOfTexts
from views.by_page.many_texts import BesideOnTexts as BesideOnTexts
from views.by_page.many_texts import PointsOfTexts as PointsOfTexts
from views.by_page.many_texts import RuleOnTexts as RuleOnTexts
from views.by_page.many_texts import WritesOnTexts as WritesOnTexts
from views.by_page.many_texts_head import HeadOverTexts as HeadOverTexts
from views.by_page.of_head import LiveViewOfHead
from views.head_of_run import KEEP, HeadOfRun
from views.head_tiles import kinds_of
from views.run import make_run
from views.shared import turn_shares
from views.shared.examples import EXAMPLES
from views.view import Needs, View

HIDDEN = ("nothing", "special", "sink", "special and sink")


class LiveViewOfAnyHead(LiveViewOfHead):
    """A view of a head that may have no pair."""

    needs_pair: ClassVar[bool] = False


class Lines(LiveViewOfAnyHead):
    """A line from each query to the keys that it looks at, thick where the weight is large."""

    part: ClassVar[tuple[str, ...]] = ("Lines",)
    shown = Tuple(help="the heads of the layer whose lines are drawn; by default the chosen one")
    least = Float(0.03, min=0, max=0.5, help="lines of a smaller weight are not drawn")
    hide = Enum(HIDDEN, "nothing", help="keys that get no lines")
    layout = Enum(("down", "across"), "down", help="how the two sentences are written")

    def view(self) -> View:
        head = self.head_of_run()
        choice = lines.LineChoice.of(head, self.shown, self.least, self.hide, self.layout, self.key)
        return lines.Lines(head, choice, self.part_of(head))


class Matrix(LiveViewOfAnyHead):
    """The weights or the scores of one head, a row for each query and a column for each key."""

    part: ClassVar[tuple[str, ...]] = ("Matrix",)
    values = Enum(("Weights", "Scores"), "Weights", help="what a cell shows")

    def view(self) -> View:
        head = self.head_of_run()
        return matrix.HeadMatrix(head, self.values.lower(), self.readable_part_of(head))


class AllHeads(LiveViewOfAnyHead):
    """Every head of an attention as a small picture, sorted by what it does."""

    part: ClassVar[tuple[str, ...]] = ("All heads",)
    sort = Enum(
        ("layer", "previous", "first", "self", "same", "strongest", "spread"), "layer", help="the order of the heads"
    )

    def view(self) -> View:
        head = self.head_of_run()
        orders = ("layer", *(kind.key for kind in kinds_of(head.at.part)))
        if self.sort not in orders:
            raise GlassformerError(f"These heads are not sorted by {self.sort}, but by {', '.join(orders)}.")
        return all_heads.AllHeads(head, self.sort)


class QueryKey(LiveViewOfAnyHead):
    """The products of a query and a key, feature by feature."""

    part: ClassVar[tuple[str, ...]] = ("Query-key",)

    def view(self) -> View:
        return query_key.QueryKey(self.head_of_run())


class WhyThere(LiveViewOfAnyHead):
    """Why a head looks from a query to a key: their score as a sum over the parts of the model that made the two."""

    needs: ClassVar[Needs] = staticmethod(why_there.keep)
    part: ClassVar[tuple[str, ...]] = ("Why there",)
    against = Int(-1, min=-2, help="the place of another key; -1: the mean of all keys, -2: nothing")

    def view(self) -> View:
        head = self.head_of_run()
        if self.against >= 0:
            self.chosen("against", len(head.key_tokens), -1)
        return why_there.WhyThere(head, self.against)


class Compare(LiveViewOfAnyHead):
    """Two heads, or two sentences in one head, side by side and subtracted."""

    part: ClassVar[tuple[str, ...]] = ("Compare",)
    beside = Enum(
        (compare.OTHER_HEAD, compare.OTHER_SENTENCE), compare.OTHER_HEAD, help="what it is compared with"
    ).tag(key="heads_with")
    layer2 = Int(-1, min=-1, help="the layer of the other head; by default the same")
    head2 = Int(-1, min=-1, help="the other head; by default the next one")
    text2 = Unicode("", help="the other sentence, with as many tokens as the first")

    def view(self) -> View:
        head = self.head_of_run()
        return compare.Compared(head, self._other(head), self.readable_part_of(head))

    def _other(self, head: HeadOfRun) -> HeadOfRun:
        if self.beside == compare.OTHER_SENTENCE:
            if not self.text2.strip():
                raise GlassformerError("Give a second sentence, text2, with as many tokens as the first.")
            return compare.in_run(head, make_run(self.run.model, self.text2, KEEP))
        layer = self.chosen("layer2", head.n_layers, head.at.layer)
        other = self.chosen("head2", head.config.n_heads, (head.head + 1) % head.config.n_heads)
        return HeadOfRun(head.run, head.at.in_layer(layer), other)


class Measures(LiveViewOfAnyHead):
    """What every head does, in numbers."""

    part: ClassVar[tuple[str, ...]] = ("What they do", "measures")

    def view(self) -> View:
        return measures.Measures(self.head_of_run())


class ByTurn(LiveViewOfAnyHead):
    """How much a head looks at each turn of a conversation, or at each role, and which heads do most."""

    part: ClassVar[tuple[str, ...]] = ("What they do", "turns")
    asked = Enum(turn_shares.ASKED, turn_shares.ALL, help=turn_shares.ASKED_HELP)
    summed = Enum(turn_shares.SUMMED, turn_shares.BY_TURN, help=turn_shares.SUMMED_HELP)

    def view(self) -> View:
        return by_turn.ByTurn(self.head_of_run(), self.asked, self.summed)


class Rollout(LiveViewOfAnyHead):
    """Attention rollout: how much of each first token is in each last one, if attention were all."""

    part: ClassVar[tuple[str, ...]] = ("What they do", "rollout")
    hide = Enum(HIDDEN, "nothing", help='"sink" leaves out the first token')

    def view(self) -> View:
        head = self.head_of_run()
        return rollout.Rollout(head, "sink" in self.hide, self.part_of(head))


class Sweep(LiveViewOfAnyHead):
    """What is lost without each head, measured by taking each away."""

    part: ClassVar[tuple[str, ...]] = ("What they do", "sweep")
    is_measured: ClassVar[bool] = True
    sweep = Enum(sweeping.MEASURED_ON, sweeping.YOUR_SENTENCE, help="on which sentences it is measured")

    def view(self) -> View:
        texts = EXAMPLES if self.sweep == sweeping.THE_EXAMPLES else ()
        found = self.kept("harms", texts, lambda: sweeping.sweep_heads(self.head_of_run(), texts))
        return replace(found, head=self.head_of_run())
