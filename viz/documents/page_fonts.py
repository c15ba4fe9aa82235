"""The fonts inside a saved page: only those whose letters the page has."""

from __future__ import annotations

import base64
from functools import cache

from matplotlib import font_manager

from viz.shared.fonts import FOLDER, URDU, Hand

SYMBOLS, MATH, COMMON_MATH = "Noto Sans Symbols 2", "Noto Sans Math", "Noto Sans Math Common"
FIRST_SIGN = 0x2190  # smaller code points are letters, digits and marks
COMMON_SIGNS = frozenset(map(ord, "←↑→↓↔↕∂∆∏∑−∕∙√∞∟∩∫≈≠≡≤≥"))  # the letters of `COMMON_MATH`: 3 kB instead of 52


def faces(text: str, hand: Hand = "naskh") -> str:
    """The rules of CSS, with their fonts, that a page needs for its text and equations, or "" if it needs none.

    The names of the families are those of `viz.shared.style.FONT`.
    """
    letters = set(map(ord, text))
    signs = {code for code in letters if code >= FIRST_SIGN}
    math = signs & _letters(MATH)
    has_more = math - COMMON_SIGNS or "<math" in text  # the letters of equations are in no font for texts
    needed = {
        "Urdu": (URDU[hand], letters & _letters(URDU[hand])),
        "Symbols": (SYMBOLS, signs & _letters(SYMBOLS)),
        "Equations": (MATH if has_more else COMMON_MATH, math or has_more),
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
    if name == COMMON_MATH:
        return COMMON_SIGNS  # a font for browsers alone, which Matplotlib cannot read
    codes = font_manager.get_font(FOLDER / f"{_file(name)}.ttf").get_charmap()
    return frozenset(code for code in codes if code > ord(" "))


def _file(name: str) -> str:
    return f"{name.replace(' ', '')}-Regular"
