"""A second sentence beside the reader's: the same one with another noun, and as many tokens."""

from __future__ import annotations

from pages.shared.traces import Run

NOUNS = ("dog", "cat", "river", "house", "king", "street", "tree", "robot")
ARTICLES = ("the", "a", "an")


def find_example(run: Run, count: int) -> str:
    """The run's text with another noun and as many tokens; "" where no word of ours fits.

    It is the word after the last article that changes, or the last word.
    """
    words = run.text.split()
    if not words:
        return ""
    places = [place for place, word in enumerate(words[:-1], start=1) if word.lower() in ARTICLES]
    place = places[-1] if places else len(words) - 1
    for noun in NOUNS:
        text = " ".join([*words[:place], noun, *words[place + 1 :]])
        if noun != words[place] and len(run.model.tokens_of(text)) == count:
            return text
    return ""
