"""The part of a sentence that a model can read, where the whole has too many tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

_WORD_END = re.compile(r"(?<=\S)(?=\s|$)")


def fitting_part(text: str, count_tokens: Callable[[str], int], limit: int) -> str:
    """The longest beginning of whole words with at most `limit` tokens; of letters, where one word has more.

    Text "" if not even one letter fits.
    """
    ends = [match.start() for match in _WORD_END.finditer(text)]
    return _longest(text, ends, count_tokens, limit) or _longest(text, range(1, len(text)), count_tokens, limit)


def _longest(text: str, ends: list[int] | range, count_tokens: Callable[[str], int], limit: int) -> str:
    """The beginning up to the last of `ends` that fits. A longer beginning has at least as many tokens."""
    low, high = 0, len(ends)  # the first `low` ends fit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[: ends[middle - 1]]) <= limit else (low, middle - 1)
    return text[: ends[low - 1]] if low else ""
