"""The files of a lecture: what is said of links, and a notebook whose parts run one after the other."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import nbformat
import pytest

from pages.shared.session.key_texts import to_text
from pages.shared.session.keys import KEYS
from pages.teach.handouts import handout_scene, lecture_documents
from pages.teach.handouts.kept_scene import KeptScene
from pages.teach.handouts.lecture_documents import Choices
from pages.teach.handouts.scene_view import SceneView
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.executed_notebooks import executed
from viz.documents.page_parts import Group

DEFAULTS = {name: key.default for name, key in KEYS.items()}
TINY = {"model": "tiny-lm", "text": "the dog sees the cat"}
HEAD = TINY | {"attention": "decoder.self_attn"}


def kept(page: str, title: str, view: dict[str, object] | None = None, **words: str) -> KeptScene:
    values = None if view is None else SceneView(page, Group([]), DEFAULTS | view, {})
    missing = "" if view is not None else "This view was not ready."
    return KeptScene(Scene(page, TINY, title, **words), "where", view=values, missing=missing)


def made(page: str, title: str, values: dict[str, Any], **words: str) -> KeptScene:
    """A scene with the view that its values open."""
    link = {name: to_text(value) for name, value in values.items()}
    return replace(kept(page, title, values, **words), view=handout_scene.make(page, link).view)


def notebook(*scenes: KeptScene, **choices: object) -> tuple[str, list[int]]:
    lecture = Lecture("A *lecture*", "About it.", tuple(each.scene for each in scenes))
    scenes = tuple(replace(each, place=place) for place, each in enumerate(scenes))
    file, left_out = lecture_documents.write(lecture, scenes, Choices("ipynb", **choices))  # type: ignore[arg-type]
    return file.decode(), left_out


def test_the_notebook_of_a_lecture_runs_from_start_to_end() -> None:
    masks = HEAD | {"masks_part": "ways", "layer": 2, "head": 0}
    heads = HEAD | {"heads_view": "Matrix", "layer": 1, "head": 2}
    text, left_out = notebook(
        made("masks", "First", masks), kept("cost", "Gone"), made("heads", "Second", heads, notes="N. <b>")
    )
    assert left_out == [1]
    head = executed(text)["view"].head
    assert (head.at.layer, head.head) == (1, 2), "of the last scene"
    cells = nbformat.reads(text, as_version=4).cells
    assert sum("git" in cell.source for cell in cells if cell.cell_type == "code") == 1
    titles = [cell.source.split("\n")[0] for cell in cells if cell.source.startswith("## ")]
    assert titles == ["## 1. First", "## 2. Gone", "## 3. Second"]
    assert "<b>" not in text


def test_notes_are_left_out_where_they_are_not_wanted() -> None:
    scene = kept("heads", "One", dict(TINY), notes="Only for me", point="The line")
    assert "Only for me" in notebook(scene)[0]
    assert "Only for me" not in notebook(scene, has_notes=False)[0]
    assert "The line" in notebook(scene, has_notes=False)[0]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/app/", "https://example.org/app/heads?model=tiny-lm&text=the+dog+sees+the+cat"),
        ("", ""),
    ],
)
def test_links_lead_to_the_address_that_the_lecturer_gives(address: str, link: str) -> None:
    assert lecture_documents.link_of(address, Scene("heads", TINY)) == link
    home = lecture_documents.link_of(address, Scene("home", {}))
    assert home == ("https://example.org/app/?" if address else "")


@pytest.mark.parametrize("address", ["http://127.0.0.1:8501", "http://localhost", "http://[::1]:80", "http://[", ""])
def test_a_file_says_where_its_links_do_not_open(address: str) -> None:
    scene = kept("heads", "One", dict(TINY))
    file, _ = lecture_documents.write(Lecture(scenes=(scene.scene,)), [scene], Choices("html", address=address))
    is_told = b"open only on the computer on which this file was made" in file
    assert is_told == address.endswith(("8501", "localhost", ":80"))


def test_a_notebook_is_json_with_cells_of_different_names() -> None:
    text, _ = notebook(kept("heads", "One", dict(TINY)), kept("heads", "Two", dict(TINY)))
    names = [cell["id"] for cell in json.loads(text)["cells"]]
    assert len(names) == len(set(names))
