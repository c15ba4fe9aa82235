"""The fonts inside a saved page: only those whose letters the page has."""

from __future__ import annotations

import base64
from functools import cache

from matplotlib import font_manager

from viz.shared.fonts import FOLDER, URDU, Hand

SYMBOLS, MATH = "Noto Sans Symbols 2", "Noto Sans Math"
FIRST_SIGN = 0x2190  # smaller code points are letters, digits and marks
COMMON_SIGNS = frozenset(map(ord, "←↑→↓↔∂∆∏∑−∕∙√∞∟∩∫≈≠≡≤≥▲►▼◄◊○●■□"))  # signs that the fonts of every system have


def faces(text: str, hand: Hand = "naskh") -> str:
    """The rules of CSS, with their fonts, that a page needs for its text and equations, or "" if it needs none.

    The names of the families are those of `viz.shared.style.FONT`.
    """
    letters = set(map(ord, text)) - COMMON_SIGNS
    signs = {code for code in letters if code >= FIRST_SIGN}
    needed = {
        "Urdu": (URDU[hand], letters & _letters(URDU[hand])),
        "Symbols": (SYMBOLS, signs & _letters(SYMBOLS)),
        "Equations": (MATH, signs & _letters(MATH) or "<math" in text),  # no font for texts has their letters
    }
    return "".join(_face(name, family) for family, (name, is_needed) in needed.items() if is_needed)


@cache
def _face(name: str, family: str) -> str:
    data = base64.b64encode((FOLDER / f"{_file(name)}.woff2").read_bytes()).decode()
    # A font without a range would give its height to all lines.
    letters = ",".join(f"U+{code:X}" for code in sorted(_letters(name)))
    source = f"src:url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:{family};{source};unicode-range:{letters}}}"


@cache
def _letters(name: str) -> frozenset[int]:
    """The code points of a font, without controls and the space."""
    codes = font_manager.get_font(FOLDER / f"{_file(name)}.ttf").get_charmap()
    return frozenset(code for code in codes if code > ord(" "))


def _file(name: str) -> str:
    return f"{name.replace(' ', '')}-Regular"
