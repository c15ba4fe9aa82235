"""The reader's lectures in the browser's storage (the component `lecture_memory`): what is kept, and its way back.

Each lecture has an entry of its own, so that two windows may work on two of them. The first lecture's entry is that of
older versions of this app, which knew one lecture.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.shared.session.characters import REPLACEMENT, replace_halves
from pages.teach.lectures import lecture_file, lecture_texts, my_lecture, own_lectures
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.my_lecture import MINE
from pages.teach.lectures.scene import Lecture
from viz.shared.style import markdown_text

PROBLEM = ":material/error:"


@dataclass
class MemorySession:
    """The browser's memory as this session knows it.

    `name` is the session's own. `is_fresh`: no run of it has come to its end. `is_restored`: the memory was taken back.
    `packed` is what was sent last, and its bytes. `known` are the names of all lectures that the session had, and
    `unkept` of those for which the browser has no room.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(8))
    is_fresh: bool = True
    is_restored: bool = False
    packed: tuple[dict[str, Any], bytes] | None = None
    known: set[str] = field(default_factory=set)
    unkept: list[str] = field(default_factory=list)


def to_keep() -> dict[str, Any]:
    """The lectures as the browser keeps them: the first one or None, the others, the open one, and what was deleted.

    `unkept`: the names of those of which it said that it has no room for them.
    """
    session = of_session(MemorySession)
    if not my_lecture.has_any():
        return {"lecture": None, "others": {}, "open": MINE, "gone": [], "unkept": []}
    texts = {name: lecture_texts.text_of(name, lecture) for name, lecture in own_lectures.lectures().items()}
    session.known |= set(texts)
    return {
        "lecture": texts.pop(MINE, None),
        "others": texts,
        "open": my_lecture.open_name(),
        "gone": sorted(session.known - set(own_lectures.names())),
        "unkept": session.unkept,
    }


def note_unkept(names: object) -> None:
    """The browser has no room for the lectures of these names, as it says. None: it has room for all again."""
    own = own_lectures.names()
    found = [name for name in names if name in own] if isinstance(names, Sequence) else []
    session = of_session(MemorySession)
    news = set(found) - set(session.unkept)
    session.unkept = found
    if news:
        st.toast(unkept_message(), icon=PROBLEM)


def unkept_message() -> str:
    """What the reader should do about lectures that the browser does not keep; "" where it keeps all."""
    own = own_lectures.lectures()
    titles = [own[name].title or "Untitled" for name in of_session(MemorySession).unkept if name in own]
    if not titles:
        return ""
    which = ", ".join(f"“{markdown_text(title)}”" for title in titles)
    return (
        f"Your browser has no room to keep {which} as it is now. Nothing is lost while this window is open: use “Save "
        "as a file” now. Then delete lectures that you do not need, or allow this site to store more."
    )


def restore(memory: Mapping[str, Any]) -> None:
    """Take back the browser's lectures. `changed` in the memory: another window changed one of them."""
    changed = bool(memory.get("changed"))
    if changed and isinstance(memory.get("gone"), str):
        _forget(memory["gone"])
    if my_lecture.has_any() and not changed:
        return
    found = {name: lecture for name, text in _texts(memory) if (lecture := _read(text)) is not None}
    if not found:
        return
    if changed:
        for name, lecture in found.items():
            _replace(name, lecture)
        return
    wanted = memory.get("open")
    name = wanted if isinstance(wanted, str) and wanted in found else min(found)
    others = {each: lecture for each, lecture in found.items() if each != name}
    if found[name] != my_lecture.mine() or others:
        my_lecture.change_shelf(my_lecture.Shelf(name, found[name], others))


def _texts(memory: Mapping[str, Any]) -> list[tuple[str, str]]:
    others = memory.get("others")
    pairs = [(MINE, memory.get("lecture")), *(others.items() if isinstance(others, Mapping) else ())]
    kept = [(name, text) for name, text in pairs if isinstance(name, str) and isinstance(text, str)]
    return [(name, text) for name, text in kept if own_lectures.NAME.fullmatch(name)][: own_lectures.MAX_LECTURES]


def _read(text: str) -> Lecture | None:
    whole = replace_halves(text)
    try:
        lecture, _ = lecture_file.read(whole.encode())
    except LectureError as error:
        st.toast(f"The lecture that this browser keeps cannot be read. {markdown_text(str(error))}", icon=PROBLEM)
        return None
    if whole != text:
        st.toast(
            f"The lecture that this browser keeps had halves of characters. {REPLACEMENT} stands there.", icon=PROBLEM
        )
    return lecture


def _replace(name: str, lecture: Lecture) -> None:
    shelf = my_lecture.shelf()
    if name == shelf.name:
        if lecture != shelf.lecture:
            my_lecture.change(lecture)
    elif shelf.others.get(name) != lecture:
        my_lecture.put_shelf(replace(shelf, others={**shelf.others, name: lecture}))


def _forget(name: str) -> None:
    """Another window deleted a lecture. The one that is open here stays."""
    shelf = my_lecture.shelf()
    if name in shelf.others:
        others = {each: lecture for each, lecture in shelf.others.items() if each != name}
        my_lecture.put_shelf(replace(shelf, others=others))
        of_session(MemorySession).known.discard(name)
