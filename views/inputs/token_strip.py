"""Tokens as a row of chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from views.parts import Canvas, Pick
from viz.shared.payload import pack
from viz.shared.tokens import TokenLike, chips


def token_strip(
    tokens: Sequence[TokenLike], key: str, label: str, selected: int | None = None, pick: Pick | None = None
) -> Canvas:
    """A strip of tokens. `pick` gets the place of the token that the reader chooses, or None when it is let go."""
    return Canvas("inputs/token_strip", partial(_pack, tuple(tokens), label, selected), key, {"pick": pick or _nothing})


def _nothing(place: int | None) -> Mapping[str, int]:
    """A choice that changes no key. The browser tells of each choice, and the app must know its name."""
    return {}


def _pack(tokens: Sequence[TokenLike], label: str, selected: int | None) -> bytes:
    return pack({"tokens": chips(tokens), "selected": selected, "label": label})
