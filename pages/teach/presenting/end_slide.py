"""What the end slide of a lecture shows: what was seen, and where to go on. The presenter's browser draws it."""

from __future__ import annotations

from typing import Any

from pages.teach.lectures.scene import Lecture
from pages.teach.presenting import class_address


def data_of(lecture: Lecture) -> dict[str, Any]:
    """The title and point of each scene of an unfolded lecture, and the address of the app with its QR code.

    The address is left out where no other device opens it.
    """
    seen = [(scene.title, scene.point) for scene in lecture.scenes if scene.title]
    shown = list(dict.fromkeys(seen))  # the steps of a scene have its words
    address = class_address.address()
    if class_address.find_fault(address):
        return {"scenes": shown, "address": "", "qr": []}
    return {"scenes": shown, "address": address, "qr": class_address.qr_rows(address)}
