"""The chosen scene of a lecture beside the list of all: its buttons, and its fields, to edit or to read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.catalogue import BY_URL, question_kinds_of
from pages.shared.elements import layout
from pages.shared.session import state
from pages.shared.session.key_titles import write_values
from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.teach.lecture_parts import arrange, fields, plain_scene, question_fields, scene_list, steps
from pages.teach.lectures import my_lecture, own_lectures, own_question, plain_scenes
from pages.teach.lectures.focus_titles import FOCUS_TITLES
from pages.teach.lectures.lecture_file import MAX_CHARACTERS, MAX_MINUTES
from pages.teach.lectures.notes_markdown import to_markdown
from pages.teach.lectures.scene import Lecture, Scene
from viz.shared.style import markdown_text

MAX_SHOWN_CHARACTERS = 60  # of a value of the view


def show(which: str, lecture: Lecture) -> None:
    own = own_lectures.is_own(which)
    if own:
        arrange.offer_new(lecture)
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
        scene_list.show(lecture, own)
    place = state.get("lecture_scene")
    with right:
        arrange.show_buttons(which, lecture, place)
        if own:
            _edit_scene(lecture.scenes[place])
        else:
            _show_scene(lecture.scenes[place])


# A text of every scene -> its label, and its lines on the screen.
FIELDS = {
    "title": ("Title of this scene", 1),
    "point": ("What to point at", 2),
    "question": ("A question for the class", 2),
    "notes": ("Speaker notes", 8),
}


def _edit_scene(scene: Scene) -> None:
    with st.container(border=True):
        for name, (label, lines) in FIELDS.items():
            if name == "point" and plain_scenes.is_plain(scene):
                plain_scene.show_fields(scene)
            fields.text(
                label,
                scene,
                name,
                getattr(scene, name),
                plain_scenes.set_title if name == "title" else _setter(name),
                lines=lines,
                max_chars=MAX_CHARACTERS[name],
            )
        if len(_kinds(scene)) > 1:
            fields.select(
                "Ask the class, before the picture is seen",
                scene,
                "ask",
                _kinds(scene),
                scene.ask,
                _setter("ask"),
                format_func=lambda kind: QUESTION_TITLES.get(kind, "nothing"),
                help="A question made from the numbers of this view. Students who follow answer in their browsers.",
            )
        question_fields.show(scene)
        fields.number(
            "Minutes planned",
            scene,
            "minutes",
            float(scene.minutes),
            float(MAX_MINUTES),
            _setter("minutes"),
            step=0.5,
            format="%g",
            help="0 for no plan. The window of the speaker notes compares it with the clock.",
        )
        if not plain_scenes.is_plain(scene):
            fields.select(
                "Element to keep in view",
                scene,
                "focus",
                _focuses(scene),
                scene.focus,
                _setter("focus"),
                format_func=lambda name: FOCUS_TITLES.get(name, "the first picture"),
                help="It is scrolled into view while this scene is presented, and Z enlarges it.",
            )
            steps.show(scene)
    layout.caption(_address(scene))


def _setter(name: str) -> fields.Edit:
    """The function that gives a scene another value of a field."""
    return partial(_set, name)


def _set(name: str, scene: Scene, value: Any) -> Scene:
    changes: dict[str, Any] = {name: value}
    return replace(scene, **changes)


def _kinds(scene: Scene) -> list[str]:
    """The questions that a scene can ask, with the one that it has."""
    return list(dict.fromkeys(("", *question_kinds_of(scene.page), scene.ask)))


def _focuses(scene: Scene) -> list[str]:
    """The elements of the scene's page that it can keep in view, with the one that it has."""
    page = scene.page.replace("_", " ") + " "
    return list(dict.fromkeys(("", *(name for name in FOCUS_TITLES if name.startswith(page)), scene.focus)))


def _show_scene(scene: Scene) -> None:
    for name, (label, _) in FIELDS.items():
        if name != "title" and getattr(scene, name):
            st.markdown(f"**{label}**")
            st.markdown(to_markdown(getattr(scene, name)))
    if own := own_question.of_scene(scene):
        answers = [markdown_text(choice.label) for choice in own.choices] or ["words of their own"]
        st.markdown(f"**The class answers with:** {'; '.join(answers)}")
    elif scene.ask:
        st.markdown(f"**Asked first, from the numbers:** {QUESTION_TITLES[scene.ask]}")
    if scene.steps:
        steps.list_steps(scene)
    layout.caption(_address(scene))


def _address(scene: Scene) -> str:
    page = BY_URL[scene.page].title if scene.page in BY_URL else scene.page
    return markdown_text(f"Page {page} · {write_values(scene.state, MAX_SHOWN_CHARACTERS)}")
