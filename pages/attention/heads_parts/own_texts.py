"""The reader's own texts for Many texts: pasted lines or a file, kept in the session, and in the browser on request.

A server writes none of them to its disk. The browser gives back what it keeps to a session that begins anew
(the component `text_memory`).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from model.errors import TextsError
from model.texts.collection import Collection
from model.texts.encoding import decode
from model.texts.marks import has_marks, take_marks
from model.texts.reading import MAX_BYTES, MAX_TEXTS, READERS, ReadTexts, read_upload
from pages.components import mounts
from pages.shared.elements import upload_field
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.characters import replace_halves
from pages.shared.session.last_made import keep_last
from viz.shared.payload import pack
from viz.shared.style import count_noun, markdown_text

PASTED = "Pasted texts.txt"
PASTE, FILE, COLUMN, KEPT = "own texts pasted", "own texts file", "own texts column", "own texts kept"
MARKED = "own texts marked"
MEMORY = "text memory"
MARKED_HELP = "A rule can ask whether a head looks at them. The model does not read the signs."
KEPT_HELP = "Else they are gone with this window."
SHOWN = 3  # complaints that stand on the page; the others in a table
NONE = "choose the column"


@dataclass(frozen=True)
class GivenFile:
    """The bytes of a file, as the reader has given them."""

    name: str
    data: bytes
    column: str = ""


@dataclass
class OwnTexts:
    """What the reader gave, and what was read of it. `why_not`: why nothing could be. `columns`: those of the file.

    `takes_marks`: words between [[ and ]] are marked (`model.texts.marks`). `keeps`: the browser keeps what was given,
    where it `has_room`. `is_restored`: what the browser kept was taken back. `name` is the session's own. `forgotten`:
    how often the reader has forgotten all, so that the field for a file is a new one.
    """

    given: GivenFile | None = None
    read: ReadTexts | None = None
    why_not: str = ""
    columns: tuple[str, ...] = ()
    takes_marks: bool = False
    keeps: bool = False
    is_restored: bool = False
    has_room: bool = True
    forgotten: int = 0
    name: str = field(default_factory=lambda: secrets.token_hex(8))


def collection() -> Collection | None:
    """The reader's texts; None where there are none."""
    read = of_session(OwnTexts).read
    return read.collection if read is not None else None


def take(given: GivenFile) -> None:
    """Read what the reader gave, in the place of earlier texts."""
    own = of_session(OwnTexts)
    own.given, own.read, own.why_not = given, None, ""
    try:
        own.read = read_upload(given.name, given.data, given.column)
        own.columns = own.read.columns
        if own.takes_marks:
            own.read = replace(own.read, collection=take_marks(own.read.collection))
    except TextsError as error:
        own.why_not, own.columns = str(error), tuple(error.instead)


def choose() -> None:
    """The fields for texts and a file, and for the column of the file."""
    own = of_session(OwnTexts)
    st.text_area("Paste texts, one a line", key=PASTE, on_change=_take_pasted, height=120, max_chars=MAX_BYTES)
    upload_field.show(
        f"Or give a file: {', '.join(READERS)}; at most {MAX_TEXTS:,} texts",
        most_bytes=MAX_BYTES,
        type=[ending.removeprefix(".") for ending in READERS],
        key=f"{FILE} {own.forgotten}",
        on_change=_take_file,
    )
    if len(own.columns) > 1:
        st.session_state[COLUMN] = own.read.column if own.read is not None else NONE
        options = own.columns if own.read is not None else (NONE, *own.columns)
        st.selectbox("Column with the texts", options, key=COLUMN, on_change=_take_column)
    if own.read is not None and (own.takes_marks or has_marks(own.read.collection)):
        st.session_state[MARKED] = own.takes_marks
        st.checkbox("Words between [[ and ]] are marked", key=MARKED, help=MARKED_HELP, on_change=_take_marked)
    if own.given is not None:
        st.session_state[KEPT] = own.keeps
        st.checkbox("Keep them in this browser", key=KEPT, help=KEPT_HELP, on_change=_take_kept)
        if own.keeps and not own.has_room:
            st.warning("The browser has no room for them.", icon=":material/info:")
        st.button("Forget them", icon=":material/delete:", type="tertiary", on_click=_forget)
    st.caption("No link has your texts, and a server writes none of them to its disk.")


def _take_pasted() -> None:
    text = st.session_state[PASTE]
    if text.strip():
        take(GivenFile(PASTED, text.encode("utf-8", errors="surrogatepass")))


def _take_file() -> None:
    file = st.session_state[f"{FILE} {of_session(OwnTexts).forgotten}"]
    if file is not None:
        take(GivenFile(file.name, file.getvalue()))


def _take_column() -> None:
    own, column = of_session(OwnTexts), st.session_state[COLUMN]
    if own.given is not None and column != NONE:
        take(GivenFile(own.given.name, own.given.data, column))


def _take_marked() -> None:
    own = of_session(OwnTexts)
    own.takes_marks = st.session_state[MARKED]
    if own.given is not None:
        take(own.given)


def _take_kept() -> None:
    of_session(OwnTexts).keeps = st.session_state[KEPT]


def _forget() -> None:
    own = of_session(OwnTexts)
    own.given, own.read, own.why_not, own.columns, own.keeps, own.takes_marks = None, None, "", (), False, False
    own.forgotten += 1
    st.session_state[PASTE] = ""
    state.put(heads_texts="")


def complain() -> None:
    """What is wrong with the lines that gave no text, and with the whole file."""
    own = of_session(OwnTexts)
    if own.why_not:
        st.error(markdown_text(own.why_not), icon=":material/error:")
    if own.read is None or not (complaints := own.read.complaints):
        return
    first = " ".join(map(str, complaints[:SHOWN]))
    more = len(complaints) - SHOWN
    st.warning(
        f"{count_noun(len(complaints), 'line')} gave no text; all others are read. {markdown_text(first)}",
        icon=":material/info:",
    )
    if more > 0:
        with st.expander(f"{count_noun(more, 'further line')} without a text"):
            rows = [{"line": each.line, "why": each.why} for each in complaints]
            st.dataframe(pd.DataFrame(rows), hide_index=True, height=240)


def remember() -> None:
    """What the browser keeps of the texts, or gives back to a session that has none."""
    own = of_session(OwnTexts)
    kept, is_restored = own.given if own.keeps else None, own.is_restored or own.given is not None
    data = keep_last("texts for the browser", (kept, is_restored), lambda: _pack(own.name, kept, is_restored))
    with st.container(key=f"{MEMORY} unseen"):
        mounts.component("attention/text_memory")(
            data=data, key=MEMORY, on_restore_change=_restore, on_room_change=_note_room
        )


def _pack(session: str, given: GivenFile | None, is_restored: bool) -> bytes:
    """What the browser shall keep; None for nothing."""
    kept = given and {"name": given.name, "text": replace_halves(decode(given.data)), "column": given.column}
    return pack({"session": session, "kept": kept, "restored": is_restored})


def _restore() -> None:
    own, kept = of_session(OwnTexts), st.session_state[MEMORY]["restore"]
    own.is_restored = True
    if own.given is not None or not isinstance(kept, Mapping):
        return
    name, text, column = (kept.get(part) for part in ("name", "text", "column"))
    if isinstance(name, str) and isinstance(text, str) and isinstance(column, str):
        take(GivenFile(name, text.encode("utf-8", errors="surrogatepass"), column))
        own.keeps = True


def _note_room() -> None:
    own = of_session(OwnTexts)
    own.has_room = bool(st.session_state[MEMORY]["room"])
