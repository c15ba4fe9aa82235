"""The notebook of a lecture: for each scene its words, its pictures, and the cells that make its view."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from model.vision.headers import read_header
from pages.shared.sharing import notebooks
from pages.teach.handouts.kept_scene import KeptScene
from pages.teach.lectures import plain_scenes
from pages.teach.lectures.notes_markdown import to_markdown
from pages.teach.lectures.scene import Lecture
from viz.documents.notebook import Cell, NotebookPicture, write_notebook
from viz.documents.page_parts import Table
from viz.documents.raster import write_png
from viz.documents.scene_text import ANSWER, FOR_CLASS, SceneText, number_scenes
from viz.shared.style import CUT, markdown_text

AIM = "Each part makes one scene of this lecture again, with Glassformer's library."


def write(lecture: Lecture, scenes: Sequence[KeptScene], texts: Sequence[SceneText]) -> tuple[bytes, list[int]]:
    """The notebook, and the places of the scenes whose view it does not make. `texts`: the words of each scene."""
    about = "".join(f"\n\n{markdown_text(line)}" for line in lecture.about.splitlines() if line.strip())
    head = f"# {markdown_text(lecture.title)}{about}\n\n{AIM}\n\n{notebooks.HOW_TO_RUN}"
    cells, left_out = [_text_cell(head, {}), notebooks.install_cell()], []
    for place, (kept, text, number) in enumerate(zip(scenes, texts, number_scenes(texts), strict=True)):
        cells.append(_describe_scene(kept, text, number))
        if plain_scenes.is_plain(kept.scene):
            continue
        if kept.view is not None and not kept.missing:
            cells += kept.view.cells
        else:
            left_out.append(place)
    return write_notebook(cells).encode(), left_out


def _describe_scene(kept: KeptScene, text: SceneText, number: int) -> Cell:
    """The words and pictures of a scene, above its cells."""
    pictures = _pictures_of(kept)
    alt = _one_line(kept.scene.state.get("slide_alt", "") or kept.caption or text.title)
    lines = [f"## {number}. {markdown_text(text.name)}", *_paragraphs("", text.where), *_paragraphs("", text.missing)]
    if plain_scenes.is_plain(kept.scene):
        equation = plain_scenes.safe_equation(kept.scene.state.get("slide_equation", ""))
        lines += [to_markdown(kept.scene.state.get("slide_text", "")), f"$$\n{equation}\n$$" if equation else ""]
    lines += [_table_markdown(kept.table) if kept.table else ""]
    lines += [f"![{alt}](attachment:{name})" for name in pictures]
    lines += [*_paragraphs("", kept.caption), *_paragraphs(FOR_CLASS, text.question)]
    if text.asked is not None:
        lines += _paragraphs(text.asked.title, "\n".join(text.asked.lines))
        lines += _paragraphs(ANSWER, text.asked.solution)
    lines += _paragraphs("What to point at, in the frame" if kept.framed else "What to point at", text.point)
    if text.notes.strip():
        lines += ["**Notes**", to_markdown(text.notes)]
    if text.link:
        lines.append(f"[Open this view]({text.link})")
    return _text_cell("\n\n".join(filter(None, lines)), pictures)


def _text_cell(markdown: str, pictures: Mapping[str, NotebookPicture]) -> Cell:
    """Markdown of the app, without the cuts that only Streamlit reads as nothing."""
    return Cell("markdown", markdown.replace(CUT, ""), pictures=pictures)


def _paragraphs(name: str, text: str) -> list[str]:
    """The paragraphs of a text as Markdown, below their name."""
    paragraphs = [markdown_text(line) for line in text.splitlines() if line.strip()]
    return [f"**{name}**"] * bool(name and paragraphs) + paragraphs


def _pictures_of(kept: KeptScene) -> dict[str, NotebookPicture]:
    """The pictures of a scene by their names: that of a plain scene as it was uploaded."""
    if plain_scenes.is_plain(kept.scene):
        data = kept.scene.picture
        kind = read_header(base64.b64decode(data)).kind.lower() if data else ""
        return {f"picture.{kind}": NotebookPicture(kind, data)} if data else {}
    made = (write_png(picture, number < kept.framed) for number, picture in enumerate(kept.pictures))
    return {
        f"picture-{number}.png": NotebookPicture("png", base64.b64encode(png).decode())
        for number, png in enumerate(made, start=1)
    }


def _table_markdown(table: Table) -> str:
    head, *rows = (" | ".join(map(_one_line, row)) for row in (table.columns, *table.rows))
    return "\n".join((f"| {head} |", "|" + " --- |" * len(table.columns), *(f"| {row} |" for row in rows)))


def _one_line(text: str) -> str:
    """Text within a line of Markdown: in a cell of a table, or in the square brackets of a picture."""
    return markdown_text(" ".join(text.split()))
