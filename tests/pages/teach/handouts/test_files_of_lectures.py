"""What a scene has on the screen is in all three files of its lecture: every scene of every lecture that comes with the
app, and one lecture of a lecturer's own with all that these lack.

The browser test of the same: tests/browser/test_handout.py.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from pages.teach.handouts import handout, lecture_documents
from pages.teach.handouts.handout import HandoutJob
from pages.teach.handouts.kept_scene import WORDS_ASKED, KeptScene
from pages.teach.handouts.lecture_documents import Choices, Kind
from pages.teach.lectures import lecture_file, plain_scenes
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.teach.handouts.test_handout_plain import uploaded
from viz.documents.scene_text import SceneText
from viz.shared.style import COLOURS, CUT, is_right_to_left, markdown_text

FRAME = tuple(int(COLOURS["light"]["key_text"][place : place + 2], 16) for place in (1, 3, 5))
TINY = {"model": "tiny-lm", "text": "The dog is hungry"}
PARAGRAPHS = ["First the **one**.", "- a point", "Then another.", "A fourth <b>.", "The fifth."]
FRAME_IN_PDF = rb"CS 0\.639\d* 0\.360\d* 0 SCN 1\.5 w"
SLIDE = {
    "slide_title": "Why?",
    "slide_text": "\n".join(PARAGRAPHS),
    "slide_equation": r"\sqrt{d_k}",
    "slide_alt": "Red",
}
OWN = Lecture(
    "My own",
    "About *it*.",
    (
        plain_scenes.step_through(Scene("slide", SLIDE, "Why?", notes="Say it.", picture=uploaded())),
        Scene(
            "heads", TINY | {"heads_view": "Matrix", "layer": "1", "head": "2"}, "A vote", point="The <i>row</i>.",
            question="Which one?", choices=("this", "that & those", "none"), answer=2, seconds=30,
        ),
        Scene("heads", TINY, "Words", question="What do you see?", words=True),
        Scene(
            "training", {"training_part": "replay", "training_of": "tiny-lm", "training_snapshot": "3"}, "It learns",
            point="The loss.", steps=({"training_snapshot": "5"}, {"training_snapshot": "8"}),
        ),
        Scene("nowhere", {}, "Gone", question="Where?"),
    ),
)  # fmt: skip
LECTURES = lecture_file.shipped_lectures() | {"own": OWN}


@pytest.fixture(scope="module")
def keep() -> Callable[[str], list[KeptScene]]:
    """Makes the scenes of a lecture once, for all tests."""

    @cache
    def kept_scenes(name: str) -> list[KeptScene]:
        job = HandoutJob(LECTURES[name], handout.plan_tasks(LECTURES[name]))
        job.work(lambda: True)
        assert not job.failed
        return job.kept

    return kept_scenes


def words_of(kept: KeptScene) -> list[str]:
    """All lines that a scene says or shows in words, but those of a plain scene."""
    text = SceneText(**lecture_documents._words_once(kept, Choices()))
    said = [text.name, text.where, text.missing, text.point, text.question, text.notes.replace("**", ""), kept.caption]
    if text.asked is not None:
        said += [*text.asked.lines, text.asked.solution]
    lines = (re.sub(r"^- ", "", line.strip()) for each in said for line in each.splitlines())
    return [line for line in lines if line]


def letters(text: str) -> str:
    """A text without what a file may write in another way: spaces, hyphens at the end of a line, isolates."""
    return re.sub(r"[\s\u00ad\u2010\u2066-\u2069-]", "", text)


def write(name: str, kind: Kind, scenes: list[KeptScene]) -> bytes:
    return lecture_documents.write(LECTURES[name], scenes, Choices(kind))[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", LECTURES)
def test_each_scene_is_whole_in_the_pdf(name: str, keep: Callable[[str], list[KeptScene]]) -> None:
    scenes = keep(name)
    pages: Any = PdfReader(io.BytesIO(write(name, "pdf", scenes))).pages
    text = letters("".join(page.extract_text() for page in pages))
    for kept in scenes:
        for line in words_of(kept):
            if not has_urdu(line):  # its letters are joined, and in another order
                assert letters(line) in text, (kept.scene.title, line)
        for paragraph in plain_scenes.paragraphs_of(kept.words):
            assert letters(re.sub(r"^- |\*\*", "", paragraph)) in text, kept.scene.title
    drawn = b"".join(page.get_contents().get_data() for page in pages[1:])
    assert drawn.count(b"/Alt") == sum(len(kept.pictures) for kept in scenes)
    assert len(re.findall(FRAME_IN_PDF, drawn)) == sum(kept.framed for kept in scenes)


@pytest.mark.slow
@pytest.mark.parametrize("name", LECTURES)
def test_each_scene_is_whole_in_the_page(name: str, keep: Callable[[str], list[KeptScene]]) -> None:
    scenes = keep(name)
    sections = write(name, "html", scenes).decode().split('<section class="scene"')[1:]
    assert len(sections) == len(scenes)
    for kept, section in zip(scenes, sections, strict=True):
        for line in words_of(kept):
            if line != kept.caption:  # the page has its own, with more in it
                assert escape(line) in re.sub(r"</?strong>", "", section), (kept.scene.title, line)
        for paragraph in plain_scenes.paragraphs_of(kept.words):
            plain = escape(re.sub(r"^- |\*\*", "", paragraph), quote=False)
            assert plain in re.sub(r"</?strong>", "", section), paragraph
        if kept.view is not None:
            assert section.count('<div class="focus">') == bool(kept.scene.point), kept.scene.title
            inside = section.partition('<div class="focus">')[2]
            assert not kept.scene.point or re.search(r"<figure|data-component|<table", inside), kept.scene.title


@pytest.mark.slow
@pytest.mark.parametrize("name", LECTURES)
def test_each_scene_is_whole_in_the_notebook(name: str, keep: Callable[[str], list[KeptScene]]) -> None:
    scenes = keep(name)
    cells = json.loads(write(name, "ipynb", scenes))["cells"]
    texts = [cell for cell in cells if cell["cell_type"] == "markdown" and cell["source"][0].startswith("## ")]
    titles = [re.compile(rf"## \d+\. {re.escape(plain(SceneText(**_title(kept)).name))}") for kept in scenes]
    texts = [cell for cell in texts if any(title.match(cell["source"][0].strip()) for title in titles)]
    assert len(texts) == len(scenes)
    for kept, cell in zip(scenes, texts, strict=True):
        source = "".join(cell["source"])
        for line in words_of(kept):
            assert plain(line) in source.replace("**", ""), (kept.scene.title, line)
        for paragraph in plain_scenes.paragraphs_of(kept.words):
            assert plain(re.sub(r"^- |\*\*", "", paragraph)) in source.replace("**", ""), paragraph
        attached = cell.get("attachments", {})
        if plain_scenes.is_plain(kept.scene):
            assert [*attached.values()] == [{"image/webp": kept.scene.picture}]
            continue
        assert len(attached) == len(kept.pictures)
        assert all(f"(attachment:{picture})" in source for picture in attached)
        assert [is_framed(each["image/png"]) for each in attached.values()] == [
            place < kept.framed for place in range(len(attached))
        ]


def _title(kept: KeptScene) -> dict[str, Any]:
    return {"title": kept.scene.title, "step": kept.step, "steps": kept.steps}


def plain(text: str) -> str:
    return markdown_text(text).replace(CUT, "")


def has_urdu(text: str) -> bool:
    return any(is_right_to_left(letter) for letter in text if letter.isalpha())


def is_framed(png: str) -> bool:
    """Whether the upper edge of a picture has the frame of what a scene points at."""
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"), int)
    edge = pixels[:8, pixels.shape[1] // 2]
    return bool((np.abs(edge - FRAME).max(1) < 60).any())


def test_a_lecture_of_ones_own_has_each_step_and_each_choice(keep: Callable[[str], list[KeptScene]]) -> None:
    slide, vote, words, *learnt, gone = keep("own")
    assert [(kept.place, kept.step, kept.steps) for kept in learnt] == [(3, 1, 3), (3, 2, 3), (3, 3, 3)]
    steps = [re.search(r"Snapshot of the training: (\d+)", kept.where) for kept in learnt]
    assert len({found[1] for found in steps if found}) == 3, "another snapshot in each"
    assert slide.words.count("\n") == 4, "all paragraphs"
    assert slide.steps == 1
    assert vote.asked is not None
    assert [*vote.asked.lines] == ["Which one?", "A. this", "B. that & those", "C. none", "Time to answer: 30 seconds."]
    assert vote.asked.solution == "B. that & those"
    assert words.asked is not None
    assert words.asked.lines == ["What do you see?", WORDS_ASKED]
    assert (gone.missing, gone.said_question) == ("The page “nowhere” does not exist.", "Where?")


@pytest.mark.slow
def test_a_question_from_the_numbers_has_its_choices(keep: Callable[[str], list[KeptScene]]) -> None:
    asked = [kept for kept in keep("attention") if kept.scene.ask]
    assert asked
    for kept in asked:
        assert kept.asked is not None
        assert len(kept.asked.choices) > 1, kept.scene.title
        assert kept.asked.solution
