"""Before attention: the reasons for it, in recurrent networks that come with the project."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from traitlets import Bool, Enum, Int, Unicode

from model import GlassformerError
from model.recurrent.blank import split, train_readers
from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded
from views.by_page.of_run import LiveViewOfRun
from views.learning.before_attention import memory, order, shapes
from views.learning.before_attention.both import FilledBlank
from views.learning.before_attention.lengths import compare_lengths
from views.learning.before_attention.sentence import OneSentence
from views.learning.before_attention.translators import Answer, translate_all
from views.run import make_run
from views.shared.examples import DEFAULT_SENTENCE
from views.view import View

train_once = lru_cache(maxsize=1)(train_readers)
measure_once = lru_cache(maxsize=1)(memory.measure_reach)


class LiveViewOfTranslators(LiveView):
    """A view of an English sentence in three translators, which it opens by itself. It takes no run."""

    text = Unicode(DEFAULT_SENTENCE, help="the sentence")

    def answers(self) -> tuple[Answer, Answer, Answer]:
        """What each makes of the sentence."""
        return translate_all(self.text, lambda name, text, keep: make_run(loaded(name), text, keep))


class Sentence(LiveViewOfTranslators):
    """One sentence in three translators: what each decoder has of it."""

    part: ClassVar[tuple[str, ...]] = ("sentence",)
    step = Int(-1, min=-1, help="how many words are written; by default all")
    layer = Int(-1, min=-1, help="the layer of the transformer; by default 1")

    def view(self) -> View:
        answers = self.answers()
        longest, layers = max(len(each.pair.written) for each in answers), answers[-1].pair.config.n_decoder_layers
        if self.layer >= layers:
            raise GlassformerError(f"There is no layer {self.layer}: there are {layers}, from 0 to {layers - 1}.")
        step = self.step if 0 < self.step <= longest else longest
        return OneSentence(answers, step, min(1, layers - 1) if self.layer < 0 else self.layer)


class Length(LiveView):
    """How well three translators do with longer sentences. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("length",)

    def view(self) -> View:
        return compare_lengths()


class Memory(LiveView):
    """How far back the gradient of a word reaches in three networks. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("memory",)
    networks = Enum(("trained", "fresh", "trained and fresh"), "trained and fresh", help="the networks that are shown")
    relative = Bool(True, help="relative to the gradient of the last token itself")

    def view(self) -> View:
        return memory.Reach(measure_once(), self.networks, self.relative)


class Order(LiveViewOfRun):
    """The steps that must wait for each other, counted, and the times of one layer of each network."""

    part: ClassVar[tuple[str, ...]] = ("order",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        run = self.run
        size = order.SentenceSize(run.model.card.title, len(run.model.tokens_of(run.text)), run.config.d_model)
        return order.OrderOfWork(order.time_layers(), size)


class Both(LiveView):
    """Three small readers fill a blank: from the left, from the right, from both sides. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("both",)
    blank = Unicode("I am ___ tired, because I didn't sleep last night", help="a sentence with a blank, written ___")

    def view(self) -> View:
        split(self.blank)
        return FilledBlank(train_once(), self.blank)


class Shapes(LiveViewOfTranslators):
    """Three shapes of the same parts: one of a sequence, a sequence of one, a sequence of a sequence."""

    part: ClassVar[tuple[str, ...]] = ("shapes",)

    def view(self) -> View:
        run = make_run(loaded(shapes.CLASSIFIER), self.text, "text_logits")
        return shapes.Shapes(self.answers()[0], shapes.ClassOfText(run))
