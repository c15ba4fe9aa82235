"""The files of a lecture, from scenes that have been made: a PDF, a page that plays without a network, a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import urlencode

from glassformer import __version__
from pages.teach.handouts import lecture_notebook
from pages.teach.handouts.kept_scene import KeptScene
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting.class_address import find_fault, host_of
from viz.documents.handout import ScenePage, write_handout
from viz.documents.lecture_html import SavedScene, write_lecture
from viz.documents.page_parts import Group
from viz.documents.scene_text import SceneText
from viz.shared.fonts import Hand

Kind = Literal["pdf", "html", "ipynb"]
Size = Literal["paper", "screen"]


@dataclass(frozen=True)
class Choices:
    """The kind of file, and for a PDF its size. `has_notes`: with the speaker's notes.

    `address`: of the app, for links. Without one there are no links.
    """

    kind: Kind = "pdf"
    size: Size = "paper"
    has_notes: bool = True
    address: str = ""


def write(
    lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand = "naskh"
) -> tuple[bytes, list[int]]:
    """The file, and the scenes of the lecture (counted from 0) of which it does not show all."""
    makers = {"pdf": _write_pdf, "html": _write_html, "ipynb": _write_notebook}
    file, left_out = makers[choices.kind](lecture, scenes, choices, hand)
    return file, list(dict.fromkeys(scenes[place].place for place in left_out))


def link_of(address: str, scene: Scene) -> str:
    """The address of a scene's view in the app at `address`; "" without one."""
    page = "" if scene.page == "home" else scene.page
    return f"{address.rstrip('/')}/{page}?{urlencode(scene.state)}" if address else ""


def _words_of(kept: KeptScene, choices: Choices) -> dict[str, Any]:
    """The words of a scene, by the fields of `SceneText`."""
    scene = kept.scene
    return {
        "title": scene.title,
        "where": kept.where,
        "missing": kept.missing,
        "point": scene.point,
        "question": kept.said_question,
        "asked": kept.asked,
        "notes": scene.notes if choices.has_notes else "",
        "link": link_of(choices.address, scene),
        "step": kept.step,
        "steps": kept.steps,
    }


def _words_once(kept: KeptScene, choices: Choices) -> dict[str, Any]:
    """The same for files that are read from start to end: point and notes stand at the first step of a scene."""
    return _words_of(kept, choices) | ({"point": "", "notes": ""} if kept.step > 1 else {})


def _write_pdf(lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand) -> tuple[bytes, list[int]]:
    pages = [
        ScenePage(
            **_words_once(kept, choices),
            pictures=kept.pictures,
            framed=kept.framed,
            table=kept.table,
            caption=kept.caption,
            words=kept.words,
        )
        for kept in scenes
    ]
    made = f"{_origin()} All pictures are of its models.{_describe_links(choices.address)}"
    file = write_handout(lecture.title, lecture.about, pages, made, hand, choices.size)
    return file, [place for place, kept in enumerate(scenes) if kept.missing]


def _write_html(lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand) -> tuple[bytes, list[int]]:
    saved = []
    for kept in scenes:
        words = _words_of(kept, choices)
        words["missing"] = kept.missing or "This view could not be made."
        saved.append(SavedScene(**words, body=_view_of(kept)))
    made = f"{_origin()}{_describe_links(choices.address)}"
    html, left_out = write_lecture(lecture.title, lecture.about, saved, made, "light", hand)
    return html.encode(), left_out


def _view_of(kept: KeptScene) -> Group | None:
    """The page of the view, with what the scene points at marked."""
    if kept.view is None:
        return None
    return kept.view.page_with_focus(kept.scene.focus) if kept.scene.point else kept.view.page


def _write_notebook(
    lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand
) -> tuple[bytes, list[int]]:
    texts = [SceneText(**_words_once(kept, choices)) for kept in scenes]
    return lecture_notebook.write(lecture, scenes, texts)


def _origin() -> str:
    return f"Made with Glassformer {__version__} on {datetime.now(UTC):%Y-%m-%d}."


def _describe_links(address: str) -> str:
    """A sentence about the links of a file, where they need one."""
    if not address or host_of(address) is None or not find_fault(address):
        return ""
    return f" Its links lead to {address}: they open only on the computer on which this file was made."
