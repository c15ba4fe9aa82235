"""Labels with the characters that the fonts can write."""

from __future__ import annotations

import unicodedata
from functools import cache

from matplotlib import font_manager

from viz.shared.fonts import families


def printable(label: str) -> str:
    """A label that the fonts can write.

    A character that no font has becomes its code point. If it only changes the look of its neighbours, it is left out.
    """
    characters = _known_characters()
    if all(ord(letter) in characters for letter in label):
        return label
    return "".join(letter if ord(letter) in characters else _name_character(letter) for letter in label)


def _name_character(letter: str) -> str:
    return "" if unicodedata.category(letter) in ("Mn", "Me", "Cf") else f"⟨U+{ord(letter):04X}⟩"


@cache
def _known_characters() -> frozenset[int]:
    """The code points in the fonts of `families()`, and the line break."""
    paths = [font_manager.findfont(name) for name in families()]
    return frozenset({ord("\n")}.union(*(font_manager.get_font(path).get_charmap() for path in paths)))
