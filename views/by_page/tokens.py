"""Tokens: the pieces that a model reads, and their vectors."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from traitlets import Enum, Int, Unicode

from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded
from views.by_page.of_run import LiveViewOfRun
from views.inputs import glove, ladder, word_in_context
from views.inputs.cut_text import cut_text
from views.inputs.embedding import TokenVector
from views.inputs.every_tokeniser import MAX_SAMPLES, EveryTokeniser, OddTexts
from views.inputs.ratings import Ratings
from views.inputs.sentence_pieces import SentencePieces
from views.inputs.small_world import NEW_WORLD
from views.inputs.tokeniser import Tokeniser as TokeniserView
from views.inputs.word_steps import WordSteps
from views.usual_head import usual_token
from views.view import Needs, View

train_once = lru_cache(maxsize=4)(glove.train_glove)


class Tokeniser(LiveViewOfRun):
    """The sentence in its pieces, how one word was cut into them, and every other tokeniser beside it."""

    part: ClassVar[tuple[str, ...]] = ("tokeniser",)
    query = Int(-1, min=-2, help="the chosen piece, whose word is spelled")
    place = Int(-1, min=-1, help="the word that is spelled; by default that of the chosen piece")
    step = Int(0, min=-1, help="the step of its spelling; -1 for the last")
    samples = Unicode(
        "میں ایک روبوٹ ہوں\nI like 🙂 and 👍🏽\n1234567 + 0.5\nantidisestablishmentarianism\ncafé naïve",
        help="odd texts that every tokeniser cuts, one a line",
    )

    def view(self) -> View:
        run, cut = self.run, cut_text(self.run)
        lines = tuple(line for line in self.samples.splitlines() if line.strip())
        words = cut.word_of
        place = self.chosen("place", len(cut.spellings), -1) if self.place >= 0 else -1
        usual = words.index(place) if place in words else usual_token(run, run.config.stacks[0])
        piece = self.chosen("query", len(words), usual)
        word = words[piece]
        word = max(place, 0) if word is None else word
        last = len(cut.spellings[word].steps) - 1 if cut.spellings else 0
        step = self.step if 0 <= self.step <= last else last
        others = EveryTokeniser(run.text), OddTexts(lines[:MAX_SAMPLES])
        return TokeniserView(SentencePieces(cut, piece), WordSteps(cut, word, step), *others)


class Embedding(LiveViewOfRun):
    """The vector of a token, and the words whose vectors are like it."""

    part: ClassVar[tuple[str, ...]] = ("embedding",)
    needs: ClassVar[Needs] = TokenVector.needs
    query = Int(-1, min=-2, help="the place of the token")

    def view(self) -> View:
        return TokenVector(self.run, self.chosen_token(self.run.config.stacks[0]))


class Ladder(LiveView):
    """Two words as vectors, from one-hot to GloVe and to a model that reads their sentences. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("ladder",)
    word1 = Unicode("fox", help="the first word")
    word2 = Unicode("dog", help="the second word")
    rung = Enum(tuple(ladder.RUNGS), "one-hot", help="the way that is open")
    k = Int(2, min=1, max=10, help="numbers a vector, where ratings are factorised")
    window = Int(5, min=0, max=10, help="words to each side that GloVe counts as near")
    sentence1 = Unicode("The quick brown fox jumps over the lazy dog", help="the sentence of the first word")
    sentence2 = Unicode("The weather is cool and the dog sleeps", help="the sentence of the second word")

    def view(self) -> View:
        words = self.word1.strip().lower(), self.word2.strip().lower()
        at, in_context = NEW_WORLD.places(words), None
        if self.rung == "context":
            in_context = word_in_context.measure(loaded(ladder.MODEL), words, (self.sentence1, self.sentence2))
        run = train_once(self.window) if self.rung == "glove" and at is not None else None
        trained = None if at is None else glove.TrainedWords(at, self.window, run)
        return ladder.Ladder(words, self.rung, Ratings(self.k), trained, in_context)
