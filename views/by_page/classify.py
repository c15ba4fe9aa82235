"""Classify: the uses of an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from traitlets import Enum, Int, Unicode

from model import GlassformerError, Model, available
from model.config import TransformerConfig
from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded
from views.by_page.of_run import LiveViewOfRun
from views.models.classify import kinds, labels, sentences, words
from views.models.classify.lines import lines_of
from views.run import Run, make_run
from views.view import Needs, View

EMBEDDER = "minilm-l6"
Keep = Callable[[TransformerConfig], Iterable[str]]


class Kinds(LiveViewOfRun):
    """The sentence in a model of each kind: who sees whom. The model of the run stands for its kind."""

    part: ClassVar[tuple[str, ...]] = ("kinds",)
    needs: ClassVar[Needs] = staticmethod(kinds.keep)

    def view(self) -> View:
        cards = available()
        models = tuple(kinds.models_of(kind, cards) for kind in kinds.KINDS)
        return kinds.ThreeKinds(tuple(map(self._run, kinds.KINDS)), models)

    def _run(self, kind: kinds.Kind) -> Run:
        is_own = self.run.config.kind == kind.key
        if is_own and self.run.target is None:
            return self.run
        return make_run(self.run.model if is_own else loaded(kind.example), self.run.text, kinds.keep)


class Labels(LiveViewOfRun):
    """The classes of a text and of its words, or the word that a mask hides. The bundled classifier stands in for a
    model that has none of them."""

    part: ClassVar[tuple[str, ...]] = ("labels",)
    needs: ClassVar[Needs] = labels.KEEP
    token = Int(0, min=0, help="the token whose attention is shown; 0 for the one that gives the text's class")

    def view(self) -> View:
        run = self.run
        if labels.shows_bundled(run.model.card):
            run = make_run(loaded(labels.CLASSIFIER), run.text, labels.KEEP)
        return labels.Classes(run, self.chosen("token", len(run.trace.tokens), 0))


class Words(LiveView):
    """One word in several sentences: how alike its vectors are, layer by layer. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("words",)
    model = Enum(("minilm-l6", "tiny-encoder"), "minilm-l6", help="the encoder that reads the sentences")
    word = Unicode("bank", help="the word")
    sentences = Unicode(
        "I swam across the river to get to the other bank\nI walked across the road to get cash from the bank\n"
        "George drove to the bank\nShe fished from the bank of the river\nHe opened an account at the bank",
        help="the sentences, one a line",
    )
    reference = Int(0, min=0, help="the occurrence that the others are compared with")

    def view(self) -> View:
        model, lines = loaded(self.model), lines_of(self.sentences)
        note, found = words.find_word(model, lines, self.word.strip(), lambda shown: run_all(model, shown, words.keep))
        if found is not None and self.reference >= len(found.found):
            raise GlassformerError(f"There is no occurrence {self.reference}: there are {len(found.found)}, from 0.")
        return words.WordInContext(lines, note, found, 0 if found is None else self.reference)


class Sentences(LiveView):
    """How alike sentences are. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("sentences",)
    texts = Unicode(
        "I swam across the river to get to the other bank\nGeorge drove to the bank\nThe Transformer model is cool\n"
        "The weather is cool\nAJ's dog is a cutie\nAJ looks like a dog",
        help="the sentences, one a line",
    )

    def view(self) -> View:
        lines = lines_of(self.texts)
        return sentences.AlikeSentences(lines, run_all(loaded(EMBEDDER), lines.shown, sentences.keep))


def run_all(model: Model, lines: Sequence[str], keep: Keep) -> tuple[Run, ...]:
    """A run of each sentence. Raises `GlassformerError` for one that the model cannot read."""
    return tuple(make_run(model, line, keep) for line in lines)
