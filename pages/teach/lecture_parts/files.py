"""A lecture as a file: saving it, and opening one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages.shared.elements import upload_field
from pages.shared.server import limits, rate_limits
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lectures import lecture_file, my_lecture, own_lectures
from pages.teach.lectures.lecture_file import LectureError
from pages.teach.lectures.scene import Lecture
from viz.shared.style import markdown_text


@dataclass
class FileSession:
    """What became of the file that the reader opened: why it has to wait, why it is none, and what it lacks."""

    waits: str = ""
    error: str = ""
    notes: list[str] = field(default_factory=list)


def show(lecture: Lecture) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.download_button(
            "Save as a file",
            partial(lecture_file.write, lecture),
            file_name=f"{file_name(lecture.title)}.toml",
            mime="application/toml",
            icon=":material/download:",
            on_click="ignore",
            disabled=not lecture.scenes,
        )
    with right:
        upload_field.show(
            "Open a lecture file",
            most_bytes=lecture_file.MAX_BYTES,
            type="toml",
            key="lecture file",
            on_change=_open,
            help=f"A TOML file of at most {lecture_file.MAX_BYTES // 1000} kB, as “Save as a file” writes it. It "
            "stands beside your other lectures.",
        )
        session = of_session(FileSession)
        if session.waits:
            st.warning(markdown_text(session.waits), icon=":material/hourglass_top:")
            st.button("Open it now", key="open lecture now", on_click=_open)
        if session.error:
            st.error(markdown_text(session.error), icon=":material/error:")
        for line in session.notes:
            st.warning(markdown_text(line), icon=":material/info:")


def _open() -> None:
    session = of_session(FileSession)
    session.waits, session.error, session.notes = "", "", []
    file = st.session_state["lecture file"]
    if file is None:
        return
    try:
        rate_limits.spend(limits.UPLOADS)
    except LimitReached as error:
        session.waits = str(error)
        return
    try:
        lecture, problems = lecture_file.read(file.getvalue())
    except LectureError as error:
        session.error = f"{error} Your lecture is as it was."
        return
    name = own_lectures.take_in(lecture)
    if not name:
        return
    state.put(lecture_open=name, lecture_scene=0)
    session.notes = my_lecture.problem_lines(problems, lecture)


def file_name(title: str) -> str:
    """Letters, digits and hyphens of the title."""
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()
    return "-".join(words)[:60] or "lecture"
