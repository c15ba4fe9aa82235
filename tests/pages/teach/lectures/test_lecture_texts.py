"""How large lectures may be: one alone, and all together, so that every browser keeps them."""

from __future__ import annotations

import pytest
import streamlit as st

from pages.teach.lectures import kept_lectures, lecture_file, lecture_texts, my_lecture, own_lectures
from pages.teach.lectures.lecture_file import MAX_BYTES, LectureError
from pages.teach.lectures.lecture_texts import MAX_ALL_BYTES, check_size
from pages.teach.lectures.my_lecture import Shelf
from pages.teach.lectures.scene import Lecture, Scene

SCENE_BYTES = 10_000


def large(size: int, title: str = "Large") -> Lecture:
    """A lecture whose file has about so many bytes."""
    notes = "x" * SCENE_BYTES
    return Lecture(title, "", tuple(Scene("heads", {}, notes=notes) for _ in range(size // SCENE_BYTES)))


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    found: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", found)
    return found


@pytest.fixture
def toasts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(st, "toast", lambda text, icon: said.append(text))
    return said


def test_one_lecture_has_a_bound(session: dict[str, object]) -> None:
    check_size("mine", large(MAX_BYTES - 2 * SCENE_BYTES), {})
    with pytest.raises(LectureError, match="the most is 600,000"):
        check_size("mine", large(MAX_BYTES + SCENE_BYTES), {})


@pytest.mark.slow
def test_all_lectures_together_have_a_bound_that_lets_them_shrink(session: dict[str, object]) -> None:
    kept = {f"mine-{place}": large(500_000) for place in range(2, 6)}
    check_size("mine", large(300_000), kept)
    with pytest.raises(LectureError, match="together; a browser keeps 2,400,000"):
        check_size("mine", large(MAX_ALL_BYTES - 1_900_000), kept)
    over = {**kept, "mine": large(MAX_BYTES - SCENE_BYTES)}
    check_size("mine", large(MAX_BYTES - 3 * SCENE_BYTES), over)
    with pytest.raises(LectureError):
        check_size("mine", large(MAX_BYTES - SCENE_BYTES), over)


def test_a_file_that_has_no_room_is_refused_and_everything_stays(session: dict[str, object], toasts: list[str]) -> None:
    others = {f"mine-{place}": large(580_000, f"Large {place}") for place in range(2, 6)}
    before = Shelf("mine", large(20_000), others)
    my_lecture.put_shelf(before)
    assert own_lectures.take_in(large(580_000)) == ""
    assert my_lecture.shelf() == before
    assert "Save one of them as a file" in toasts[0]
    assert own_lectures.take_in(large(20_000)) == "mine-6"


def test_a_lecture_is_written_once_after_each_change(
    session: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    lecture = large(20_000)
    text = lecture_texts.text_of("mine", lecture)
    monkeypatch.setattr(lecture_file, "write", lambda lecture: "anew")
    assert lecture_texts.text_of("mine", lecture) == text
    assert lecture_texts.text_of("mine", large(20_000)) == "anew"


def test_lectures_that_the_browser_does_not_keep_are_named_once(session: dict[str, object], toasts: list[str]) -> None:
    my_lecture.put_shelf(Shelf("mine", Lecture("One *star*"), {"mine-2": Lecture("Two")}))
    assert kept_lectures.unkept_message() == ""
    for _ in range(2):
        kept_lectures.note_unkept(["mine", "gone", 3])
    assert len(toasts) == 1
    assert r"“One \*star\*”" in toasts[0]
    assert "Save as a file" in kept_lectures.unkept_message()
    assert kept_lectures.to_keep()["unkept"] == ["mine"]
    kept_lectures.note_unkept([])
    assert (kept_lectures.unkept_message(), len(toasts)) == ("", 1)
    kept_lectures.note_unkept(None)
    assert kept_lectures.unkept_message() == ""
