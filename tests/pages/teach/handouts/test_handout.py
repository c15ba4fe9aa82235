"""The files of a lecture: every scene is played once, what cannot be played says why, and work can be stopped."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure
from pypdf import PdfReader
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from model.numerals import file_size
from pages.shared.elements.figures import Drawer
from pages.shared.sharing import share
from pages.shared.sharing.share import RecordedView
from pages.teach.handouts import handout, handout_scene
from pages.teach.handouts.handout import HandoutJob, SceneTask
from pages.teach.handouts.handout_scene import PlayedScene
from pages.teach.lecture_parts import handout as part
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.conftest import run_page, session_of, text

PAGE: Any = SimpleNamespace(title="Heads", _script_hash="hash")
LECTURE = Lecture("Heads", "", (Scene("heads", {"text": "a"}, "First"), Scene("gone", {}, "Second", notes="لڑکی")))


def tasks() -> list[SceneTask]:
    return [SceneTask(LECTURE.scenes[0], PAGE, "Heads · a"), SceneTask(LECTURE.scenes[1], None, "gone", place=1)]


PLACES = itertools.count()


def sent(text: str) -> Any:
    """A message with which a page shows Markdown."""
    message = ForwardMsg()
    message.metadata.delta_path[:] = [0, next(PLACES)]
    message.delta.new_element.markdown.body = text
    return message


def played(*texts: str, picture: bool = True) -> PlayedScene:
    """What is left of a page that wrote these."""
    found = PlayedScene(drawers=[Drawer(lambda theme: Figure(figsize=(2, 1)))] if picture else [])
    for each in texts:
        found.take(sent(each))
    found.finished.set()
    return found


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was played, in order; nothing runs."""
    asked: list[Any] = []

    def instead(page: Any, view: Any, context: Any, go_on: Callable[[], bool], ask: str = "") -> PlayedScene:
        asked.append((page, dict(view)))
        return played(":gray[The idea.]", ":gray[**Anna** looks at $a$. Click a cell.]")

    monkeypatch.setattr(handout_scene, "play", instead)
    return asked


def test_urdu_is_printed_in_the_hand_of_the_reader(play: list[Any]) -> None:
    job = HandoutJob(LECTURE, tasks(), None, "nastaliq")
    job.work(lambda: True)
    page: Any = PdfReader(io.BytesIO(job.file or b"")).pages[1]
    fonts = {font.get_object()["/BaseFont"].split("+")[1] for font in page["/Resources"]["/Font"].values()}
    assert "NotoNastaliqUrdu-Regular" in fonts


def test_every_scene_has_a_page_and_one_that_cannot_be_played_says_why(play: list[Any]) -> None:
    job = HandoutJob(LECTURE, tasks(), None)
    job.work(lambda: True)
    assert play == [(PAGE, {"text": "a"})]
    assert (job.done, job.without, job.failed) == (2, [1], False)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(job.file or b"")).pages]
    assert len(pages) == 2, "both scenes fit one page"
    assert "Anna looks at a." in pages[1]
    assert "Click" not in pages[1]
    assert "The page “gone” does not exist." in pages[1]
    assert f"Glassformer {share.version()}" in pages[0]


def test_work_that_is_stopped_makes_no_file_and_can_begin_again(play: list[Any]) -> None:
    job, turns = HandoutJob(LECTURE, tasks(), None), iter([True, True, False])
    job.work(lambda: next(turns))
    assert (job.done, job.file, job.failed) == (1, None, False)
    job.work(lambda: True)
    assert len(play) == 1, "the first scene is kept"
    assert (job.done, job.without) == (2, [1])
    assert job.file is not None


def test_an_error_is_told_and_does_not_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handout_scene, "play", lambda *_: 1 / 0)
    job = HandoutJob(LECTURE, tasks(), None)
    job.work(lambda: True)
    assert (job.failed, job.file) == (True, None)


def test_a_view_without_a_picture_says_what_its_page_says() -> None:
    assert played(picture=False).fault() == "This view has no picture to print."
    refused = played(picture=False)
    message = sent("")
    message.delta.new_element.alert.body = "**x** is not installed."
    message.delta.new_element.alert.format = 1
    refused.take(message)
    assert refused.fault() == "x is not installed."
    message = sent("")
    message.delta.new_element.exception.message = "no"
    refused.take(message)
    assert refused.fault() == "This view met an error, and shows nothing."
    assert "not ready after" in PlayedScene().fault()


def test_a_page_that_runs_again_is_read_from_its_second_run() -> None:
    found = played(":gray[The idea.]", ":gray[Old.]")
    again = ForwardMsg()
    again.new_session.name = "app"
    found.take(again)
    for each in (":gray[The idea.]", ":gray[New.]"):
        found.take(sent(each))
    assert found.caption() == "New."


def block(path: list[int], key: str = "", column: bool = False) -> Any:
    """A message with which a page opens a container or a column."""
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    message.delta.add_block.id = f"$$ID-hash-{key}" if key else ""
    if column:
        message.delta.add_block.column.weight = 1
    else:
        message.delta.add_block.vertical.border = False
    return message


def placed(path: list[int], text: str) -> Any:
    message = sent(text)
    message.metadata.delta_path[:] = path
    return message


def test_a_picture_that_the_focus_names_has_the_caption_below_it() -> None:
    found = PlayedScene(drawers=[Drawer(lambda theme: Figure()), Drawer(lambda theme: Figure(), ("the second",))])
    lines = (":gray[The idea.]", ":gray[Of the first.]")
    messages = [placed([0, place], text) for place, text in enumerate(lines)]
    messages += [block([0, 2], "the second"), placed([0, 2, 0], ":gray[Of the second.]"), placed([0, 3], ":gray[End.]")]
    for message in messages:
        found.take(message)
    assert [found.caption(), found.caption("the first")] == ["Of the first."] * 2
    assert found.caption("the second") == "Of the second."


def test_columns_of_words_are_printed_as_a_table() -> None:
    found = PlayedScene()
    found.take(block([0, 0], handout_scene.COLUMNS_OF_WORDS))
    found.take(block([0, 0, 0]))
    for place, (name, word) in enumerate((("**One** :green[:material/check: right]", "a"), ("**Two**", "ب"))):
        found.take(block([0, 0, 0, place], column=True))
        found.take(placed([0, 0, 0, place, 0], name))
        found.take(placed([0, 0, 0, place, 1], word))
    assert found.table_of_words() is None, "the page is not ready"
    found.views.append(RecordedView("", found.record, {}, {}))
    found.finished.set()
    table = found.table_of_words()
    assert table is not None
    assert [" ".join(name.split()) for name in table.columns] == ["One ✓ right", "Two"]
    assert [list(row) for row in table.rows] == [["a", "ب"]]


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch, play: list[Any]) -> None:
    """AppTest has no server that could play scenes."""
    monkeypatch.setattr(handout, "can_play", lambda: True)


@pytest.mark.slow
def test_the_page_makes_a_handout_and_offers_it(ready: None) -> None:
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
def test_another_kind_of_file_plays_no_scene_again(ready: None, play: list[Any]) -> None:
    app = run_page("teach/lecture.py", lecture_open="urdu")
    app.button("make handout").click().run()
    assert handout.pool().join(60)
    count = len(play)
    app.run()
    app.toggle("handout notes").set_value(False).run()
    app.button("make handout").click().run()
    assert handout.pool().join(60)
    assert len(play) == count == 14
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
