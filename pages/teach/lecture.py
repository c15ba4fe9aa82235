"""Lecture: the reader's scenes in order, the lectures that come with the app, presenting, and a class that follows."""

from __future__ import annotations

import streamlit as st

from pages.shared import layout, state
from pages.teach import my_lecture, presentation
from pages.teach.lecture_file import Lecture
from pages.teach.lecture_parts import files, followers, handout, scenes
from viz.shared.style import count_noun, markdown_text

IDEA = "Views in an order: collect them with “Add this view”, say what each shows, and present them."
KEYS = (
    "While presenting: Page Down, arrow or space for the next scene, Page Up for the one before; **N** speaker notes "
    "in a second window, **Q** the question, **A** a question that the class answers, and its answer, **B** a blank "
    "screen, **L** a laser spot, **F** the whole screen, **Esc** the end. Pictures and "
    "their words grow with the screen. The next scene is computed while you speak."
)


def main() -> None:
    layout.begin("Lecture", IDEA, depths=())
    shipped = my_lecture.shipped_lectures()
    names = (my_lecture.MINE, *shipped)
    which = state.among("lecture_open", names, "Lecture", my_lecture.MINE)
    titles = {my_lecture.MINE: "My lecture", **{name: each.title for name, each in shipped.items()}}
    st.segmented_control(
        "Lecture",
        names,
        key="lecture_open",
        format_func=titles.__getitem__,
        required=True,
        label_visibility="collapsed",
    )
    lecture = my_lecture.mine() if which == my_lecture.MINE else shipped[which]
    if which != my_lecture.MINE and lecture.about:
        st.markdown(markdown_text(lecture.about))
    _start(which, lecture)
    if lecture.scenes:
        layout.caption(KEYS)
    scenes.show(which, lecture)
    st.subheader("The file", anchor=False, divider="gray")
    files.show(which, lecture)
    handout.show(lecture)
    st.subheader("Let the class follow", anchor=False, divider="gray")
    followers.show()


def _start(which: str, lecture: Lecture) -> None:
    able = my_lecture.playable(lecture)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Present",
            key="present",
            icon=":material/slideshow:",
            type="primary",
            disabled=not able,
            on_click=presentation.play,
            args=(which,),
        )
        if which == my_lecture.MINE:
            st.button(
                "Undo", key="undo", icon=":material/undo:", disabled=not my_lecture.can_undo(), on_click=my_lecture.undo
            )
        else:
            st.button("Copy to my lecture", key="copy", icon=":material/content_copy:", on_click=_copy, args=(which,))
        layout.caption(count_noun(len(lecture.scenes), "scene"))


def _copy(which: str) -> None:
    my_lecture.change(my_lecture.shipped_lectures()[which])
    state.put(lecture_open=my_lecture.MINE, lecture_scene=0)
    st.toast("Copied. Undo brings your earlier lecture back.", icon=":material/content_copy:")


main()
