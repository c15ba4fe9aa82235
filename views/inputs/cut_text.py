"""A sentence in its pieces, and how its words were cut into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from model.cached_property import cached_property
from model.tokens.spelling import Spelling, spell_words
from model.tokens.tokenizer import Placed, Token, Tokenizer
from views.call import Call
from views.run import Run


@dataclass(frozen=True)
class CutText:
    """The sentence of a run. `spellings` (`model.tokens.spelling.spell_words`) say how each of its words was cut."""

    run: Run
    spellings: Sequence[Spelling] = field(compare=False)

    @property
    def tokenizer(self) -> Tokenizer:
        return self.run.model.tokenizer

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """The pieces of the sentence, and the places where they stand in it."""
        return self.tokenizer.place(self.run.text)

    @property
    def tokens(self) -> list[Token]:
        return [each.token for each in self.placed]

    @cached_property
    def word_of(self) -> list[int | None]:
        """The word of each piece. None for a token that was put around the sentence."""
        words: Iterator[int] = (place for place, each in enumerate(self.spellings) for _ in each.pieces)
        return [None if each.word is None else next(words) for each in self.placed]

    def made_by(self) -> Call:
        return Call(cut_text, (self.run,))


def cut_text(run: Run) -> CutText:
    """The sentence of a run in its pieces, with the spelling of each word."""
    return CutText(run, list(spell_words(run.model.tokenizer, run.text)))
