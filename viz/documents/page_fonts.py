"""The fonts that a saved page brings along: those alone whose letters it has."""

from __future__ import annotations

import base64
from functools import cache

from matplotlib import font_manager

from viz.shared.fonts import FOLDER, URDU, Hand

SYMBOLS, MATH = "Noto Sans Symbols 2", "Noto Sans Math"
FIRST_SIGN = 0x2190  # the first code point that is no letter, digit or mark of a text
COMMON_SIGNS = frozenset(map(ord, "←↑→↓↔∂∆∏∑−∕∙√∞∟∩∫≈≠≡≤≥▲►▼◄◊○●■□"))  # signs that the fonts of every system have


def faces(text: str, hand: Hand = "naskh") -> str:
    """The rules of CSS, with their fonts, that a page needs for its text and equations; "" for none. The names of the
    families are those of `viz.shared.style.FONT`."""
    letters = set(map(ord, text)) - COMMON_SIGNS
    signs = {code for code in letters if code >= FIRST_SIGN}
    needed = {
        "Urdu": (URDU[hand], letters & _letters(URDU[hand])),
        "Symbols": (SYMBOLS, signs & _letters(SYMBOLS)),
        "Equations": (MATH, signs & _letters(MATH) or "<math" in text),  # whose letters no font for texts has
    }
    return "".join(_face(name, family) for family, (name, is_needed) in needed.items() if is_needed)


@cache
def _face(name: str, family: str) -> str:
    held = base64.b64encode((FOLDER / f"{_file(name)}.woff2").read_bytes()).decode()
    # Without its range, the first font of a list that a browser has gives all lines their height.
    letters = ",".join(f"U+{code:X}" for code in sorted(_letters(name)))
    source = f"src:url(data:font/woff2;base64,{held}) format('woff2')"
    return f"@font-face{{font-family:{family};{source};unicode-range:{letters}}}"


@cache
def _letters(name: str) -> frozenset[int]:
    """The code points that a font has; controls are no letters."""
    codes = font_manager.get_font(FOLDER / f"{_file(name)}.ttf").get_charmap()
    return frozenset(code for code in codes if code > ord(" "))


def _file(name: str) -> str:
    return f"{name.replace(' ', '')}-Regular"
