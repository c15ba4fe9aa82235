"""How the tokenisers of all installed models cut texts. One that cannot be read takes no other away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from model import available, load_tokenizer
from model.errors import GlassformerError
from model.tokens.tokenizer import Token, Tokenizer

ERRORS = (GlassformerError, OSError)  # of files, and of texts that a tokeniser cannot cut
Cut = tuple[Token, ...] | Exception


@dataclass(frozen=True)
class Cuts:
    """How one tokeniser cuts some texts: each into tokens, or the error that says why not.

    `vocabulary`: the number of its pieces; None where its files cannot be read.
    """

    vocabulary: int | None
    of_texts: Sequence[Sequence[Token] | Exception]


CutByAll = Callable[[Sequence[str]], Mapping[str, Cuts]]  # by the titles of the models


def read_tokeniser(name: str) -> Tokenizer | Exception:
    """The tokeniser of a model, without the model's weights; or the error that says why there is none."""
    try:
        return load_tokenizer(name)
    except ERRORS as error:
        return error


def cut_by_all(
    texts: Sequence[str],
    read: Callable[[str], Tokenizer | Exception] = read_tokeniser,
    in_turn: Callable[[Iterable[Cut]], list[Cut]] = list,
) -> dict[str, Cuts]:
    """How each tokeniser cuts texts, by the titles of the models. `in_turn` makes the list of what is cut."""
    found = {}
    for card in available():
        if card.ready and not card.name.startswith("tiny-lm-"):  # the variants of tiny-lm share its tokeniser
            tokeniser = read(card.name)
            size = None if isinstance(tokeniser, Exception) else tokeniser.size
            found[card.title] = Cuts(size, in_turn(_cut(tokeniser, text) for text in texts))
    return found


def _cut(tokeniser: Tokenizer | Exception, text: str) -> Cut:
    """The tokens of a text, or the error that says why there are none."""
    if isinstance(tokeniser, Exception):
        return tokeniser
    try:
        return tokeniser.encode(text, add_special=False)
    except ERRORS as error:
        return error
