"""The choice between lectures, the reader's own and those that come with the app; a new one, its title, its end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lecture_parts import fields
from pages.teach.lectures import my_lecture, own_lectures
from pages.teach.lectures.kept_lectures import MemorySession
from pages.teach.lectures.lecture_file import MAX_CHARACTERS
from pages.teach.lectures.scene import Lecture
from viz.shared.style import isolate, markdown_text
from viz.shared.tokens import shorten

MAX_TITLE_CHARACTERS = 36  # on a button
OPEN_KEY = "lecture_open"


def show() -> str:
    """Draw the choice. Returns the name of the chosen lecture."""
    shipped, own = my_lecture.shipped_lectures(), own_lectures.lectures()
    names = (*own_lectures.names(), *shipped)
    if _may_come_back():
        names = (state.get(OPEN_KEY), *names)
    which = state.checked_choice(OPEN_KEY, names, "Lecture", my_lecture.open_name())
    if which in own and which != my_lecture.open_name():
        own_lectures.open_lecture(which)
    titles = {name: _title(each) for name, each in {**shipped, **own}.items()}
    st.segmented_control(
        "Lecture",
        names,
        key=OPEN_KEY,
        format_func=lambda name: titles.get(name, "…"),
        required=True,
        label_visibility="collapsed",
        on_change=state.put,
        kwargs={"lecture_scene": 0},
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if which in own:
            _show_title_field()
        st.button(
            "New lecture",
            icon=":material/add:",
            disabled=len(own) >= own_lectures.MAX_LECTURES,
            on_click=_add,
        )
        if which in own:
            st.button("Delete this lecture", icon=":material/delete:", on_click=_delete, args=(which,))
    return which


def _may_come_back() -> bool:
    """Whether the link names a lecture that the browser has not given back yet: it does so after its first run."""
    asked = state.get(OPEN_KEY)
    known = own_lectures.is_own(asked) or not of_session(MemorySession).is_fresh
    return not known and asked != my_lecture.MINE and own_lectures.NAME.fullmatch(asked) is not None


def _title(lecture: Lecture) -> str:
    return markdown_text(isolate(shorten(lecture.title or "Untitled", MAX_TITLE_CHARACTERS)))


def _show_title_field() -> None:
    name, title = my_lecture.open_name(), my_lecture.mine().title
    key = f"lecture title {name}"
    fields.show(key, title, partial(_rename, name))
    most = MAX_CHARACTERS["title"]
    st.text_input("Title of the lecture", key=key, max_chars=most, on_change=fields.save, args=(key,), width=340)


def _rename(name: str, title: str) -> None:
    """Name a lecture of the reader's, which another button of the same moment may have closed."""
    shelf = my_lecture.shelf()
    if name == shelf.name:
        my_lecture.try_change(replace(shelf.lecture, title=title))
    elif name in shelf.others:
        others = {**shelf.others, name: replace(shelf.others[name], title=title)}
        my_lecture.change_shelf(replace(shelf, others=others))


def _add() -> None:
    state.put(lecture_open=own_lectures.add(Lecture("New lecture")), lecture_scene=0)


def _delete(name: str) -> None:
    fields.save_all()  # so that Undo brings the lecture back with them
    title = own_lectures.lectures()[name].title
    state.put(lecture_open=own_lectures.delete(name), lecture_scene=0)
    st.toast(f"Deleted: {markdown_text(title or 'Untitled')}. Undo brings it back.", icon=":material/delete:")
