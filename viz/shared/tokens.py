"""Tokens as labels, and as data of the browser's components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from model.chat.written import Said
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
    @property
    def said(self) -> Said | None: ...


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

    A control token whose meaning is known also has that, as its `meaning`. A token of a conversation has who `said` it,
    and whether its template did (`frame`). `starts`: the first token of a turn; `answers`: that of the last answer.
    """
    told = _who_said(tokens)
    return [
        {
            "label": label,
            "id": token.id,
            "bytes": token.bytes.hex(" ").upper(),
            "special": token.special,
            "rtl": is_right_to_left(token.text),
        }
        | ({"meaning": OF_NAME[token.text].meaning} if token.special and token.text in OF_NAME else {})
        | said
        for token, label, said in zip(tokens, labels(tokens), told, strict=True)
    ]


def _who_said(tokens: Sequence[TokenLike]) -> list[dict[str, Any]]:
    """What each token's chip tells of its turn; nothing outside of a conversation."""
    last = max((token.said.turn for token in tokens if token.said is not None), default=0)
    told: list[dict[str, Any]] = []
    before: Said | None = None
    for token in tokens:
        said, chip = token.said, dict[str, Any]()
        if said is not None:
            chip = {"said": said.role, "frame": said.is_frame}
            is_first = before is None or said.turn != before.turn
            chip |= {"starts": True} if is_first else {}
            if said.role == "assistant" and said.turn == last and not said.is_frame:
                chip |= {"answers": True} if before is None or before.is_frame else {}
        told.append(chip)
        before = said
    return told
