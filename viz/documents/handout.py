"""A lecture as a PDF to hand out: its heading and contents, then each scene with its picture and notes.

The words are data of the document (assets/handout/handout.typ), never its mark-up. Typst sets them: it breaks lines and
pages, shapes Urdu and runs it from right to left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

from viz.print.files import printable
from viz.shared.fonts import Hand, families, files
from viz.shared.style import COLOURS, is_right_to_left

TEMPLATE = Path(__file__).resolve().parents[2] / "assets" / "handout" / "handout.typ"
WIDE, TALL = 481.0, 400.0  # points that a picture has at most: a page's width, and room for the notes below it
LARGER = 1.25  # times its own size that a small picture is enlarged at most
KEPT = "\u200c\u200d\u2066\u2067\u2068\u2069"
COLOURS_USED = ("text", "muted", "accent", "border")
LEADING: dict[Hand, float] = {"naskh": 0.9, "nastaliq": 1.7}  # between lines of Urdu, in sizes of their type


@dataclass(frozen=True)
class ScenePage:
    """One scene. `picture`: an SVG, or None, where `missing` says why. `where`: page, model and sentence."""

    title: str
    where: str = ""
    picture: bytes | None = None
    caption: str = ""
    missing: str = ""
    point: str = ""
    question: str = ""
    asked: str = ""
    notes: str = ""
    link: str = ""


def handout(title: str, about: str, scenes: Sequence[ScenePage], made: str, hand: Hand = "naskh") -> bytes:
    """The PDF, A4. `made` stands at the foot of its first page. Any text is shown as it is written; a character that
    no font has is named. `hand`: that of Urdu words."""
    import typst

    with TemporaryDirectory(prefix="handout") as folder:
        room = Path(folder)
        (room / "handout.typ").write_bytes(TEMPLATE.read_bytes())
        for number, scene in enumerate(scenes, start=1):
            if scene.picture is not None:
                (room / f"{number}.svg").write_bytes(scene.picture)
        said = {
            "title": _plain(title),
            "about": _paragraphs(about),
            "made": made,
            "fonts": ["Noto Sans", *families(hand)],
            "leading": LEADING[hand],
            "colours": {role: COLOURS["light"][role] for role in COLOURS_USED},
            "scenes": [_told(number, scene) for number, scene in enumerate(scenes, start=1)],
        }
        (room / "handout.json").write_text(json.dumps(said), encoding="utf-8")
        for font in files():
            copy(font, room)
        return typst.compile(room / "handout.typ", root=room, font_paths=[room], ignore_system_fonts=True)


def _told(number: int, scene: ScenePage) -> dict[str, Any]:
    texts = ("caption", "missing", "point", "question", "asked", "notes")
    return {
        "number": number,
        "title": _plain(scene.title or "untitled"),
        "where": _plain(scene.where),
        "link": scene.link,
        "picture": None if scene.picture is None else f"{number}.svg",
        "width": 0 if scene.picture is None else _width(scene.picture),
        "alt": _plain(scene.caption or scene.title),
    } | {name: _paragraphs(getattr(scene, name)) for name in texts}


def _paragraphs(text: str) -> list[dict[str, Any]]:
    lines = (_plain(line) for line in text.splitlines())
    return [{"text": line, "rtl": is_right_to_left(line)} for line in lines if line.strip()]


def _plain(text: str) -> str:
    """Without control characters; those that join and isolate words belong to the text."""
    return "".join(letter if letter in KEPT else printable(letter) if letter.isprintable() else " " for letter in text)


def _width(svg: bytes) -> float:
    """The width, in points, of a picture that fits the page and is not enlarged too much."""
    found = re.search(rb'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    if found is None:
        return WIDE
    width, height = map(float, found.groups())
    return min(WIDE, LARGER * width, TALL * width / height)
