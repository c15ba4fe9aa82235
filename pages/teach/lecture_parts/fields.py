"""Fields of the editor: each saves as soon as it is left. There is no form, and no button to forget.

A field belongs to a scene by the scene's number. So its text reaches its scene also where the same press moves, deletes
or leaves that scene: Streamlit calls the callbacks of one message in no certain order. Streamlit also ends a callback
when the browser sends the next message, and does not call it again. So the next run saves what is left (`save_all`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.teach.lectures import my_lecture
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.scene import Scene

Edit = Callable[[Scene, Any], Scene]  # the scene with the new value of a field
Save = Callable[[Any], None]
MIN_HEIGHT_PIXELS, LINE_PIXELS = 30, 26


@dataclass
class FieldsSession:
    """The fields of the run before, by key.

    `drawn`: the value that a field showed last, and the function that saves another one. `refused`: a value that was
    too much for the lecture, and the reason.
    """

    drawn: dict[str, tuple[Any, Save]] = field(default_factory=dict)
    refused: dict[str, tuple[Any, str]] = field(default_factory=dict)


def text(
    label: str,
    scene: Scene,
    name: str,
    value: str,
    edit: Edit,
    *,
    lines: int = 1,
    max_chars: int | None = None,
    **how: Any,
) -> None:
    """A field for a text of a scene, `value`. `name` tells the fields of a scene apart."""
    key = key_of(scene, name)
    show(key, value, partial(_save_scene, scene.number, key, edit))
    if lines == 1:
        st.text_input(label, key=key, max_chars=max_chars, on_change=save, args=(key,), **how)
    else:
        height = MIN_HEIGHT_PIXELS + LINE_PIXELS * lines
        st.text_area(label, key=key, max_chars=max_chars, height=height, on_change=save, args=(key,), **how)
    if error := of_session(FieldsSession).refused.get(key, ("", ""))[1]:
        st.error(
            f"Not saved. {error} What you typed stands here as long as this page is open.", icon=":material/error:"
        )


def select(label: str, scene: Scene, name: str, choices: list[str], value: str, edit: Edit, **how: object) -> None:
    """A choice that a scene has."""
    key = key_of(scene, name)
    show(key, value, partial(_save_scene, scene.number, key, edit))
    st.selectbox(label, choices, key=key, on_change=save, args=(key,), **how)  # type: ignore[call-overload]


def number(
    label: str, scene: Scene, name: str, value: float, most: float, edit: Edit, *, step: float, **how: Any
) -> None:
    """A number of a scene, from 0 to `most`. `value`, `most` and `step` are all whole numbers, or none is."""
    key = key_of(scene, name)
    show(key, value, partial(_save_scene, scene.number, key, edit))
    st.number_input(label, type(value)(0), most, step=step, key=key, on_change=save, args=(key,), **how)


def check(label: str, scene: Scene, name: str, value: bool, edit: Edit, **how: Any) -> None:
    """A choice of yes or no that a scene has."""
    key = key_of(scene, name)
    show(key, value, partial(_save_scene, scene.number, key, edit))
    st.checkbox(label, key=key, on_change=save, args=(key,), **how)


def key_of(scene: Scene, name: str) -> str:
    return f"scene {name} {scene.number}"


def show(key: str, value: Any, save_value: Save) -> None:
    """Give a field the value of the lecture, which another button may have changed, or the text that was refused.

    `save_value` saves what is entered into the field. Call this before the field is drawn.
    """
    wanted = of_session(FieldsSession).refused.get(key, (value, ""))[0]
    if st.session_state.get(key) != wanted:
        st.session_state[key] = wanted
    of_session(FieldsSession).drawn[key] = (wanted, save_value)


def save(key: str) -> None:
    """Save what was typed into a field. For its callback."""
    drawn = of_session(FieldsSession).drawn
    if key not in drawn:
        return
    shown, save_value = drawn[key]
    typed = st.session_state.get(key, shown)
    if typed != shown:
        save_value(typed)
        drawn[key] = (typed, save_value)


def save_all() -> None:
    """Save what was typed in any field and is not saved yet."""
    for key in tuple(of_session(FieldsSession).drawn):
        save(key)


def begin() -> None:
    """Forget the fields of the run before. Call it before the fields are drawn."""
    of_session(FieldsSession).drawn = {}


def _save_scene(number: int, key: str, edit: Edit, typed: Any) -> None:
    try:
        my_lecture.edit_scene(number, lambda scene: edit(scene, typed))
    except LectureError as error:
        of_session(FieldsSession).refused[key] = (typed, str(error))
    else:
        of_session(FieldsSession).refused.pop(key, None)
