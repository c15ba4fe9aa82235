"""The steps of a view scene: what changes next, on the same page, before the next scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.shared.elements import layout
from pages.shared.session import state
from pages.shared.session.key_titles import write_values
from pages.teach.lectures import my_lecture, scene_steps
from pages.teach.lectures.lecture_file import MAX_STEPS, LectureError
from pages.teach.lectures.scene import Scene
from viz.shared.style import markdown_text


def show(scene: Scene) -> None:
    """The steps, with the buttons that add and take away."""
    st.markdown("**Steps**")
    if scene.steps:
        list_steps(scene)
    change = _present_change(scene)
    with st.container(horizontal=True):
        st.button(
            "Add the present view as a step",
            key="add step",
            icon=":material/add:",
            disabled=not change or len(scene.steps) >= MAX_STEPS,
            on_click=_add,
            args=(scene.number,),
            help=f"Page Down then changes {_said(change)}."
            if change
            else "First open this scene's page, and change what shall appear next there.",
        )
        st.button(
            "Take the last step away",
            key="take step",
            icon=":material/remove:",
            disabled=not scene.steps,
            on_click=_edit,
            args=(scene.number, lambda scene: replace(scene, steps=scene.steps[:-1])),
        )
    layout.caption("While presenting, each step is a scene of its own: Page Down goes to it before the next scene.")


def list_steps(scene: Scene) -> None:
    st.markdown("\n".join(f"{number}. {_said(step)}" for number, step in enumerate(scene.steps, 1)))


def _said(change: Mapping[str, str]) -> str:
    return markdown_text(write_values(change))


def _present_change(scene: Scene) -> dict[str, str]:
    """What the view that was open last changes in the last step of a scene; nothing if it is of another page."""
    last = my_lecture.last_view()
    if last is None or last[0] != scene.page:
        return {}
    defaults = state.as_text({name: key.default for name, key in state.KEYS.items()})
    return scene_steps.find_change(scene_steps.view_at(scene, len(scene.steps)), last[1], defaults)


def _add(number: int) -> None:
    _edit(number, lambda scene: replace(scene, steps=(*scene.steps, _present_change(scene))[:MAX_STEPS]))


def _edit(number: int, edit: scene_steps.SceneEdit) -> None:
    try:
        my_lecture.edit_scene(number, edit)
    except LectureError as error:
        st.toast(markdown_text(str(error)), icon=":material/error:")
