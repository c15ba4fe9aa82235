"""A second sentence beside the reader's: the same one with another noun, and as many tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.run import Model

NOUNS = ("dog", "cat", "river", "house", "king", "street", "tree", "robot")
ARTICLES = ("the", "a", "an")


def swap_noun(model: Model, text: str) -> str:
    """The text with another noun and as many tokens; "" where no word of ours fits.

    It is the word after the last article that changes, or the last word.
    """
    words = text.split()
    if not words:
        return ""
    count = len(model.tokens_of(text))
    places = [place for place, word in enumerate(words[:-1], start=1) if word.lower() in ARTICLES]
    place = places[-1] if places else len(words) - 1
    for noun in NOUNS:
        swapped = " ".join([*words[:place], noun, *words[place + 1 :]])
        if noun != words[place] and len(model.tokens_of(swapped)) == count:
            return swapped
    return ""
