"""The files of a lecture: every scene is made once, what cannot be made says why, and work can be stopped."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from matplotlib.figure import Figure
from pypdf import PdfReader

from glassformer import __version__
from model.numerals import file_size
from pages.catalogue import BY_URL
from pages.shared.session.keys import KEYS
from pages.shared.sharing import share
from pages.teach.handouts import handout, handout_scene
from pages.teach.handouts.handout import HandoutJob, SceneTask
from pages.teach.handouts.handout_scene import MadeScene
from pages.teach.handouts.scene_view import COLUMNS_OF_WORDS, MAX_PRINTED_COLUMNS, MAX_PRINTED_ROWS, SceneView
from pages.teach.lecture_parts import handout as part
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.conftest import run_page, session_of, text
from views.parts import Files
from viz.documents.page_parts import Group, Picture, Plot, Table, Text

TINY = {"model": "tiny-lm", "text": "The dog is hungry"}
DEFAULTS = {name: key.default for name, key in KEYS.items()}
LECTURE = Lecture("Heads", "", (Scene("heads", {"text": "a"}, "First"), Scene("gone", {}, "Second", notes="لڑکی")))


def tasks() -> list[SceneTask]:
    first, second = LECTURE.scenes
    return [SceneTask(first, BY_URL["heads"], "Heads · a"), SceneTask(second, None, "gone", place=1)]


def files(*focus: str) -> Files:
    return Files("name", lambda theme: Figure(figsize=(2, 1)), focus=focus)


def view_of(*parts: Any) -> SceneView:
    return SceneView("heads", Group(list(parts)), DEFAULTS, {})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The views that are asked for, in order; none is made."""
    found: list[Any] = []

    def make(url: str, link: Any, ask: str = "") -> MadeScene:
        found.append((url, dict(link)))
        words = ":gray[The idea.]", ":gray[**Anna** looks at $a$. Click a cell.]"
        return MadeScene(view_of(*map(Text, words)), [files()])

    monkeypatch.setattr(handout_scene, "make", make)
    return found


def test_urdu_is_printed_in_the_hand_of_the_reader(asked: list[Any]) -> None:
    job = HandoutJob(LECTURE, tasks(), "nastaliq")
    job.work(lambda: True)
    page: Any = PdfReader(io.BytesIO(job.file or b"")).pages[1]
    fonts = {font.get_object()["/BaseFont"].split("+")[1] for font in page["/Resources"]["/Font"].values()}
    assert "NotoNastaliqUrdu-Regular" in fonts


def test_every_scene_has_a_page_and_one_that_cannot_be_played_says_why(asked: list[Any]) -> None:
    job = HandoutJob(LECTURE, tasks())
    job.work(lambda: True)
    assert asked == [("heads", {"text": "a"})]
    assert (job.done, job.without, job.failed) == (2, [1], False)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(job.file or b"")).pages]
    assert len(pages) == 2, "both scenes fit one page"
    assert "Anna looks at a." in pages[1]
    assert "Click" not in pages[1]
    assert "The page “gone” does not exist." in pages[1]
    assert f"Glassformer {__version__}" in pages[0]


def test_work_that_is_stopped_makes_no_file_and_can_begin_again(asked: list[Any]) -> None:
    job, turns = HandoutJob(LECTURE, tasks()), iter([True, False])
    job.work(lambda: next(turns))
    assert (job.done, job.file, job.failed) == (1, None, False)
    job.work(lambda: True)
    assert len(asked) == 1, "the first scene is kept"
    assert (job.done, job.without) == (2, [1])
    assert job.file is not None


def test_an_error_is_told_and_does_not_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handout_scene, "make", lambda *_: 1 / 0)
    job = HandoutJob(LECTURE, tasks())
    job.work(lambda: True)
    assert (job.failed, job.file) == (True, None)


def test_a_scene_is_the_view_that_its_link_opens() -> None:
    made = handout_scene.make("heads", TINY | {"heads_view": "Matrix", "layer": "1", "head": "2"}, "attention")
    assert made.view is not None
    assert (made.view.url, made.view.values["layer"], made.view.facts["Sentence"]) == ("heads", 1, "The dog is hungry")
    assert made.posed is not None
    assert made.caption("")
    assert made.files


@pytest.mark.parametrize(
    ("url", "link", "fault"),
    [
        ("heads", TINY | {"text": ""}, "Type a sentence"),
        ("why", TINY | {"model": "en-ur", "why_part": "account", "target": "x " * 400}, "tokens"),
        ("glossary", TINY, handout_scene.NO_PICTURE),
    ],
)
def test_a_scene_that_cannot_be_made_says_why(url: str, link: dict[str, str], fault: str) -> None:
    made = handout_scene.make(url, link)
    assert made.view is None
    assert made.files == ()
    assert fault in made.fault


