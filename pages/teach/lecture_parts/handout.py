"""The hand-out of a lecture: the button that makes it, its progress, and the file."""

from __future__ import annotations

import streamlit as st

from pages.shared import fragments, layout
from pages.teach import handout
from pages.teach.handout import HandoutJob
from pages.teach.lecture_file import Lecture
from pages.teach.lecture_parts.files import file_name

REDRAW_SECONDS = 0.5  # while the hand-out is made
KEY = "_handout"


def show(lecture: Lecture) -> None:
    job: HandoutJob | None = st.session_state.get(KEY)
    if job is not None and job.lecture != lecture:
        _forget()
        job = None
    working = job is not None and handout.pool().count_ahead(job) is not None
    fragments.alone(_watch, every=REDRAW_SECONDS if working else None)(lecture, job, working)


def _watch(lecture: Lecture, job: HandoutJob | None, working: bool) -> None:
    """The button, the progress or the file. While the work goes on, this runs again and again and keeps it alive."""
    if st.session_state.get(KEY) is not job:
        st.rerun()  # only the whole page can start and stop the clock of this part
    if job is None or not working:
        _offer(lecture, job)
        return
    handout.pool().keep_alive(job)
    before = handout.pool().count_ahead(job)
    if before is None:
        st.rerun()
    elif before:
        st.progress(0.0, "Waits for another hand-out to be made")
    else:
        st.progress(job.done / (len(lecture.scenes) + 1), _progress(job))
    st.button("Stop", key="stop handout", icon=":material/stop:", on_click=_forget)


def _progress(job: HandoutJob) -> str:
    many = len(job.lecture.scenes)
    return f"Scene {job.done + 1} of {many}" if job.done < many else "Setting the pages"


def _offer(lecture: Lecture, job: HandoutJob | None) -> None:
    if job is not None and job.pdf is not None:
        st.download_button(
            "Hand-out (PDF)",
            job.pdf,
            file_name=f"{file_name(lecture.title)}.pdf",
            mime="application/pdf",
            icon=":material/download:",
            on_click="ignore",
        )
        layout.caption(_summary(job))
        return
    st.button(
        "Make a hand-out (PDF)",
        key="make handout",
        icon=":material/picture_as_pdf:",
        disabled=not lecture.scenes or not handout.can_play(),
        on_click=_begin,
        args=(lecture,),
        help="One scene a page: its picture, what to point at, the question and your notes.",
    )
    if job is not None:
        reason = "could not be made" if job.failed else "was stopped, because this page was left"
        st.warning(f"The hand-out {reason}. Make it again.", icon=":material/info:")


def _summary(job: HandoutJob) -> str:
    many = len(job.lecture.scenes)
    summary = f"{many} {'scene' if many == 1 else 'scenes'}, each from a page of its own on."
    if job.without:
        scenes = ", ".join(str(place + 1) for place in job.without)
        summary += f" Without a picture: scene {scenes}; its page says why."
    return summary


def _begin(lecture: Lecture) -> None:
    job = handout.plan_handout(lecture)
    st.session_state[KEY] = job
    handout.pool().enter(job)


def _forget() -> None:
    job: HandoutJob | None = st.session_state.pop(KEY, None)
    if job is not None:
        handout.pool().leave(job)
