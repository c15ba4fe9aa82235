"""Tokens as labels and as what the browser's components need to know of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from viz.shared.style import SPACE, is_right_to_left, plotly_text, token_label

MAX_TICKS = 40  # labels beside an axis: more would overlap


class TokenLike(Protocol):
    """What a token must tell: `model.tokens.tokenizer.Token` does."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def bytes(self) -> bytes: ...
    @property
    def special(self) -> bool: ...


def labels(tokens: Iterable[TokenLike]) -> list[str]:
    """What each token shows, its leading space as a dot."""
    return [token_label(token.text, token.bytes) for token in tokens]


def words(tokens: Iterable[TokenLike]) -> list[str]:
    """The same without the dot of a leading space: for running text and axes."""
    return [label.lstrip(SPACE) or label for label in labels(tokens)]


def shorten(text: str, most: int) -> str:
    """At most `most` characters of a text, the last of them a sign that there were more."""
    return text if len(text) <= most else text[: most - 1] + "…"


def ticks(labels: Sequence[str], most_letters: int) -> dict[str, Any]:
    """Where a Plotly axis of tokens has labels, and which; with many tokens only every n-th has room."""
    every = max(1, -(-len(labels) // MAX_TICKS))
    places = list(range(0, len(labels), every))
    return {"tickvals": places, "ticktext": [plotly_text(shorten(labels[i], most_letters)) for i in places]}


def token_axis(labels: Sequence[str]) -> dict[str, Any]:
    """A Plotly axis of tokens below bars; more than a few slant."""
    slant = -45 if len(labels) > 8 else 0
    return {**ticks(labels, 13), "tickangle": slant, "showgrid": False, "zeroline": False}


def chips(tokens: Sequence[TokenLike]) -> list[dict[str, Any]]:
    """Tokens for a component's header: label, id, bytes in hexadecimal, special, right-to-left."""
    return [
        {
            "label": label,
            "id": token.id,
            "bytes": token.bytes.hex(" ").upper(),
            "special": token.special,
            "rtl": is_right_to_left(token.text),
        }
        for token, label in zip(tokens, labels(tokens), strict=True)
    ]