@pytest.mark.slow
def test_a_scene_says_in_words_what_it_shows() -> None:
    steps = {"predict_path": "260,567", "predict_step": "1", "predict_temperature": "0.5"}
    lecture = Lecture("One", "", (Scene("predict", TINY | steps, "Written"),))
    job = HandoutJob(lecture, handout.plan_tasks(lecture))
    job.work(lambda: True)
    assert job.kept[0].where == "Predict · Tiny language model · The dog is hungry · Step: 1 · Temperature: 0.5"


def test_a_mistake_of_ours_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "collect_facts", lambda: 1 / 0)
    assert handout_scene.make("heads", TINY).fault == handout_scene.MET_ERROR


def test_a_view_without_a_picture_says_what_its_page_says() -> None:
    assert view_of(Text("One"), Text("**x** is not installed.", "error"), Text("Note", "info")).message() == (
        "x is not installed."
    )
    assert view_of(Text("One")).message() == ""


def test_a_picture_that_the_focus_names_has_the_caption_below_it() -> None:
    second = Group([Text(":gray[Of the second.]")], key="the second")
    view = view_of(Text(":gray[The idea.]"), Text(":gray[Of the first.]"), second, Text(":gray[End.]"))
    made = MadeScene(view, [files(), files("the second")])
    assert [made.caption(""), made.caption("the first")] == ["Of the first."] * 2
    assert made.caption("the second") == "Of the second."


def test_a_page_marks_what_its_scene_points_at() -> None:
    first, second = Picture("data:,1", "One"), Group([Picture("data:,2", "Two")], key="the second")
    view = view_of(Text("The idea."), first, second)
    assert view.page_with_focus("the second").parts[1:] == [first, Group([second], "focus")]
    assert view.page_with_focus("nowhere").parts[1:] == [Group([first], "focus"), second]


def test_columns_of_words_are_printed_as_a_table() -> None:
    columns = [
        Group([Text(name), Text(word)], "column")
        for name, word in (("**One** :green[:material/check: right]", "a"), ("**Two**", "ب"))
    ]
    table = view_of(Group([Group(columns, "row")], key=COLUMNS_OF_WORDS)).table_of_words()
    assert table is not None
    assert [" ".join(name.split()) for name in table.columns] == ["One ✓ right", "Two"]
    assert [list(row) for row in table.rows] == [["a", "ب"]]
    assert view_of(Text("No columns")).table_of_words() is None


def test_a_small_table_above_the_picture_is_printed() -> None:
    small, picture = Table(["step", "token"], [["0", "a"], ["1", "b"]], 2), Plot("{}", "Bars")
    assert view_of(Text("The idea."), small, picture).leading_table() == small
    assert view_of(picture, small).leading_table() is None, "the picture stands first"
    assert view_of(replace(small, total=MAX_PRINTED_ROWS + 1), picture).leading_table() is None
    wide = Table(["a"] * (MAX_PRINTED_COLUMNS + 1), [], 0)
    assert view_of(wide, picture).leading_table() is None


@pytest.mark.slow
def test_the_page_makes_a_handout_and_offers_it(asked: list[Any]) -> None:
    app = run_page("teach/lecture.py", lecture_open="urdu")
    app.button("make handout").click().run()
    job = session_of(app, part.HandoutSession).job
    assert handout.pool().join(60)
    app.run()
    assert not app.exception
    words = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(job.file)).pages)
    assert all(scene.title in words for scene in job.lecture.scenes)
    assert f"14 scenes, {file_size(len(job.file))}." in text(app)
    app.session_state["lecture_open"] = "positions"
    app.run()
    assert app.button("make handout"), "it was another lecture's"
    assert session_of(app, part.HandoutSession).job is None


def test_an_empty_lecture_has_none() -> None:
    assert run_page("teach/lecture.py").button("make handout").disabled


@pytest.mark.slow
def test_another_kind_of_file_makes_no_scene_again(asked: list[Any]) -> None:
    app = run_page("teach/lecture.py", lecture_open="urdu")
    app.button("make handout").click().run()
    assert handout.pool().join(60)
    count = len(asked)
    app.run()
    app.toggle("handout notes").set_value(False).run()
    app.button("make handout").click().run()
    assert handout.pool().join(60)
    assert len(asked) == count == 14
    job = session_of(app, part.HandoutSession).job
    words = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(job.file)).pages)
    assert "Where did reads go?" in words
    assert "Read aloud" not in words


def test_an_address_that_opens_nowhere_else_is_told_and_one_that_is_none_is_refused() -> None:
    app = run_page("teach/lecture.py", lecture_open="urdu")
    app.text_input("handout address").set_value("http://127.0.0.1:8501").run()
    assert "only works on this computer" in app.warning[0].value
    app.text_input("handout address").set_value("ftp://x").run()
    assert "This is no address of the web" in app.error[0].value
