"""A second sentence beside the reader's: the same one with a word changed, and as many tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.run import Model

NOUNS = ("dog", "cat", "river", "house", "king", "street", "tree", "robot")
ARTICLES = ("the", "a", "an")


def swap_noun(model: Model, text: str) -> str:
    """The text with another noun and as many tokens; else with two words in each other's place; "" where neither fits.

    It is the word after the last article that changes, or the last word.
    """
    words = text.split()
    if not words:
        return ""
    count = len(model.tokens_of(text))
    places = [place for place, word in enumerate(words[:-1], start=1) if word.lower() in ARTICLES]
    place = places[-1] if places else len(words) - 1
    nouns = ([*words[:place], noun, *words[place + 1 :]] for noun in NOUNS)
    turned = ([*words[:i], words[i + 1], words[i], *words[i + 2 :]] for i in reversed(range(len(words) - 1)))
    for candidate in (*nouns, *turned):
        if candidate != words and len(model.tokens_of(swapped := " ".join(candidate))) == count:
            return swapped
    return ""
