"""The part of a sentence that a model can read, where the whole has too many tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.chat.turns import Conversation
from model.errors import ConversationError, EmptyText, TextTooLong
from pages.shared.session import bar_notes
from pages.shared.session.text_length import token_limit

if TYPE_CHECKING:
    from model import Model
    from model.tokens.tokenizer import Token

_WORD_END = re.compile(r"(?<=\S)(?=\s|$)")


@dataclass(frozen=True)
class FittingText:
    """The part of a text that a model can read, cut into tokens. `count`: the tokens of the whole text; None where the
    model does not take so many."""

    text: str
    tokens: tuple[Token, ...]
    count: int | None


def fit_and_say(chosen: Model, text: str, what: str) -> FittingText:
    """As `fit`. Where the text is cut, the run bar says so: `what` is the text in words."""
    fitting = fit(chosen, text)
    if (part := fitting.text) != text:
        limit = token_limit(chosen)
        bar_notes.add(f"{chosen.card.title} reads {limit:,} tokens here: {what} up to “…{part[-30:]}”.")
    return fitting


def fit(chosen: Model, text: str) -> FittingText:
    """A text, or the beginning of it that a model can read. Raises `EmptyText`, `UnreadableText`, `ConversationError`.

    A conversation ends in the middle of a turn then.
    """
    limit, kind = token_limit(chosen), Conversation if isinstance(text, Conversation) else str

    def count_tokens(part: str) -> int:
        try:
            return len(chosen.tokens_of(kind(part)))
        except (TextTooLong, EmptyText, ConversationError):
            return limit + 1

    try:
        tokens = chosen.tokens_of(text)
    except TextTooLong:
        count = None
    else:
        if len(tokens) <= limit:
            return FittingText(text, tokens, len(tokens))
        count = len(tokens)
    part = kind(fitting_part(text, count_tokens, limit))
    return FittingText(part, chosen.tokens_of(part), count)


def tokens_within_limit(chosen: Model, text: str) -> tuple[Token, ...]:
    """The tokens of a text. Raises `EmptyText`, and `TextTooLong` with both numbers."""
    tokens, limit = chosen.tokens_of(text), token_limit(chosen)
    if len(tokens) > limit:
        raise TextTooLong(f"The text has {len(tokens):,} tokens; these pages draw at most {limit:,}. Shorten it.")
    return tokens


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
