"""Translate: an encoder reads a sentence once; a decoder writes its translation and looks back at it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from traitlets import Bool, Enum, Float, Int, Unicode

from views.by_page.of_run import LiveViewOfRun
from views.models.translate import beam, forcing, mistakes, steps, wiring
from views.models.translate.pair import Pair, of_run
from views.models.translate.translation import Choice, Translation
from views.view import Needs, View


class LiveViewOfTranslation(LiveViewOfRun):
    """A view of a sentence and its translation. Its equations work out one word, of whatever part."""

    needs: ClassVar[Needs] = Translation.needs
    kinds: ClassVar[tuple[str, ...]] = ("encoder-decoder",)
    step = Int(-1, min=-1, help="how many words are written, 0 for none; by default all")
    layer = Int(-2, min=-2, help="the decoder layer that looks back; -1 for the mean of all")
    head = Int(-1, min=-1, help="the head that looks back; -1 for the mean of all")
    order = Enum(("reading", "time"), "reading", help="how Urdu is written: from the right, or as it came")
    width = Int(4, min=1, max=8, help="the beginnings that a beam search keeps")
    alpha = Float(1.0, min=0.0, max=2.0, help="how a beam search weighs length")
    pruned = Bool(False, help="whether the tree has all dropped beginnings")
    truth = Unicode("", help="the true translation; by default one by hand, or the model's own")

    def choice(self, pair: Pair) -> Choice:
        """What is chosen of a pair."""
        search = self.width, self.alpha, self.pruned
        return Choice(self.step, self.layer, self.head, self.order, *search, self.truth.strip())


class Steps(LiveViewOfTranslation):
    """The translation word by word, with lines back to the sentence."""

    part: ClassVar[tuple[str, ...]] = ("steps",)

    def choice(self, pair: Pair) -> Choice:
        self.chosen("head", pair.config.n_heads, -1)
        count, layers = len(pair.written), pair.config.n_decoder_layers
        step = min(self.step, count) if self.step >= 0 else max(count - 1, 1)
        layer = -1 if self.layer == -1 else self.chosen("layer", layers, steps.aligned_layer(pair))
        return replace(super().choice(pair), step=step, layer=layer)

    def view(self) -> View:
        pair = of_run(self.run)
        return steps.Steps(pair, self.choice(pair))


class Wiring(LiveViewOfTranslation):
    """What each decoder layer receives of the encoder."""

    part: ClassVar[tuple[str, ...]] = ("wiring",)

    def view(self) -> View:
        pair = of_run(self.run)
        return wiring.Wiring(pair, self.choice(pair))


class Beam(LiveViewOfTranslation):
    """The tree of a beam search."""

    part: ClassVar[tuple[str, ...]] = ("beam",)

    def view(self) -> View:
        pair = of_run(self.run)
        return beam.BeamSearch(pair, self.choice(pair))


class Forcing(LiveViewOfTranslation):
    """The decoder over the true translation, as in training."""

    part: ClassVar[tuple[str, ...]] = ("forcing",)

    def view(self) -> View:
        pair = of_run(self.run)
        return forcing.TeacherForcing(pair, self.choice(pair))


class Mistakes(LiveViewOfTranslation):
    """What the translator gets wrong."""

    part: ClassVar[tuple[str, ...]] = ("mistakes",)

    def view(self) -> View:
        pair = of_run(self.run)
        return mistakes.Mistakes(pair, self.choice(pair), judged=mistakes.judged_for(self.run.model.card))
