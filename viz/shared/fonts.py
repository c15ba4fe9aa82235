"""The fonts that come with the app (assets/fonts), and in which order pictures and hand-outs use them.

Importing this module makes them known to Matplotlib. A font of the same name that is installed gives way to ours, so
that a picture looks the same on every machine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from matplotlib import font_manager

Hand = Literal["naskh", "nastaliq"]  # in which Urdu is written

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "fonts"
URDU: dict[Hand, str] = {"naskh": "Noto Naskh Arabic", "nastaliq": "Noto Nastaliq Urdu"}
PROJECT_FONTS = (*URDU.values(), "Noto Sans", "Noto Sans Math", "Noto Sans Symbols 2")
OPTIONAL_FONTS = ("Noto Sans CJK SC", "Noto Emoji")  # used where a machine has them


def families(hand: Hand = "naskh") -> list[str]:
    """The names of all fonts that words may need, in the order in which Matplotlib looks for a letter.

    Urdu comes first: DejaVu Sans, which Matplotlib brings, has some letters of it, which would not join the others.
    The fonts for Urdu have no others.
    """
    urdu = [URDU[hand], *(name for name in URDU.values() if name != URDU[hand])]
    return [*urdu, "DejaVu Sans", *PROJECT_FONTS[len(URDU) :], *_optional_fonts()]


def files() -> list[Path]:
    """The files of the fonts of `families`."""
    others = (Path(font_manager.findfont(name)) for name in ("DejaVu Sans", *_optional_fonts()))
    return [*project_files(), *others]


def project_files() -> list[Path]:
    """Our own, as Matplotlib and Typst read them."""
    return sorted(FOLDER.glob("*.ttf"))


@cache
def _optional_fonts() -> tuple[str, ...]:
    """Those of `INSTALLED` that this machine has."""
    here = font_manager.get_font_names()
    return tuple(name for name in OPTIONAL_FONTS if name in here)


def _register_fonts() -> None:
    manager = font_manager.fontManager
    others = [font for font in manager.ttflist if font.name not in PROJECT_FONTS]
    manager.ttflist = []
    for path in project_files():
        manager.addfont(path)
    manager.ttflist += others


_register_fonts()
