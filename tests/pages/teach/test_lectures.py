"""Lecture files: what is written is read back; what a stranger sends is refused or left out, and named."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as anything

from pages.teach.lectures import toml_limits
from pages.teach.lectures.focus_titles import FOCUS_TITLES
from pages.teach.lectures.lecture_file import (
    FORMAT,
    MAX_BYTES,
    MAX_CHARACTERS,
    MAX_MINUTES,
    MAX_SCENES,
    LectureError,
    Problem,
    read,
    write,
)
from pages.teach.lectures.scene import Lecture, Scene

HEAD = f"format = {FORMAT}\n"
# What a text field can hold: no surrogates, and no control characters, which a browser does not send.
TEXT = anything.text(anything.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=60)
NOTES = anything.lists(TEXT, max_size=4).map("\n".join)
SCENES = anything.builds(
    Scene,
    page=TEXT,
    state=anything.dictionaries(TEXT, NOTES, max_size=4),
    title=TEXT,
    point=NOTES,
    question=NOTES,
    notes=NOTES,
    minutes=anything.floats(0, MAX_MINUTES) | anything.integers(0, MAX_MINUTES),
    focus=anything.sampled_from(("", *FOCUS_TITLES)),
    steps=anything.lists(anything.dictionaries(TEXT, NOTES, max_size=3), max_size=3).map(tuple),
)


def scene_of(body: str) -> tuple[Scene, list[Problem]]:
    lecture, problems = read(f'{HEAD}[[scenes]]\npage = "heads"\n{body}'.encode())
    return lecture.scenes[0], problems


@pytest.mark.slow
@given(anything.builds(Lecture, title=TEXT, about=NOTES, scenes=anything.lists(SCENES, max_size=4).map(tuple)))
def test_what_is_written_is_read_back(lecture: Lecture) -> None:
    again, problems = read(write(lecture).encode())
    wanted = lecture if lecture.title else Lecture(about=lecture.about, scenes=lecture.scenes)
    assert again == wanted
    assert problems == []


@given(
    anything.binary(max_size=300)
    | anything.text(max_size=300).map(lambda text: (HEAD + text).encode("utf-8", "replace"))
)
def test_any_bytes_are_a_lecture_or_one_message(file: bytes) -> None:
    with suppress(LectureError):
        read(file)


VALUE = anything.recursive(
    anything.none() | anything.booleans() | anything.integers() | anything.floats() | TEXT,
    lambda inner: anything.lists(inner, max_size=3) | anything.dictionaries(TEXT, inner, max_size=3),
)


@pytest.mark.slow
@given(anything.dictionaries(anything.sampled_from(("title", "page", "notes", "state", "file", "point")), VALUE))
def test_a_scene_of_anything_keeps_only_texts(table: dict[str, object]) -> None:
    import tomli_w

    try:
        file = tomli_w.dumps({"format": FORMAT, "scenes": [table]})
    except TypeError:  # TOML has no null
        return
    assume(not toml_limits.find_excess(file))
    lecture, problems = read(file.encode())
    (scene,) = lecture.scenes
    for name in ("title", "page", "notes", "point"):
        assert isinstance(getattr(scene, name), str)
        assert getattr(scene, name) == table.get(name) or table.get(name) in (None, "") or problems
    assert all(isinstance(value, str) for value in scene.state.values())
    assert ("file" in table) == any(problem.what.startswith("file is not known") for problem in problems)


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"<html><script>alert(1)</script>", "not a TOML file"),
        (b"", f"format = {FORMAT}"),
        (b"format = 99", f"format = {FORMAT}"),
        (HEAD.encode() + b"scenes = 3", "[[scenes]]"),
        (HEAD.encode() + b"scenes = [1, 2]", "[[scenes]]"),
        (HEAD.encode() + b"[[scenes]]\n" * (MAX_SCENES + 1), f"at most {MAX_SCENES}"),
        (b"a" * (MAX_BYTES + 1), "at most 600,000"),
        (HEAD.encode() + b"a = " + b"[" * 100_000, "nested too deeply"),
        (HEAD.encode() + b"a = " + b"9" * 5000, "not a TOML file"),
    ],
)
def test_what_is_no_lecture_is_refused_in_one_sentence(file: bytes, says: str) -> None:
    with pytest.raises(LectureError) as caught:
        read(file)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_unknown_keys_are_named_and_left_out() -> None:
    lecture, problems = read((HEAD + 'path = "/etc/passwd"\n[[scenes]]\npage = "heads"\nrun = "rm"\n').encode())
    assert [(each.scene, each.what) for each in problems] == [
        (None, "path is not known here and was left out"),
        (0, "run is not known here and was left out"),
    ]
    assert lecture.scenes == (Scene("heads", {}),)


def test_html_and_paths_are_only_text() -> None:
    scene, problems = scene_of("notes = '<img src=x onerror=alert(1)>'\n[scenes.state]\ntext = '../../etc/passwd'")
    assert scene.notes == "<img src=x onerror=alert(1)>"
    assert scene.state == {"text": "../../etc/passwd"}
    assert problems == []


def test_numbers_and_truth_values_written_by_hand_are_as_in_a_url() -> None:
    scene, problems = scene_of("[scenes.state]\nheads_layer = 3\ntranslate_pruned = true\nheads_least = 0.05")
    assert scene.state == {"layer": "3", "translate_pruned": "yes", "heads_least": "0.05"}
    assert problems == []


def test_what_is_no_value_is_left_out_and_named() -> None:
    scene, problems = scene_of(f"[scenes.state]\na = [1]\nb = 1979-05-27\nc = '{'x' * 13_000}'\nd = 'kept'")
    assert scene.state == {"d": "kept"}
    assert [each.what.split()[3] for each in problems] == ["a", "b", "c"]


def test_long_texts_are_cut_and_named() -> None:
    scene, problems = scene_of(f"title = '{'x' * 300}'")
    assert len(scene.title) == MAX_CHARACTERS["title"]
    assert problems == [Problem(0, "its title was cut to 120 characters")]


@pytest.mark.parametrize("value", ["-1", "601", "nan", "inf", "true", '"5"', "[1]", "9" * 400])
def test_minutes_that_are_none_are_left_out_and_named(value: str) -> None:
    scene, problems = scene_of(f"minutes = {value}")
    assert scene.minutes == 0
    assert "the value of minutes is not a number from 0 to 600" in problems[0].what


def test_a_focus_that_no_page_has_is_left_out_and_named() -> None:
    scene, problems = scene_of('focus = "heads lines"')
    assert (scene.focus, problems) == ("heads lines", [])
    scene, problems = scene_of('focus = "<b>no such thing</b>"')
    assert scene.focus == ""
    assert [problem.stops for problem in problems] == [False]
    assert "no such thing" in problems[0].what
