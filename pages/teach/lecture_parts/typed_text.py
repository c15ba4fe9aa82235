"""What was being typed into a field of the editor when its session ended. The browser keeps it, and it is offered back.

A field saves when it is left. What stands in it before that is in the browser alone, and a session that begins anew,
after a restart of the server or a reload, draws the field anew (assets/components/teach/lecture_memory/typed_text.js).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import streamlit as st

from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lectures import my_lecture, own_lectures
from pages.teach.lectures.lecture_file import MAX_CHARACTERS, LectureError
from pages.teach.lectures.scene import Lecture
from viz.shared.style import markdown_text

LABELS = {"title": "the title", "point": "what to point at", "question": "the question", "notes": "the speaker notes"}
MAX_TYPED = 20_000  # characters


@dataclass(frozen=True)
class TypedText:
    """`text` was being typed into the field `name` of the scene at a place of a lecture of that name."""

    lecture: str
    scene: int
    name: str
    text: str


@dataclass
class TypedSession:
    """The text that is offered back."""

    typed: TypedText | None = None


def to_keep() -> dict[str, Any]:
    """What the browser is told: the scene whose fields are on screen, and the text that is still offered, or None."""
    typed = of_session(TypedSession).typed
    return {
        "editing": {"lecture": my_lecture.open_name(), "scene": state.get("lecture_scene")},
        "typed": typed and asdict(typed),
    }


def restore(memory: Mapping[str, Any]) -> None:
    """Take back what the browser kept. It may be old or tampered with, so impossible values are skipped."""
    found = memory.get("typed")
    if not isinstance(found, Mapping):
        return
    lecture, scene, name, text = (found.get(key) for key in ("lecture", "scene", "name", "text"))
    texts = (lecture, name, text)
    if all(isinstance(each, str) for each in texts) and type(scene) is int and 0 < len(str(text)) <= MAX_TYPED:
        of_session(TypedSession).typed = TypedText(str(lecture), scene, str(name)[:20], str(text))


def offer() -> None:
    """Show the text with a button that puts it back. Where its scene is gone, it can be copied."""
    typed = of_session(TypedSession).typed
    if typed is None:
        return
    lecture = own_lectures.lectures().get(typed.lecture)
    has_scene = lecture is not None and 0 <= typed.scene < len(lecture.scenes)
    if has_scene and lecture is not None and _value(lecture, typed) == typed.text:
        _forget()
        return
    where = f" into {LABELS[typed.name]} of scene {typed.scene + 1}" if typed.name in LABELS else ""
    st.warning(
        f"You were typing this{where} when the page was loaded again or the server was restarted. It was not saved:",
        icon=":material/edit_note:",
    )
    st.code(typed.text, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        if has_scene and typed.name in LABELS:
            st.button("Put it back", key="put typed back", icon=":material/undo:", on_click=_put_back)
        st.button("Forget it", key="forget typed", icon=":material/close:", on_click=_forget)


def _value(lecture: Lecture, typed: TypedText) -> Any:
    return getattr(lecture.scenes[typed.scene], typed.name) if typed.name in LABELS else None


def _put_back() -> None:
    typed = of_session(TypedSession).typed
    if typed is None:
        return
    if typed.lecture != my_lecture.open_name():
        own_lectures.open_lecture(typed.lecture)
    state.put(lecture_open=typed.lecture, lecture_scene=typed.scene)
    scene = my_lecture.mine().scenes[typed.scene]
    changes: dict[str, Any] = {typed.name: typed.text[: MAX_CHARACTERS[typed.name]]}
    try:
        my_lecture.edit_scene(scene.number, lambda scene: replace(scene, **changes))
    except LectureError as error:
        st.toast(markdown_text(str(error)), icon=":material/error:")
    else:
        _forget()


def _forget() -> None:
    of_session(TypedSession).typed = None
