"""The fonts of the project (assets/fonts), and their order in pictures and hand-outs.

Importing this module registers them with Matplotlib. They replace installed fonts of the same names, so that a picture
looks the same on every machine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from matplotlib import font_manager

Hand = Literal["naskh", "nastaliq"]  # the two styles of Urdu script

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "fonts"
URDU: dict[Hand, str] = {"naskh": "Noto Naskh Arabic", "nastaliq": "Noto Nastaliq Urdu"}
PROJECT_FONTS = (*URDU.values(), "Noto Sans", "Noto Sans Math", "Noto Sans Symbols 2")
OPTIONAL_FONTS = ("Noto Sans CJK SC", "Noto Emoji")  # used if the machine has them


def families(hand: Hand = "naskh") -> list[str]:
    """The names of all fonts that words may need, in the order in which Matplotlib looks for a letter.

    Fonts for Urdu come first, since they have no other letters. Matplotlib's DejaVu Sans has some letters of Urdu, but
    they would not join the others.
    """
    urdu = [URDU[hand], *(name for name in URDU.values() if name != URDU[hand])]
    return [*urdu, "DejaVu Sans", *PROJECT_FONTS[len(URDU) :], *_optional_fonts()]


def files() -> list[Path]:
    """The files of the fonts of `families`."""
    others = (Path(font_manager.findfont(name)) for name in ("DejaVu Sans", *_optional_fonts()))
    return [*project_files(), *others]


def project_files() -> list[Path]:
    """The project's own font files, in the form that Matplotlib and Typst read."""
    return sorted(FOLDER.glob("*.ttf"))


@cache
def _optional_fonts() -> tuple[str, ...]:
    """The fonts of `OPTIONAL_FONTS` that this machine has."""
    installed = font_manager.get_font_names()
    return tuple(name for name in OPTIONAL_FONTS if name in installed)


def _register_fonts() -> None:
    manager = font_manager.fontManager
    others = [font for font in manager.ttflist if font.name not in PROJECT_FONTS]
    manager.ttflist = []
    for path in project_files():
        manager.addfont(path)
    manager.ttflist += others


_register_fonts()
