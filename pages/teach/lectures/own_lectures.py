"""Several lectures of the reader's own: a new one, another one opened, one deleted. `my_lecture` has the open one."""

from __future__ import annotations

import re

import streamlit as st

from pages.teach.lectures import lecture_texts, my_lecture
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.my_lecture import MINE, Shelf
from pages.teach.lectures.scene import Lecture

MAX_LECTURES = 20
PROBLEM = ":material/error:"
NAME = re.compile(rf"{MINE}(-[1-9][0-9]?)?")


def names() -> list[str]:
    """The names of the reader's lectures: `mine`, `mine-2`, `mine-3` and so on."""
    shelf = my_lecture.shelf()
    return sorted({shelf.name, *shelf.others}, key=lambda name: (len(name), name))


def is_own(which: str) -> bool:
    return which in names()


def lectures() -> dict[str, Lecture]:
    """All lectures of the reader by name."""
    return my_lecture.by_name(my_lecture.shelf())


def open_lecture(name: str) -> None:
    """Work on another lecture of the reader's."""
    my_lecture.put_shelf(_with_open(name, lectures()))


def add(lecture: Lecture) -> str:
    """Add a lecture and open it. Returns its name. There must be fewer than `MAX_LECTURES`."""
    taken, name = lectures(), _free_name()
    my_lecture.change_shelf(_with_open(name, {**taken, name: lecture}))
    return name


def take_in(lecture: Lecture) -> str:
    """Add a lecture and open it; an empty one gives its place.

    Returns its name, or "" after a message: too many lectures, or too large ones.
    """
    if not my_lecture.mine().scenes:
        return my_lecture.open_name() if my_lecture.try_change(lecture) else ""
    if len(names()) >= MAX_LECTURES:
        st.toast(f"You have {MAX_LECTURES} lectures, the most. Delete one first.", icon=PROBLEM)
        return ""
    try:
        lecture_texts.check_size(_free_name(), lecture, lectures())
    except LectureError as error:
        st.toast(str(error), icon=PROBLEM)
        return ""
    return add(lecture)


def delete(name: str) -> str:
    """Delete a lecture. Returns the name of the one that is open then; an empty one follows the last."""
    left = {each: lecture for each, lecture in lectures().items() if each != name} or {MINE: Lecture()}
    shelf = my_lecture.shelf()
    my_lecture.change_shelf(_with_open(shelf.name if shelf.name in left else min(left), left))
    return my_lecture.open_name()


def _free_name() -> str:
    taken = lectures()
    return next(each for each in (MINE, *(f"{MINE}-{n}" for n in range(2, 100))) if each not in taken)


def _with_open(name: str, taken: dict[str, Lecture]) -> Shelf:
    return Shelf(name, taken[name], {each: lecture for each, lecture in taken.items() if each != name})
