"""A second sentence beside the reader's: the same one with a word changed, and as many tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.run import Model
    from model.tokens.tokenizer import Token

NOUNS = ("dog", "cat", "river", "house", "king", "street", "tree", "robot")
ARTICLES = ("the", "a", "an")


def swap_noun(model: Model, text: str, among: range | None = None) -> str:
    """The text with another noun and as many tokens; else with two words in each other's place; "" where neither fits.

    It is the word after the last article that changes, or the last word. With `among`, the first token that differs is
    one of these, and a word counts as the last if no later one ends there.
    """
    if not text.strip():
        return ""
    tokens = model.tokens_of(text)
    pieces = re.findall(r"\s+|\S+", text)  # words, and the space between them
    places = [place for place, piece in enumerate(pieces) if not piece.isspace()]
    if among is not None:
        begin, end = (_count_characters(tokens[:edge]) for edge in (among.start, among.stop))
        ends = list(accumulate(map(len, pieces)))
        places = [place for place in places if begin <= ends[place] - len(pieces[place]) and ends[place] <= end]
    if not places:
        return ""
    behind = [after for place, after in pairwise(places) if pieces[place].lower() in ARTICLES]
    place = behind[-1] if behind else places[-1]
    nouns = ([*pieces[:place], noun, *pieces[place + 1 :]] for noun in NOUNS)
    turned = (_turn(pieces, i, j) for i, j in reversed(list(pairwise(places))))
    for candidate in (*nouns, *turned):
        if candidate != pieces and _fits(tokens, model.tokens_of(swapped := "".join(candidate)), among):
            return swapped
    return ""


def _count_characters(tokens: Sequence[Token]) -> int:
    return len(b"".join(token.bytes for token in tokens).decode(errors="ignore"))


def _turn(pieces: Sequence[str], i: int, j: int) -> list[str]:
    """The pieces i and j in each other's place."""
    turned = list(pieces)
    turned[i], turned[j] = pieces[j], pieces[i]
    return turned


def _fits(old: Sequence[Token], new: Sequence[Token], among: range | None) -> bool:
    """Whether a text has as many tokens, and differs first in one of those of `among`."""
    if len(old) != len(new) or among is None:
        return len(old) == len(new)
    return next((place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a.id != b.id), -1) in among
