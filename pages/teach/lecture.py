"""Lecture: the reader's scenes in order, the lectures that come with the app, presenting, and a class that follows."""

from __future__ import annotations

import streamlit as st

from pages.shared.elements import layout
from pages.shared.session import state
from pages.teach.lecture_parts import choose_lecture, fields, files, followers, handout, scenes, typed_text
from pages.teach.lectures import kept_lectures, my_lecture, own_lectures
from pages.teach.lectures.scene import Lecture, copied_lecture
from pages.teach.presenting import presentation
from viz.shared.style import count_noun, markdown_text

IDEA = "Views in an order: collect them with “Add this view”, say what each shows, and present them."
KEYS = (
    "While presenting: Page Down, arrow or space plays the question of a scene, its answer and its point, and goes to "
    "the next scene; Page Up goes the same way back; **N** speaker notes in a second window, **Q** the "
    "question, **A** a question that the class answers, and its answer, **V** the votes, **J** how to follow, **P** "
    "the point, **Z** what the scene points at on the whole screen, and back, **C** the controls of the page, **B** a "
    "blank screen, **L** a laser spot, **F** the whole screen, **Esc** the end. Pictures and their words grow with the "
    "screen. The next scene is computed while you speak."
)


def main() -> None:
    layout.begin("Lecture", IDEA, depths=())
    fields.begin()
    which = choose_lecture.show()
    lecture = my_lecture.lecture_named(which) or my_lecture.mine()
    if problem := kept_lectures.unkept_message():
        st.warning(problem, icon=":material/save:")
    typed_text.offer()
    if not own_lectures.is_own(which) and lecture.about:
        st.markdown(markdown_text(lecture.about))
    _start(which, lecture)
    if lecture.scenes:
        layout.key_hint(KEYS)
    scenes.show(which, lecture)
    st.subheader("The file", anchor=False, divider="gray")
    files.show(lecture)
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
        if own_lectures.is_own(which):
            st.button(
                "Undo", key="undo", icon=":material/undo:", disabled=not my_lecture.can_undo(), on_click=my_lecture.undo
            )
        else:
            st.button("Copy to my lecture", key="copy", icon=":material/content_copy:", on_click=_copy, args=(which,))
        layout.caption(count_noun(len(lecture.scenes), "scene"))


def _copy(which: str) -> None:
    name = own_lectures.take_in(copied_lecture(my_lecture.shipped_lectures()[which]))
    if name:
        state.put(lecture_open=name, lecture_scene=0)
        st.toast("Copied. Undo takes the copy away.", icon=":material/content_copy:")


main()
