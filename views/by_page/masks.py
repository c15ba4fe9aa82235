"""Masks: what a query may look at, and what happens when that changes."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Int, Unicode

from model.experiments.causality import one_token
from views.attention.masks import cheat, kinds, panels, passes, row, ways
from views.attention.masks.decoders import has_decoder
from views.attention.masks.sentence import alone, batch_lines, in_batch
from views.attention.masks.two_runs import HiddenRowRuns, MaskedRuns, TwoRuns
from views.by_page.of_head import LiveViewOfHead
from views.by_page.of_run import LiveViewOfRun
from views.run import make_run
from views.shared import windows
from views.view import View

EVERY_LAYER = "every layer"
WHERE = (EVERY_LAYER, "this layer")


class LiveViewOfMask(LiveViewOfHead):
    """A view of a mask, and of the words that come next with it and without."""

    where = Enum(WHERE, EVERY_LAYER, help="the layers that have the mask")
    position = Int(-1, min=-1, help="the place whose next word is predicted; by default the last one")

    def position_of(self, runs: TwoRuns) -> int:
        """The place whose next word is predicted. Raises `GlassformerError` for one that is not there."""
        return self.chosen("position", len(runs.sentence.written), runs.sentence.last_real)


class Panels(LiveViewOfMask):
    """A mask that is chosen or painted: the scores and the weights with it and without."""

    part: ClassVar[tuple[str, ...]] = ("panels",)
    kind = Enum(
        ("", "none", "causal", "window", "padding", "causal and padding", "painted"),
        "", help="the mask; by default the model's own",
    )  # fmt: skip
    paint = Unicode("", help="a painted mask, as text: model.experiments.painted_masks.mask_to_text")
    width = Int(0, min=0, max=4096, help="the keys in a window; 0 for the usual number")
    batch = Unicode("I am a robot\nWhat time is it?", help="the sentences beside it, one a line, for padding")

    def view(self) -> View:
        head = self.head_of_run()
        kind = self.chosen_name("kind", kinds.possible_kinds(head), kinds.own_kind(head))
        others = [make_run(self.run.model, line, ()) for line in batch_lines(self.batch)] if "padding" in kind else []
        sentence = in_batch(self.run, others) if "padding" in kind else alone(self.run)
        paint = self.paint if kind == "painted" else ""
        everywhere = self.where == EVERY_LAYER
        runs = MaskedRuns(head, everywhere, sentence, kind, self.width or kinds.usual_width(head), paint)
        part = windows.part_of(tuple(runs.visible.shape), self.window, self.columns, (head.query, head.key))
        return panels.MaskPanels(head, runs, part, self.position_of(runs), panels.compare_with_alone(runs))


class Ways(LiveViewOfHead):
    """Three ways to hide a key, of which one is right."""

    part: ClassVar[tuple[str, ...]] = ("ways",)

    def view(self) -> View:
        head = self.head_of_run()
        return ways.WaysToHide(head, self.part_of(head))


class Cheat(LiveViewOfRun):
    """What changes before a word that is replaced: nothing with the causal mask, much without it."""

    part: ClassVar[tuple[str, ...]] = ("cheat",)
    is_measured: ClassVar[bool] = True
    place = Int(-1, min=-1, help="the place of the word that is replaced; by default the last one")
    word = Unicode("cat", help="the word in its place, one token")

    def view(self) -> View:
        count = len(self.run.trace.tokens)
        place = self.chosen("place", count, count - 1)
        shown = windows.window_of(count, (), at=place)
        if not has_decoder(self.run):
            return cheat.CheatingDecoder(self.run, place, None, shown)
        token = one_token(self.run.model, self.word)
        return cheat.CheatingDecoder(self.run, place, token, shown, cheat.compare_leaks(self.run, place, token))


class Row(LiveViewOfMask):
    """A query from which every key is hidden."""

    part: ClassVar[tuple[str, ...]] = ("row",)
    row = Int(-1, min=-1, help="the query that sees nothing; by default the middle one")

    def view(self) -> View:
        head = self.head_of_run()
        count = len(head.queries)
        place = self.chosen("row", count, count // 2)
        runs = HiddenRowRuns(head, self.where == EVERY_LAYER, place)
        part = windows.part_of(tuple(head.hidden.shape), self.window, self.columns, (place, head.key))
        return row.HiddenRow(head, runs, part, self.position_of(runs))


class Passes(LiveViewOfRun):
    """The time of one masked pass beside that of a pass for each prefix."""

    part: ClassVar[tuple[str, ...]] = ("passes",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        count = min(len(self.run.trace.tokens), passes.MAX_TOKENS_UNASKED)
        return passes.Passes(self.run, passes.time_passes(self.run, count) if has_decoder(self.run) else None)
