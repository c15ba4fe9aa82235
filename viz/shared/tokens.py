"""Tokens as labels, and as data of the browser's components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from model.tokens.control_tokens import OF_NAME
from viz.shared.style import SPACE, is_right_to_left, token_label


class TokenLike(Protocol):
    """The attributes of a token that this module needs. `model.tokens.tokenizer.Token` has them."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def bytes(self) -> bytes: ...
    @property
    def special(self) -> bool: ...


def labels(tokens: Iterable[TokenLike]) -> list[str]:
    """The label of each token, with a dot for its leading space."""
    return [token_label(token.text, token.bytes) for token in tokens]


def words(tokens: Iterable[TokenLike]) -> list[str]:
    """The labels without the dot of a leading space, for running text and axes."""
    return [label.lstrip(SPACE) or label for label in labels(tokens)]


def shorten(text: str, most: int) -> str:
    """At most `most` characters of a text. The last character of a shortened text is "…"."""
    return text if len(text) <= most else text[: most - 1] + "…"


def chips(tokens: Sequence[TokenLike]) -> list[dict[str, Any]]:
    """Tokens for a component's header: label, id, bytes in hexadecimal, special or not, right to left or not.

    A control token whose meaning is known also has that, as its `meaning`.
    """
    return [
        {
            "label": label,
            "id": token.id,
            "bytes": token.bytes.hex(" ").upper(),
            "special": token.special,
            "rtl": is_right_to_left(token.text),
        }
        | ({"meaning": OF_NAME[token.text].meaning} if token.special and token.text in OF_NAME else {})
        for token, label in zip(tokens, labels(tokens), strict=True)
    ]
