"""The files of a lecture, from scenes that have been played: a PDF, a page that plays without a network, a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlencode

from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.shared.sharing import notebooks, share
from pages.shared.sharing.share import RecordedView
from pages.teach.lectures import plain_scenes
from pages.teach.lectures.lecture_file import Lecture, Scene
from pages.teach.lectures.notes_markdown import to_markdown
from pages.teach.presenting.class_address import ONLY_HERE, host_of
from viz.documents.handout import ScenePage, write_handout
from viz.documents.lecture_html import SavedScene, write_lecture
from viz.documents.notebook import Cell, write_notebook
from viz.documents.page_parts import Table
from viz.shared.fonts import Hand
from viz.shared.style import markdown_text

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


@dataclass(frozen=True)
class KeptScene:
    """A scene that has been played: `pictures` as SVG, the `table` above them, and the whole `view`.

    `missing` says why there is neither picture nor table. `words` are those of a plain scene.
    """

    scene: Scene
    where: str
    pictures: tuple[bytes, ...] = ()
    table: Table | None = None
    caption: str = ""
    missing: str = ""
    view: RecordedView | None = None
    words: str = ""


def write(
    lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand = "naskh"
) -> tuple[bytes, list[int]]:
    """The file, and the scenes (counted from 0) that it does not show."""
    makers = {"pdf": _write_pdf, "html": _write_html, "ipynb": _write_notebook}
    return makers[choices.kind](lecture, scenes, choices, hand)


def link_of(address: str, scene: Scene) -> str:
    """The address of a scene's view in the app at `address`; "" without one."""
    page = "" if scene.page == "home" else scene.page
    return f"{address.rstrip('/')}/{page}?{urlencode(scene.state)}" if address else ""


def _words_of(kept: KeptScene, choices: Choices) -> dict[str, str]:
    """The words of a scene, by the fields of `SceneText`."""
    scene = kept.scene
    return {
        "title": scene.title,
        "where": kept.where,
        "missing": kept.missing,
        "point": scene.point,
        "question": scene.question,
        "asked": QUESTION_TITLES.get(scene.ask, ""),
        "notes": scene.notes if choices.has_notes else "",
        "link": link_of(choices.address, scene),
    }


def _write_pdf(lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand) -> tuple[bytes, list[int]]:
    pages = [
        ScenePage(
            **_words_of(kept, choices),
            pictures=kept.pictures,
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
        words["missing"] = kept.missing or "This view could not be recorded."
        saved.append(SavedScene(**words, body=kept.view.record.parts() if kept.view else None))
    made = f"{_origin()}{_describe_links(choices.address)}"
    html, left_out = write_lecture(lecture.title, lecture.about, saved, made, "light", hand)
    return html.encode(), left_out


def _write_notebook(
    lecture: Lecture, scenes: Sequence[KeptScene], choices: Choices, hand: Hand
) -> tuple[bytes, list[int]]:
    about = "".join(f"\n\n{markdown_text(line)}" for line in lecture.about.splitlines() if line.strip())
    aim = "Each part recomputes one scene of this lecture with Glassformer's library."
    cells = [
        Cell("markdown", f"# {markdown_text(lecture.title)}{about}\n\n{aim}\n\n{notebooks.HOW_TO_RUN}"),
        notebooks.install_cell(),
    ]
    left_out = []
    for place, kept in enumerate(scenes):
        cells.append(Cell("markdown", _describe_scene(place, kept, choices)))
        if plain_scenes.is_plain(kept.scene):
            continue
        if kept.view is not None and not kept.missing:
            cells += notebooks.view_cells(kept.view.page, kept.view.values)
        else:
            left_out.append(place)
    return write_notebook(cells).encode(), left_out


def _describe_scene(place: int, kept: KeptScene, choices: Choices) -> str:
    """The words of a scene as Markdown, above its cells."""
    scene = kept.scene
    texts = {
        "": kept.missing,
        "What to point at": scene.point,
        "A question for the class": scene.question,
    }
    lines = [f"## {place + 1}. {markdown_text(scene.title or 'untitled')}"]
    if plain_scenes.is_plain(scene):
        equation = plain_scenes.safe_equation(scene.state.get("slide_equation", ""))
        lines += [to_markdown(scene.state.get("slide_text", "")), f"$$\n{equation}\n$$" if equation else ""]
    for name, text in texts.items():
        paragraphs = [markdown_text(line) for line in text.splitlines() if line.strip()]
        if paragraphs:
            lines += [f"**{name}**"] * bool(name) + paragraphs
    if choices.has_notes and scene.notes.strip():
        lines += ["**Notes**", to_markdown(scene.notes)]
    if link := link_of(choices.address, scene):
        lines.append(f"[Open this view]({link})")
    return "\n\n".join(filter(None, lines))


def _origin() -> str:
    return f"Made with Glassformer {share.version()} on {datetime.now(UTC):%Y-%m-%d}."


def _describe_links(address: str) -> str:
    """A sentence about the links of a file, where they need one."""
    if not address or host_of(address) not in ONLY_HERE:
        return ""
    return f" Its links lead to {address}: they open only on the computer on which this file was made."
