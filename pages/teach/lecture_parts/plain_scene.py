"""The fields that only a plain scene has: its text, equation and picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from model.errors import PictureError
from model.vision.files import read_picture
from pages.shared.elements import upload_field
from pages.shared.server import limits, rate_limits
from pages.shared.server.networks import network_here
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lecture_parts import fields
from pages.teach.lectures import my_lecture, plain_scenes, slide_pictures
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.scene import Scene
from viz.shared.style import markdown_text

# A text of a plain scene, by its key -> label, lines, example. A help sign beside a label would be the next stop of the
# Tab key, and take the letters that are typed then.
TEXTS = {
    "slide_text": ("Text", 6, "A paragraph a line. **Bold**, and lists with - or 1. at the start of a line"),
    "slide_equation": ("Equation in LaTeX", 1, r"Such as \mathrm{softmax}(QK^\top)"),
}


@dataclass
class PictureFaults:
    """Why pictures of scenes were not taken, by the keys of their fields."""

    by_key: dict[str, str] = field(default_factory=dict)


def show_fields(scene: Scene) -> None:
    for name, (label, lines, example) in TEXTS.items():
        _show_text(scene, name, label, lines, example)
    if equation := plain_scenes.safe_equation(scene.state.get("slide_equation", "")):
        st.latex(equation)
    _show_steps_switch(scene)
    _show_picture(scene)


def _show_text(scene: Scene, name: str, label: str, lines: int, example: str | None = None) -> None:
    fields.text(
        label,
        scene,
        name,
        scene.state.get(name, ""),
        partial(_set_value, name),
        lines=lines,
        max_chars=state.KEYS[name].max_characters,
        placeholder=example,
    )


def _set_value(name: str, scene: Scene, text: str) -> Scene:
    return plain_scenes.set_value(scene, name, text)


def _show_steps_switch(scene: Scene) -> None:
    key = fields.key_of(scene, "one by one")
    st.session_state[key] = bool(scene.steps)
    st.checkbox(
        "Show the paragraphs one after another",
        key=key,
        disabled=len(plain_scenes.paragraphs_of(scene.state.get("slide_text", ""))) < 2,
        on_change=_switch_steps,
        args=(scene.number, key),
    )


def _switch_steps(number: int, key: str) -> None:
    _edit(number, key, plain_scenes.step_through if st.session_state[key] else plain_scenes.show_at_once)


def _show_picture(scene: Scene) -> None:
    key = fields.key_of(scene, "picture")
    if scene.picture:
        st.image(
            slide_pictures.data_url(scene.picture), width=240, alt=scene.state.get("slide_alt", "") or "Its picture"
        )
        st.button(
            "Take the picture away",
            key=f"{key} away",
            icon=":material/hide_image:",
            on_click=_edit,
            args=(scene.number, key, partial(plain_scenes.set_picture, picture="")),
        )
        _show_text(scene, "slide_alt", "The picture in words, for those who do not see it", 1)
    upload_field.show(
        "Another picture" if scene.picture else "A picture: PNG, JPEG or WebP",
        type=["png", "jpg", "jpeg", "webp"],
        key=key,
        on_change=_take_picture,
        args=(scene.number, key),
        help=f"It is made small, {slide_pictures.MAX_PICTURE_BYTES // 1000} kB at most, and goes into the file.",
    )
    if fault := of_session(PictureFaults).by_key.get(key):
        st.error(markdown_text(fault), icon=":material/error:")


def _take_picture(number: int, key: str) -> None:
    of_session(PictureFaults).by_key.pop(key, None)
    file = st.session_state[key]
    if file is None:
        return
    try:
        rate_limits.spend(limits.UPLOADS)
        picture = slide_pictures.pack(read_picture(file.getvalue(), network_here()).rgb)
    except (PictureError, LimitReached) as error:
        of_session(PictureFaults).by_key[key] = str(error)
        return
    _edit(number, key, partial(plain_scenes.set_picture, picture=picture))


def _edit(number: int, key: str, edit: Callable[[Scene], Scene]) -> None:
    try:
        my_lecture.edit_scene(number, edit)
    except LectureError as error:
        of_session(PictureFaults).by_key[key] = str(error)
