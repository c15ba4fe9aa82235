"""The buttons that put scenes in order: new, present, open, up, down, duplicate, replace, delete."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.shared.session import state
from pages.teach.lecture_parts import fields, scene_list
from pages.teach.lectures import lecture_file, my_lecture, own_lectures, plain_scenes
from pages.teach.lectures.scene import Lecture, Scene, copied
from pages.teach.presenting import presentation
from viz.shared.style import markdown_text


def offer_new(lecture: Lecture) -> None:
    """The button for a scene of the reader's own words."""
    st.button(
        "Add a plain scene",
        key="add plain scene",
        icon=":material/note_add:",
        disabled=len(lecture.scenes) >= lecture_file.MAX_SCENES,
        on_click=_add_plain,
        help="A title, your own text, a picture of yours, an equation. It stands after the chosen scene.",
    )


def show_buttons(which: str, lecture: Lecture, place: int) -> None:
    """The buttons for the chosen scene."""
    scene, playable = lecture.scenes[place], place in my_lecture.playable(lecture)
    with st.container(horizontal=True):
        st.button(
            "Present from here",
            key="present here",
            icon=":material/play_arrow:",
            disabled=not playable,
            on_click=presentation.play_from,
            args=(which, place),
        )
        st.button(
            "Open this view",
            key="open scene",
            icon=":material/open_in_new:",
            help="Go to this view without presenting.",
            disabled=not playable,
            on_click=_open_scene,
            args=(which, scene.number),
        )
        if own_lectures.is_own(which):
            _show_order_buttons(lecture, place)
            _show_scene_buttons(lecture, scene)


def _show_order_buttons(lecture: Lecture, place: int) -> None:
    for label, icon, to in (
        ("Up", ":material/arrow_upward:", place - 1),
        ("Down", ":material/arrow_downward:", place + 1),
    ):
        st.button(
            label,
            icon=icon,
            disabled=to not in range(len(lecture.scenes)),
            on_click=_move_scene,
            args=(lecture.scenes[place].number, to),
        )


def _show_scene_buttons(lecture: Lecture, scene: Scene) -> None:
    last = my_lecture.last_view()
    said = scene_list.summary(Scene(*last)) if last else ""
    st.button(
        "Duplicate",
        icon=":material/content_copy:",
        disabled=len(lecture.scenes) >= lecture_file.MAX_SCENES,
        on_click=_duplicate_scene,
        args=(scene.number,),
    )
    st.button(
        "Replace by the present view",
        icon=":material/swap_horiz:",
        disabled=last is None,
        on_click=_replace_view,
        args=(scene.number,),
        help=f"The view that you had open last: {markdown_text(said)}. Title, point and notes stay."
        if last
        else "Open a view on another page first.",
    )
    st.button("Delete", icon=":material/delete:", on_click=_delete_scene, args=(scene.number,))


# Callbacks. They name the scene by its number: its place and its texts may have changed since the button was drawn.


def _place_of(number: int) -> int | None:
    return next((place for place, scene in enumerate(my_lecture.mine().scenes) if scene.number == number), None)


def _add_plain() -> None:
    lecture = my_lecture.mine()
    place = min(state.get("lecture_scene") + 1, len(lecture.scenes))
    if my_lecture.try_change(my_lecture.insert_scene(lecture, place, plain_scenes.new_scene())):
        state.put(lecture_scene=place)


def _open_scene(which: str, number: int) -> None:
    lecture = my_lecture.lecture_named(which)
    scene = next((each for each in lecture.scenes if each.number == number), None) if lecture else None
    if scene is not None:
        state.show(scene.page, presentation.view_of(scene))


def _move_scene(number: int, to: int) -> None:
    place = _place_of(number)
    if place is not None and to in range(len(my_lecture.mine().scenes)):
        my_lecture.change(my_lecture.move_scene(my_lecture.mine(), place, to))
        state.put(lecture_scene=to)


def _duplicate_scene(number: int) -> None:
    place, lecture = _place_of(number), my_lecture.mine()
    if place is None:
        return
    copied_scene = copied(lecture.scenes[place])
    if my_lecture.try_change(my_lecture.insert_scene(lecture, place + 1, copied_scene)):
        state.put(lecture_scene=place + 1)


def _replace_view(number: int) -> None:
    place, lecture, last = _place_of(number), my_lecture.mine(), my_lecture.last_view()
    if place is None or last is None:
        return
    page, view = last
    before = lecture.scenes[place]
    scene = replace(before, page=page, state=view, steps=(), ask=before.ask if before.page == page else "", picture="")
    changed = replace(lecture, scenes=(*lecture.scenes[:place], scene, *lecture.scenes[place + 1 :]))
    if my_lecture.try_change(changed):
        st.toast("Replaced. Undo brings the earlier view back.", icon=":material/swap_horiz:")


def _delete_scene(number: int) -> None:
    fields.save_all()  # so that Undo brings the scene back with them
    place = _place_of(number)
    if place is None:
        return
    title = my_lecture.mine().scenes[place].title
    my_lecture.change(my_lecture.delete_scene(my_lecture.mine(), place))
    state.put(lecture_scene=max(place - 1, 0))
    st.toast(f"Deleted: {markdown_text(title or 'untitled')}. Undo brings it back.", icon=":material/delete:")
