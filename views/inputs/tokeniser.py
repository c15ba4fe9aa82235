"""The pieces of the reader's sentence, how one word is cut, and the pieces of every tokeniser here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.tokens import spelling
from views.inputs.both_cuts import BothCuts
from views.inputs.every_tokeniser import EveryTokeniser, OddTexts
from views.inputs.sentence_pieces import SentencePieces
from views.inputs.word_steps import WordSteps
from views.parts import Source
from views.run import Run
from views.view import View, equation


@dataclass(frozen=True)
class Tokeniser(View):
    """A sentence and one of its words; neither, where the model's tokenizer cannot cut it. The others may."""

    sentence: SentencePieces | None
    word: WordSteps | None
    every: EveryTokeniser
    odd: OddTexts

    def about(self) -> Run | None:
        return None if self.sentence is None else self.sentence.cut.run

    def minus(self, other: Tokeniser) -> BothCuts | None:
        if self.sentence is None or other.sentence is None:
            return None
        return BothCuts(self.sentence.cut, other.sentence.cut)

    def picture_parts(self) -> Sequence[Any]:
        return [each for each in (self.sentence, self.word, self.every, self.odd) if each is not None]

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"(a, b)^* = \arg\min_{(a, b) \in \text{neighbours}} \mathrm{rank}(a, b), \qquad a\,b \to ab",
                "Byte-pair encoding. Each step merges the two neighbours that were merged first in training, until no "
                "pair is in the table. Sennrich et al. (2016), arXiv:1508.07909.",
            ),
            *equation(
                r"\text{piece}_1 = \text{the longest prefix of the word in the vocabulary, and so on with the rest}",
                "WordPiece. Wu et al. (2016), arXiv:1609.08144. A piece within a word begins with ##.",
            ),
            *equation(
                r"x^* = \arg\max_{x_1 \dots x_n \,=\, \text{text}} \ \sum_i \log p(x_i)",
                "Unigram model, in SentencePiece: the likeliest of all ways to cut the text into known pieces. Kudo "
                "(2018), arXiv:1804.10959.",
            ),
            *(() if self.word is None else (self.word,)),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [Source(spelling)]
