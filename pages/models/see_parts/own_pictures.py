"""A reader's own picture: uploaded, pasted, photographed or drawn. It stays in the session: no cache, file or link."""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.errors import PictureError
from model.vision.files import PictureFile, read_picture
from model.vision.model import VisionModel
from pages.components.vision_mounts import digit_pad, picture_paste
from pages.shared.elements import upload_field
from pages.shared.server import limits, rate_limits, reached_limits
from pages.shared.server.networks import network_here
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.shared.style import markdown_text

PASTED_BYTES = 5_000_000  # It comes as base64 in one message, which may have 8 MB (.streamlit/config.toml).
FITS = {
    "steps": "as the model's files say",
    "crop": "its middle",
    "pad": "all of it, with black bars",
    "stretch": "all of it, stretched",
}


@dataclass
class OwnPictures:
    """The reader's own pictures by their source, already made small.

    `faults`: why the last file of a source cannot be read. `waiting`: a source and its file that is to be read.
    """

    by_source: dict[str, PictureFile] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    waiting: tuple[str, bytes] | None = None


def chosen() -> PictureFile | None:
    """The reader's own picture from the chosen source; None for an example, and where there is none yet."""
    if state.get("see_source") == "example":
        return None
    _take_waiting()
    return of_session(OwnPictures).by_source.get(state.get("see_source"))


def take(model: VisionModel) -> None:
    """What takes a picture from the chosen source, with what there is to say of it. An example needs nothing."""
    source, own = state.get("see_source"), of_session(OwnPictures)
    if source == "example":
        return
    _show_field(source, own)
    if message := own.faults.get(source):
        st.error(markdown_text(message), icon=":material/error:")
    if source not in own.by_source:
        st.info(
            "No picture yet: below is an example. A picture of your own stays in this session. It is written to no "
            "file, and a link to this page cannot hold it."
            + ("" if source != "camera" else " The browser asks whether it may use your camera. Where it has none, or "
               "you said no, choose Upload or Paste.")
        )  # fmt: skip
        return
    if not model.reads_digits:
        _choose_fit(model)
    for note in own.by_source[source].notes:
        st.caption(note)


def _show_field(source: str, own: OwnPictures) -> None:
    """The pad, the field or the camera of a source."""
    if source == "draw":
        drawn = own.by_source["draw"].rgb[..., 0] if "draw" in own.by_source else None
        digit_pad(drawn, key="see pad", on_ink=_take_ink)
    elif source == "paste":
        picture_paste(PASTED_BYTES, key="see paste", on_file=_take_paste)
    elif source == "camera":
        st.camera_input("Take a picture", key="see camera", on_change=_take_file, args=("camera",), width=420)
    else:
        upload_field.show(
            "A PNG, JPEG or WebP picture, at most 16 MB and 25 million pixels (6 million of a WebP)",
            type=["png", "jpg", "jpeg", "webp"],
            key="see upload",
            on_change=_take_file,
            args=("upload",),
        )


def read_fit(model: VisionModel) -> str:
    """How a picture that is not square is read. The model's own way comes first, where its files say one."""
    return state.checked_choice("see_fit", _fits(model), "The way to read a picture", _usual_fit(model))


def _choose_fit(model: VisionModel) -> None:
    st.segmented_control(
        "Of a picture that is not square, read",
        _fits(model),
        key="see_fit",
        format_func=FITS.__getitem__,
        required=True,
    )


def _usual_fit(model: VisionModel) -> str:
    return model.preparation.reading("").fit


def _fits(model: VisionModel) -> tuple[str, ...]:
    return tuple(FITS) if _usual_fit(model) == "steps" else tuple(FITS)[1:]


def _take_file(source: str) -> None:
    file = st.session_state.get(f"see {source}")
    if file is None:
        own = of_session(OwnPictures)
        own.waiting = None
        own.by_source.pop(source, None)
        own.faults.pop(source, None)
    else:
        _take(source, file.getvalue())


def _take_paste() -> None:
    text = st.session_state["see paste"].file
    if isinstance(text, str):
        try:
            _take("paste", base64.b64decode(text, validate=True))
        except ValueError:
            of_session(OwnPictures).faults["paste"] = "What was pasted cannot be read. Copy the picture again."


def _take(source: str, data: bytes) -> None:
    """A file becomes the picture of its source. If it cannot be read, the reason is kept for the page.

    Beyond the limit of uploads it waits until the page is drawn (`_take_waiting`).
    """
    of_session(OwnPictures).waiting = (source, data)
    with suppress(LimitReached):
        _read_waiting()


def _take_waiting() -> None:
    """Read the file that had to wait, or say that it still has to."""
    if of_session(OwnPictures).waiting is not None:
        try:
            _read_waiting()
        except LimitReached as error:
            reached_limits.note(error)


def _read_waiting() -> None:
    rate_limits.spend(limits.UPLOADS)
    own = of_session(OwnPictures)
    if own.waiting is None:
        return
    (source, data), own.waiting = own.waiting, None
    own.faults.pop(source, None)
    try:
        picture = read_picture(data, network_here())
    except PictureError as error:
        own.faults[source] = str(error)
        return
    own.by_source[source] = picture


def _take_ink() -> None:
    message = st.session_state["see pad"].ink
    ink = ink_of(message)
    if ink is None:
        return
    pictures = of_session(OwnPictures).by_source
    if ink.any():
        pictures["draw"] = PictureFile(ink[..., None].repeat(3, -1), ink.shape[1], ink.shape[0], ())
    else:
        pictures.pop("draw", None)


def ink_of(message: Any) -> NDArray[np.uint8] | None:
    """The ink in a message of the pad: (56, 56). None if the message has another form."""
    try:
        grey = base64.b64decode(message["grey"], validate=True)
    except (TypeError, KeyError, ValueError):
        return None
    return np.frombuffer(grey, np.uint8).reshape(56, 56) if len(grey) == 56 * 56 else None
