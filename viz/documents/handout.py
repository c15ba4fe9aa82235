"""A lecture as a PDF to hand out: its heading and contents, then each scene with its pictures and notes.

Typst sets the pages by the template assets/handout/handout.typ. It breaks lines and pages, and shapes Urdu from right
to left. The words of a lecture reach the template as data, never as mark-up. On paper, scenes follow each other, as
many on a page as fill it. On a screen each scene has a page of its own. Pictures grow until their page is full.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, Literal

from viz.documents.notes_text import blocks_of
from viz.documents.page_parts import Table
from viz.documents.raster import read_size
from viz.documents.scene_text import ANSWER, FOR_CLASS, SceneText, number_scenes
from viz.shared.fonts import Hand, families, files
from viz.shared.printable import printable
from viz.shared.style import COLOURS, is_right_to_left

TEMPLATE = Path(__file__).resolve().parents[2] / "assets" / "handout" / "handout.typ"
Size = Literal["paper", "screen"]
MAX_ENLARGEMENT = 1.25  # of a small picture, times its own size
MIN_READABLE = 0.7  # of a picture's own size: below it, its words are smaller than the eye likes to read
LEAST_OF_SEVERAL = 0.35  # of their own size, for pictures that share a page
JOINERS = "\u200c\u200d\u2066\u2067\u2068\u2069"  # invisible characters that join letters or isolate words
COLOURS_USED = ("text", "muted", "accent", "border", "key_text")
GAP_POINTS = 8.0  # half of the room between two pictures
Box = tuple[float, float]  # width and height, in points
LEADING: dict[Hand, float] = {"naskh": 0.9, "nastaliq": 1.7}  # between lines of Urdu, in sizes of their type


@dataclass(frozen=True)
class Room:
    """How large a picture may be on a page, in points."""

    width: float  # of the page, within its margins
    beside: float  # width of a picture with words beside it
    low: float  # height of a picture with words beside it, so that other scenes fit the page
    alone: float  # height of a scene's only picture
    main: float  # height of the first picture of several, or of one below a table
    further: float  # height of the others
    least: float  # height of any picture: it may become so low, so that its scene fits the page
    is_wide: bool  # The page is wide: words fit beside any picture.


ROOMS: dict[Size, Room] = {
    "paper": Room(width=481, beside=285, low=300, alone=540, main=330, further=240, least=math.inf, is_wide=False),
    "screen": Room(width=774, beside=500, low=340, alone=340, main=260, further=170, least=190, is_wide=True),
}


@dataclass(frozen=True)
class ScenePage(SceneText):
    """One scene. `pictures`: SVGs. `table` stands above them. `missing` says why there is neither.

    `words`, with simple formatting, are those of a plain scene. `framed`: so many of the pictures, from the first on,
    have a frame, since the scene points at them.
    """

    pictures: Sequence[bytes] = ()
    framed: int = 0
    table: Table | None = None
    caption: str = ""
    words: str = ""


def write_handout(
    title: str, about: str, scenes: Sequence[ScenePage], made: str, hand: Hand = "naskh", size: Size = "paper"
) -> bytes:
    """The PDF, in A4 or 16:9. `made` stands at the foot of its contents. `hand` is that of Urdu words.

    Every text is printed as it is, without mark-up. A character that no font has is replaced by its name.
    """
    import typst

    with TemporaryDirectory(prefix="handout") as folder:
        root = Path(folder)
        (root / "handout.typ").write_bytes(TEMPLATE.read_bytes())
        for place, scene in enumerate(scenes):
            for number, picture in enumerate(scene.pictures):
                (root / _picture_file(place, number)).write_bytes(picture)
        content = {
            "title": _strip_controls(title),
            "about": _paragraphs(about),
            "made": _strip_controls(made),
            "size": size,
            "fonts": ["Noto Sans", *families(hand)],
            "leading": LEADING[hand],
            "colours": {role: COLOURS["light"][role] for role in COLOURS_USED},
            "scenes": [
                {"number": number} | _describe_scene(place, scene, ROOMS[size])
                for place, (number, scene) in enumerate(zip(number_scenes(scenes), scenes, strict=True))
            ],
        }
        (root / "handout.json").write_text(json.dumps(content), encoding="utf-8")
        for font in files():
            copy(font, root)
        return typst.compile(root / "handout.typ", root=root, font_paths=[root], ignore_system_fonts=True)


def _picture_file(place: int, number: int) -> str:
    return f"{place}-{number}.svg"


def _describe_scene(place: int, scene: ScenePage, room: Room) -> dict[str, Any]:
    """What the template needs of the scene at a place of the file."""
    sizes = [read_size(picture) for picture in scene.pictures]
    return {
        "place": place,
        "isFirst": scene.step == 1,
        "title": _strip_controls(scene.name),
        "where": _strip_controls(scene.where),
        "link": scene.link,
        "pictures": [_picture_file(place, number) for number in range(len(sizes))],
        "framed": scene.framed,
        "ways": [_describe_way(scene, sizes, room, beside) for beside in _choose_ways(scene, sizes, room)],
        "table": None if scene.table is None else _describe_table(scene.table),
        "notes": _describe_notes(scene.notes),
        "words": _describe_notes(scene.words),
        "alt": _strip_controls(scene.caption or scene.title),
        "caption": _paragraphs(scene.caption),
        "missing": _paragraphs(scene.missing),
        "said": [{"name": name, "text": _paragraphs(text)} for name, text in _said(scene) if text.strip()],
    }


def _said(scene: ScenePage) -> list[tuple[str, str]]:
    """The words that a scene shows one after another, each with its name."""
    said = [(FOR_CLASS, scene.question)]
    if scene.asked is not None:
        said += [(scene.asked.title, "\n".join(scene.asked.lines)), (ANSWER, scene.asked.solution)]
    return [*said, ("What to point at, in the frame" if scene.framed else "What to point at", scene.point)]


def _choose_ways(scene: ScenePage, sizes: Sequence[Box], room: Room) -> list[bool]:
    """Whether the words of a scene stand beside its pictures, or below: the template takes the way that fills its page.

    On paper, words stand beside one picture that can be read there. On a screen, they always may.
    """
    is_alone = len(sizes) == 1 and scene.table is None
    if room.is_wide:
        may_stand_beside = bool(sizes or scene.table)
    else:
        may_stand_beside = is_alone and fit(sizes[0], room.beside, room.low)[1] >= MIN_READABLE * sizes[0][0]
    return [True, False] if may_stand_beside else [False]


def _describe_way(scene: ScenePage, sizes: Sequence[Box], room: Room, beside: bool) -> dict[str, Any]:
    """The width of the column of pictures, or 0 for the whole page, and for each picture its least and most width."""
    width = room.beside if beside else room.width
    is_alone = len(sizes) == 1 and scene.table is None
    high = room.main if not is_alone else room.low if beside else room.alone
    share = MIN_READABLE if is_alone else LEAST_OF_SEVERAL
    half = width if len(sizes) == 2 and not room.is_wide else width / 2 - GAP_POINTS
    widths = [fit(each, width, high, share, room.least) for each in sizes[:1]]
    widths += [fit(each, half, room.further, share, room.least) for each in sizes[1:]]
    return {"column": room.beside if beside else 0, "widths": widths}


def _describe_table(table: Table) -> dict[str, Any]:
    return {
        "columns": [_strip_controls(name) for name in table.columns],
        "rows": [[_strip_controls(cell) for cell in row] for row in table.rows],
    }


def _describe_notes(text: str) -> list[dict[str, Any]]:
    return [
        {
            "kind": block.kind,
            "lines": [
                [{"text": _strip_controls(each.text), "bold": each.bold} for each in line] for line in block.lines
            ],
            "rtl": is_right_to_left(block.text()),
        }
        for block in blocks_of(text)
    ]


def _paragraphs(text: str) -> list[dict[str, Any]]:
    lines = (_strip_controls(line) for line in text.splitlines())
    return [{"text": line, "rtl": is_right_to_left(line)} for line in lines if line.strip()]


def _strip_controls(text: str) -> str:
    """The text with control characters replaced by spaces, and with names for characters that no font has."""
    return "".join(
        letter if letter in JOINERS else printable(letter) if letter.isprintable() else " " for letter in text
    )


def fit(
    size: Box, width: float, height: float, share: float = MIN_READABLE, least: float = math.inf
) -> tuple[float, float]:
    """The least and most width, in points, of a picture that is not blown up, in a place of a width and height.

    It is drawn no smaller than a `share` of its own size, unless its place asks for that, or than the height `least`.
    """
    most = min(width, MAX_ENLARGEMENT * size[0], height * size[0] / size[1])
    return min(most, share * size[0], least * size[0] / size[1]), most
