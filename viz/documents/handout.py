"""A lecture as a PDF to hand out: its heading and contents, then each scene with its picture and notes.

Typst sets the pages by the template assets/handout/handout.typ. It breaks lines and pages, and shapes Urdu from right
to left. The words of a lecture reach the template as data, never as mark-up.
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
MAX_WIDTH_POINTS, MAX_HEIGHT_POINTS = 481.0, 400.0  # of a picture: the page's width, and room for notes below it
MAX_ENLARGEMENT = 1.25  # of a small picture, times its own size
JOINERS = "\u200c\u200d\u2066\u2067\u2068\u2069"  # invisible characters that join letters or isolate words
COLOURS_USED = ("text", "muted", "accent", "border")
LEADING: dict[Hand, float] = {"naskh": 0.9, "nastaliq": 1.7}  # between lines of Urdu, in sizes of their type


@dataclass(frozen=True)
class ScenePage:
    """One scene. `where`: page, model and sentence. `picture`: an SVG, or None; then `missing` says why.

    `asked` is the title of the question that the class answers first.
    """

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


def write_handout(title: str, about: str, scenes: Sequence[ScenePage], made: str, hand: Hand = "naskh") -> bytes:
    """The PDF, in A4. `made` stands at the foot of its first page. `hand` is that of Urdu words.

    Every text is printed as it is, without mark-up. A character that no font has is replaced by its name.
    """
    import typst

    with TemporaryDirectory(prefix="handout") as folder:
        root = Path(folder)
        (root / "handout.typ").write_bytes(TEMPLATE.read_bytes())
        for number, scene in enumerate(scenes, start=1):
            if scene.picture is not None:
                (root / f"{number}.svg").write_bytes(scene.picture)
        content = {
            "title": _strip_controls(title),
            "about": _paragraphs(about),
            "made": made,
            "fonts": ["Noto Sans", *families(hand)],
            "leading": LEADING[hand],
            "colours": {role: COLOURS["light"][role] for role in COLOURS_USED},
            "scenes": [_describe_scene(number, scene) for number, scene in enumerate(scenes, start=1)],
        }
        (root / "handout.json").write_text(json.dumps(content), encoding="utf-8")
        for font in files():
            copy(font, root)
        return typst.compile(root / "handout.typ", root=root, font_paths=[root], ignore_system_fonts=True)


def _describe_scene(number: int, scene: ScenePage) -> dict[str, Any]:
    texts = ("caption", "missing", "point", "question", "asked", "notes")
    return {
        "number": number,
        "title": _strip_controls(scene.title or "untitled"),
        "where": _strip_controls(scene.where),
        "link": scene.link,
        "picture": None if scene.picture is None else f"{number}.svg",
        "width": 0 if scene.picture is None else _fit_width(scene.picture),
        "alt": _strip_controls(scene.caption or scene.title),
    } | {name: _paragraphs(getattr(scene, name)) for name in texts}


def _paragraphs(text: str) -> list[dict[str, Any]]:
    lines = (_strip_controls(line) for line in text.splitlines())
    return [{"text": line, "rtl": is_right_to_left(line)} for line in lines if line.strip()]


def _strip_controls(text: str) -> str:
    """The text with control characters replaced by spaces, and with names for characters that no font has."""
    return "".join(
        letter if letter in JOINERS else printable(letter) if letter.isprintable() else " " for letter in text
    )


def _fit_width(svg: bytes) -> float:
    """The width, in points, at which a picture fits the page and is not enlarged too much."""
    size = re.search(rb'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    if size is None:
        return MAX_WIDTH_POINTS
    width, height = map(float, size.groups())
    return min(MAX_WIDTH_POINTS, MAX_ENLARGEMENT * width, MAX_HEIGHT_POINTS * width / height)
