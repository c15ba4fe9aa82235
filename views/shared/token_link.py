"""Which tokens of two runs stand for the same characters of their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.tokens.overlap import overlaps, spans_of

if TYPE_CHECKING:
    from model import Model
    from model.tokens.tokenizer import Token
    from views.run import Run

Places = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TokenLink:
    """For each token of a first run its places in a second one (`there`), and for each of the second those in the first
    one (`back`). A token without places has none on the other side."""

    there: Places = ()
    back: Places = ()

    @classmethod
    def of(cls, first: Run, second: Run) -> TokenLink:
        """Of two runs of a text. The tokens of a translation are linked where both have the same."""
        tokens = read_by(first), read_by(second)
        if same_tokens(*tokens):
            return cls.same(len(tokens[0]))
        return cls.of_text(first.model, second.model, first.text)

    @classmethod
    def same(cls, count: int) -> TokenLink:
        """Of two runs of the same tokens."""
        places = tuple((place,) for place in range(count))
        return cls(places, places)

    @classmethod
    def of_text(cls, first: Model, second: Model, text: str) -> TokenLink:
        """Of a text that two models read. Raises `UnreadableText`."""
        mine, other = spans_of(first.tokenizer, text), spans_of(second.tokenizer, text)
        return cls(overlaps(mine, other), overlaps(other, mine))

    def find_there(self, place: int) -> int:
        """The first place in the second run of a token of the first one; -1 for none."""
        return _first(self.there, place)

    def find_back(self, place: int) -> int:
        """The first place in the first run of a token of the second one; -1 for none."""
        return _first(self.back, place)


def read_by(run: Run) -> Sequence[Token]:
    """The tokens of the text that a model reads."""
    return run.trace.source_tokens or run.trace.tokens


def same_tokens(first: Iterable[Token], second: Iterable[Token]) -> bool:
    """Whether two texts fall into the same tokens, by the same names and numbers."""
    return [(each.id, each.text) for each in first] == [(each.id, each.text) for each in second]


def _first(places: Places, place: int) -> int:
    found = places[place] if 0 <= place < len(places) else ()
    return found[0] if found else -1
