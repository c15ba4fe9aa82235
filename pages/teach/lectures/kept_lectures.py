"""The reader's lectures in the browser's storage (the component `lecture_memory`): what is kept, and its way back.

Each lecture has an entry of its own, so that two windows may work on two of them. The first lecture's entry is that of
older versions of this app, which knew one lecture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.shared.session.characters import REPLACEMENT, replace_halves
from pages.teach.lectures import lecture_file, lecture_texts, my_lecture, own_lectures
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.my_lecture import MINE
from pages.teach.lectures.scene import Lecture
from viz.shared.style import markdown_text

PROBLEM = ":material/error:"


def to_keep() -> dict[str, Any]:
    """The lectures as the browser keeps them: the first one or None, the others, the open one, and what was deleted.

    `unkept`: the names of those of which it said that it has no room for them.
    """
    session = st.session_state
    if "_lecture" not in session and "_shelf" not in session:
        return {"lecture": None, "others": {}, "open": MINE, "gone": [], "unkept": []}
    texts = {name: lecture_texts.text_of(name, lecture) for name, lecture in own_lectures.lectures().items()}
    known = session.setdefault("_kept_names", set())
    known |= set(texts)
    return {
        "lecture": texts.pop(MINE, None),
        "others": texts,
        "open": my_lecture.open_name(),
        "gone": sorted(known - set(own_lectures.names())),
        "unkept": session.get("_unkept", []),
    }


def note_unkept(names: object) -> None:
    """The browser has no room for the lectures of these names, as it says. None: it has room for all again."""
    own = own_lectures.names()
    found = [name for name in names if name in own] if isinstance(names, Sequence) else []
    news = set(found) - set(st.session_state.get("_unkept", []))
    st.session_state["_unkept"] = found
    if news:
        st.toast(unkept_message(), icon=PROBLEM)


def unkept_message() -> str:
    """What the reader should do about lectures that the browser does not keep; "" where it keeps all."""
    own = own_lectures.lectures()
    titles = [own[name].title or "Untitled" for name in st.session_state.get("_unkept", []) if name in own]
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
    if "_lecture" in st.session_state and not changed:
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
        st.session_state.get("_kept_names", set()).discard(name)
