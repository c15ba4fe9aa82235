"""A field that takes a file, and says in words what the server refuses: browsers only say “status code 413”."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.numerals import file_size
from pages.shared.server import uploads
from pages.shared.server.limits import UPLOADED_BYTES_OF_SESSION
from pages.shared.server.private_parts import runs

MEGABYTE = 2**20  # as Streamlit counts
FULL = ":material/folder_off:"


def show(label: str, *, most_bytes: int | None = None, **how: Any) -> None:
    """The field, as by `st.file_uploader`. The browser refuses a file of more than `most_bytes` before it sends any.

    None: the most that the server takes of one file. Whole megabytes count.
    """
    largest: int = st.get_option("server.maxUploadSize")
    if most_bytes is not None:
        largest = min(largest, -(-most_bytes // MEGABYTE))
    st.file_uploader(label, max_upload_size=largest, **how)
    session = runs.session_id()
    kept = 0 if session is None else uploads.kept_bytes().get(session, 0)
    left = UPLOADED_BYTES_OF_SESSION.value - kept
    if left < largest * MEGABYTE:
        st.warning(
            f"The files that you gave this page hold {file_size(kept)} of the {file_size(kept + left)} that one "
            f"window may keep here. One of more than {file_size(max(left, 0))} is refused, as “status code 413”. Take "
            "a file away, or load the page anew.",
            icon=FULL,
        )
