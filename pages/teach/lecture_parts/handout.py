"""The files of a lecture to hand out: their kind and form, the button that makes one, its progress, and the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import streamlit as st

from model.numerals import file_size
from pages.shared.elements import fragments, layout
from pages.shared.server.session_values import of_session
from pages.teach.handouts import handout
from pages.teach.handouts.handout import HandoutJob
from pages.teach.handouts.lecture_documents import Choices, Kind, Size
from pages.teach.lecture_parts.files import file_name
from pages.teach.lectures.scene import Lecture
from pages.teach.presenting import class_address

REDRAW_SECONDS = 0.5  # while the file is made
KINDS: dict[Kind, str] = {"pdf": "Hand-out (PDF)", "html": "Web page (HTML)", "ipynb": "Notebook"}
MAKE: dict[Kind, str] = {
    "pdf": "Make a hand-out (PDF)",
    "html": "Make a page that plays alone (HTML)",
    "ipynb": "Make a notebook",
}
HELP: dict[Kind, str] = {
    "pdf": "For each scene its pictures, what to point at, the question with its answer, and your notes.",
    "html": "All scenes in one file that needs no network: Page Down and the arrow keys go from scene to scene.",
    "ipynb": "One part for each scene: its pictures and words, and cells that compute its numbers with the library.",
}
MIME: dict[Kind, str] = {"pdf": "application/pdf", "html": "text/html", "ipynb": "application/x-ipynb+json"}
SIZES: dict[Size, str] = {"paper": "Paper (A4)", "screen": "Screen (16:9)"}


@dataclass
class HandoutSession:
    """The work at the file that the reader asked for last."""

    job: HandoutJob | None = None


def show(lecture: Lecture) -> None:
    job = of_session(HandoutSession).job
    if job is not None and job.lecture != lecture:
        _forget()
        job = None
    working = job is not None and handout.pool().count_ahead(job) is not None
    choices = _choose(working)
    fragments.alone(_watch, every=REDRAW_SECONDS if working else None)(lecture, choices, job, working)


def _choose(working: bool) -> Choices:
    """The controls: kind and form of the file. They rest while it is made."""
    kinds: tuple[Kind, ...] = get_args(Kind)
    sizes: tuple[Size, ...] = get_args(Size)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "To hand out", kinds, default="pdf", required=True, key="handout kind", disabled=working,
            format_func=KINDS.__getitem__,
        )  # fmt: skip
        size: Size = "paper"
        if kind == "pdf":
            size = st.segmented_control(
                "Size", sizes, default="paper", required=True, key="handout size", disabled=working,
                format_func=SIZES.__getitem__,
            )  # fmt: skip
        has_notes = st.toggle("With speaker notes", value=True, key="handout notes", disabled=working)
    address = st.text_input(
        "Links lead to the app at",
        class_address.address(),
        key="handout address",
        max_chars=class_address.MAX_CHARACTERS,
        disabled=working,
        help="The address by which your students reach this app. Empty: a file without links.",
    ).strip()
    fault = class_address.find_fault(address) if address else ""
    if class_address.host_of(address) is None:
        st.error(f"{fault} Without one, the file has no links.", icon=":material/error:")
        address = ""
    elif fault:
        st.warning(
            f"{fault} As it is, the file says that its links open on this computer only.", icon=":material/info:"
        )
    return Choices(kind, size, has_notes, address.rstrip("/"))


def _watch(lecture: Lecture, choices: Choices, job: HandoutJob | None, working: bool) -> None:
    """The button, the progress or the file. While the work goes on, this runs again and again and keeps it alive."""
    if of_session(HandoutSession).job is not job:
        st.rerun()  # only the whole page can start and stop the clock of this part
    if job is None or not working:
        _offer(lecture, choices, job)
        return
    handout.pool().keep_alive(job)
    before = handout.pool().count_ahead(job)
    if before is None:
        st.rerun()
    elif before:
        st.progress(0.0, "Waits for another lecture's file to be made")
    else:
        st.progress(job.share_done, _progress(job))
    st.button("Stop", key="stop handout", icon=":material/stop:", on_click=_forget)


def _progress(job: HandoutJob) -> str:
    many = len(job.lecture.scenes)
    return f"Scene {job.place + 1} of {many}" if job.place < many else "Writing the file"


def _offer(lecture: Lecture, choices: Choices, job: HandoutJob | None) -> None:
    if job is not None and job.file is not None and job.choices == choices:
        st.download_button(
            KINDS[choices.kind],
            job.file,
            file_name=f"{file_name(lecture.title)}.{choices.kind}",
            mime=MIME[choices.kind],
            key="save handout",
            icon=":material/download:",
            on_click="ignore",
        )
        layout.caption(_summary(job))
        return
    st.button(
        MAKE[choices.kind],
        key="make handout",
        icon=":material/file_save:",
        disabled=not lecture.scenes,
        on_click=_begin,
        args=(lecture, choices),
        help=HELP[choices.kind],
    )
    if job is not None and job.file is None:
        reason = "could not be made" if job.failed else "was stopped, because this page was left"
        st.warning(f"The file {reason}. Make it again.", icon=":material/info:")


def _summary(job: HandoutJob) -> str:
    many = len(job.lecture.scenes)
    summary = f"{many} {'scene' if many == 1 else 'scenes'}, {file_size(len(job.file or b''))}."
    if job.without:
        scenes = ", ".join(str(place + 1) for place in job.without)
        summary += f" Without its view: scene {scenes}; the file says why."
    return summary


def _begin(lecture: Lecture, choices: Choices) -> None:
    """Scenes that were made for another file of the same lecture are not made again."""
    earlier = of_session(HandoutSession).job
    job = handout.plan_handout(lecture, choices)
    if earlier is not None and earlier.lecture == lecture and not earlier.failed:
        job.kept = list(earlier.kept)
    of_session(HandoutSession).job = job
    handout.pool().enter(job)


def _forget() -> None:
    session = of_session(HandoutSession)
    job, session.job = session.job, None
    if job is not None:
        handout.pool().leave(job)
