"""The scenes of a lecture: their order, their faults, and the chosen scene, to edit or to read."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.shared import layout, state
from pages.shared.question_kinds import QUESTION_TITLES
from pages.teach import my_lecture, presentation
from pages.teach.lecture_file import MAX_BYTES, MAX_CHARACTERS, Lecture, LectureError, Scene, read, write
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten


def show(which: str, lecture: Lecture) -> None:
    if not lecture.scenes:
        st.info(
            "No scenes yet. Go to any page, choose what it shows, and press “Add this view to my lecture” at the foot "
            "of the sidebar. Or copy a lecture that comes with the app.",
            icon=":material/playlist_add:",
        )
        return
    for line in my_lecture.problem_lines(my_lecture.find_problems(lecture), lecture):
        st.warning(markdown_text(line), icon=":material/info:")
    if state.get("lecture_scene") >= len(lecture.scenes):
        state.put(lecture_scene=len(lecture.scenes) - 1)
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.radio(
            "Scenes",
            range(len(lecture.scenes)),
            key="lecture_scene",
            format_func=lambda place: _label(lecture, place),
            captions=[_summary(scene) for scene in lecture.scenes],
        )
    place = state.get("lecture_scene")
    with right:
        _scene_buttons(which, lecture, place)
        if which == my_lecture.MINE:
            _edit_scene(lecture, place)
        else:
            _show_scene(lecture.scenes[place])


def _label(lecture: Lecture, place: int) -> str:
    return f"{place + 1}. {markdown_text(lecture.scenes[place].title or 'untitled')}"


def _summary(scene: Scene) -> str:
    page = state.pages()[scene.page].title if scene.page in state.pages() else scene.page
    text = scene.state.get("text", "")
    words = (page, scene.state.get("model", ""), shorten(text, 40))
    return " · ".join(markdown_text(word) for word in words if word)


def _scene_buttons(which: str, lecture: Lecture, place: int) -> None:
    """The buttons for the chosen scene."""
    last = len(lecture.scenes) - 1
    with st.container(horizontal=True):
        st.button(
            "Present from here",
            key="present here",
            icon=":material/play_arrow:",
            disabled=place not in my_lecture.playable(lecture),
            on_click=presentation.play,
            args=(which, place),
        )
        st.button(
            "Open this view",
            key="open scene",
            icon=":material/open_in_new:",
            help="Go to this view without presenting.",
            disabled=place not in my_lecture.playable(lecture),
            on_click=_open_scene,
            args=(lecture.scenes[place],),
        )
        if which == my_lecture.MINE:
            st.button(
                "Up", icon=":material/arrow_upward:", disabled=place == 0, on_click=_move_scene, args=(place, place - 1)
            )
            st.button(
                "Down",
                icon=":material/arrow_downward:",
                disabled=place == last,
                on_click=_move_scene,
                args=(place, place + 1),
            )
            st.button("Delete", icon=":material/delete:", on_click=_delete_scene, args=(place,))


def _open_scene(scene: Scene) -> None:
    state.show(scene.page, scene.state)


def _move_scene(place: int, to: int) -> None:
    my_lecture.change(my_lecture.move_scene(my_lecture.mine(), place, to))
    state.put(lecture_scene=to)


def _delete_scene(place: int) -> None:
    title = my_lecture.mine().scenes[place].title
    my_lecture.change(my_lecture.delete_scene(my_lecture.mine(), place))
    state.put(lecture_scene=max(place - 1, 0))
    st.toast(f"Deleted: {markdown_text(title or 'untitled')}. Undo brings it back.", icon=":material/delete:")


FIELDS = {
    "title": ("Title", 1),
    "point": ("What to point at", 2),
    "question": ("A question for the class", 2),
    "notes": ("Speaker notes", 8),
}


def _edit_scene(lecture: Lecture, place: int) -> None:
    scene = lecture.scenes[place]
    with st.form(f"scene {place}", border=True):
        values = {name: getattr(scene, name) for name in (*FIELDS, "ask")}
        version = hash(tuple(values.values()))  # New keys make the fields show a change from elsewhere.
        keys = {name: f"scene {name} {place} {version}" for name in values}
        for name, (label, lines) in FIELDS.items():
            if lines == 1:
                st.text_input(label, values[name], max_chars=MAX_CHARACTERS[name], key=keys[name])
            else:
                st.text_area(
                    label, values[name], max_chars=MAX_CHARACTERS[name], height=30 + 26 * lines, key=keys[name]
                )
        st.selectbox(
            "Ask the class, before the picture is seen",
            _kinds(scene),
            _kinds(scene).index(scene.ask),
            format_func=lambda kind: QUESTION_TITLES.get(kind, "nothing"),
            key=keys["ask"],
            help="A question made from the numbers of this view. Students who follow answer in their browsers.",
        )
        st.form_submit_button(
            "Save", icon=":material/save:", type="primary", on_click=_save_scene, args=(lecture, place, keys)
        )
    if error := st.session_state.pop("_scene_refused", ""):
        st.error(error, icon=":material/error:")
    layout.caption(_address(scene))


def _kinds(scene: Scene) -> list[str]:
    """The questions that a scene can ask, with the one that it has."""
    return list(dict.fromkeys(("", *question_kinds_of(scene.page), scene.ask)))


def _save_scene(lecture: Lecture, place: int, keys: dict[str, str]) -> None:
    """This must be the button's callback. The button's value is lost if another message of the browser ends the run."""
    scene = lecture.scenes[place]
    edited = replace(scene, **{name: st.session_state[key] for name, key in keys.items()})
    if edited == scene:
        return
    changed = replace(lecture, scenes=(*lecture.scenes[:place], edited, *lecture.scenes[place + 1 :]))
    try:
        read(write(changed).encode())
    except LectureError:
        st.session_state["_scene_refused"] = (
            f"The lecture would be larger than {MAX_BYTES:,} bytes. Shorten some notes."
        )
        return
    my_lecture.change(changed)


def _show_scene(scene: Scene) -> None:
    for name, (label, _) in FIELDS.items():
        if name != "title" and getattr(scene, name):
            st.markdown(f"**{label}**")
            paragraphs = getattr(scene, name).split("\n")
            st.markdown("\n\n".join(markdown_text(each) for each in paragraphs if each.strip()))
    if scene.ask:
        st.markdown(f"**Asked first, from the numbers:** {QUESTION_TITLES[scene.ask]}")
    layout.caption(_address(scene))


def _address(scene: Scene) -> str:
    values = ", ".join(
        f"{name} = {value if len(value) <= 60 else value[:59] + '…'}" for name, value in scene.state.items()
    )
    return markdown_text(f"Page {scene.page}: {values}")
