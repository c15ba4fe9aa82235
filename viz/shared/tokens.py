"""Tokens as labels, as ticks of axes, and as data of the browser's components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from viz.shared.style import SPACE, is_right_to_left, plotly_text, token_label

MAX_TICKS = 40  # of one axis; more would overlap


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


def ticks(labels: Sequence[str], most_letters: int) -> dict[str, Any]:
    """The places and labels of a Plotly axis of tokens. Among many tokens, only every n-th has a label."""
    every = max(1, -(-len(labels) // MAX_TICKS))
    places = list(range(0, len(labels), every))
    return {"tickvals": places, "ticktext": [plotly_text(shorten(labels[i], most_letters)) for i in places]}


def token_axis(labels: Sequence[str]) -> dict[str, Any]:
    """A Plotly axis of tokens below bars. The labels slant if there are many."""
    slant = -45 if len(labels) > 8 else 0
    return {**ticks(labels, 13), "tickangle": slant, "showgrid": False, "zeroline": False}


def chips(tokens: Sequence[TokenLike]) -> list[dict[str, Any]]:
    """Tokens for a component's header: label, id, bytes in hexadecimal, special or not, right to left or not."""
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
