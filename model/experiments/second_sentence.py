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

    Of a text with two names, the last one becomes another of them. Else it is the word after the last article that
    changes, or the last word. With `among`, the first token that differs is
    one of these, and a word counts as the last if no later one ends there.
    """
    if not text.strip():
        return ""
    tokens = model.tokens_of(text)
    pieces = _cut(text)
    places = [place for place, piece in enumerate(pieces) if not piece.isspace()]
    if among is not None:
        begin, end = (_count_characters(tokens[:edge]) for edge in (among.start, among.stop))
        ends = list(accumulate(map(len, pieces)))
        places = [place for place in places if begin <= ends[place] - len(pieces[place]) and ends[place] <= end]
    if not places:
        return ""
    after_articles = [after for place, after in pairwise(places) if pieces[place].lower() in ARTICLES]
    place = after_articles[-1] if after_articles else places[-1]
    nouns = ([*pieces[:place], noun, *pieces[place + 1 :]] for noun in NOUNS)
    renamed = _rename(pieces, places)
    turned = (_turn(pieces, i, j) for i, j in reversed(list(pairwise(places))))
    for candidate in (*renamed, *nouns, *turned):
        if candidate != pieces and _fits(tokens, model.tokens_of(swapped := "".join(candidate)), among):
            return swapped
    return ""


def _count_characters(tokens: Sequence[Token]) -> int:
    return len(b"".join(token.bytes for token in tokens).decode(errors="ignore"))


def swap_name(model: Model, text: str) -> str:
    """What `swap_noun` gives where it swaps a name for a name; else ""."""
    swapped, pieces = swap_noun(model, text), _cut(text)
    places = [place for place, piece in enumerate(pieces) if not piece.isspace()]
    return swapped if swapped in map("".join, _rename(pieces, places)) else ""


def _cut(text: str) -> list[str]:
    """The words, and the space between them."""
    return re.findall(r"\s+|\S+", text)


def _rename(pieces: Sequence[str], places: Sequence[int]) -> list[list[str]]:
    """The pieces with the last name among `places` replaced by each other name of the text, the latest one first."""
    named = [place for place, piece in enumerate(pieces) if _is_name(pieces, place)]
    last = max((place for place in named if place in places), default=-1)
    others = dict.fromkeys(pieces[place] for place in reversed(named) if pieces[place] != pieces[last])
    return [[*pieces[:last], other, *pieces[last + 1 :]] for other in others] if last >= 0 else []


def _is_name(pieces: Sequence[str], place: int) -> bool:
    """Whether a word is a name: it has a capital letter that no beginning of a sentence gives it."""
    word, before = pieces[place], "".join(pieces[:place]).rstrip()
    return word.istitle() and word.isalpha() and len(word) > 1 and before != "" and before[-1] not in ".!?:"


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
