"""The pictures of plain scenes: small, checked, and found by the name that a view's URL carries. No Streamlit here.

A picture is too long for a URL. So the URL of a plain scene has a name that is made of the picture (SHA-256), and the
server keeps the newest pictures under their names. A student who follows sees the picture by that name. Nobody can
guess it who has not seen the lecture.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
from collections import Counter, OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import PictureError
from model.vision.headers import read_header
from pages.teach.lectures.scene import Scene

MAX_PICTURE_BYTES = 40_000
MAX_CHARACTERS = 4 * -(-MAX_PICTURE_BYTES // 3)  # in base64
MAX_PIXELS = 4_000_000  # A browser decodes them.
MAX_STORED_CHARACTERS = 64_000_000
NAME_CHARACTERS = 32
QUALITIES = (90, 80, 65, 50, 35)  # of WebP, until the picture is small enough
SHRINK = 0.75  # of the sides, where no quality is low enough


def name_of(picture: str) -> str:
    """The name of a picture in base64."""
    return hashlib.sha256(picture.encode()).hexdigest()[:NAME_CHARACTERS]


def find_fault(picture: Any) -> str:
    """The reason why a value of a lecture file is no picture in base64; "" if it is one."""
    if not isinstance(picture, str):
        return "it is not a text"
    if len(picture) > MAX_CHARACTERS:
        return f"it has more than {MAX_PICTURE_BYTES:,} bytes"
    try:
        data = base64.b64decode(picture.encode("ascii"), validate=True)
        header = read_header(data)
    except (UnicodeEncodeError, binascii.Error, PictureError):
        return "it is no PNG, JPEG or WebP picture in base64"
    return "" if 0 < header.width * header.height <= MAX_PIXELS else f"it has more than {MAX_PIXELS:,} pixels"


def pack(rgb: NDArray[np.uint8]) -> str:
    """Pixels, (H, W, 3), as a WebP in base64 of at most `MAX_PICTURE_BYTES`."""
    from PIL import Image  # It is loaded only where a picture is packed.

    image = Image.fromarray(rgb)
    while True:
        for quality in QUALITIES:
            file = io.BytesIO()
            image.save(file, "WEBP", quality=quality)
            if file.tell() <= MAX_PICTURE_BYTES:
                return base64.b64encode(file.getvalue()).decode()
        image = image.resize((max(1, int(image.width * SHRINK)), max(1, int(image.height * SHRINK))))


def data_url(picture: str) -> str:
    """A picture in base64 for an `<img>`."""
    kind = read_header(base64.b64decode(picture)).kind.lower()
    return f"data:image/{kind};base64,{picture}"


class PictureStore:
    """The pictures that were kept last, by name. Sessions share it: a picture is never changed.

    Beyond the limit, the owner with most loses the oldest: so nobody pushes out the pictures of others.
    """

    def __init__(self, max_characters: int = MAX_STORED_CHARACTERS) -> None:
        self._max_characters = max_characters
        self._pictures: OrderedDict[str, str] = OrderedDict()
        self._owners: dict[str, str | None] = {}  # name -> who kept it first
        self._characters: Counter[str | None] = Counter()  # of each owner
        self._lock = Lock()

    def keep(self, scenes: Iterable[Scene], owner: str | None = None) -> None:
        """Keep the pictures of scenes. `owner`: the visitor's network; None for many."""
        with self._lock:
            for picture in (scene.picture for scene in scenes if scene.picture):
                name = name_of(picture)
                if name not in self._pictures:
                    self._pictures[name], self._owners[name] = picture, owner
                    self._characters[owner] += len(picture)
                self._pictures.move_to_end(name)
            while self._characters.total() > self._max_characters:
                (most, _), *_ = self._characters.most_common(1)
                self._forget(next(name for name in self._pictures if self._owners[name] == most))

    def _forget(self, name: str) -> None:
        owner = self._owners.pop(name)
        self._characters[owner] -= len(self._pictures.pop(name))
        if not self._characters[owner]:
            del self._characters[owner]

    def find(self, name: str) -> str:
        """The picture of a name; "" if it is not kept."""
        with self._lock:
            return self._pictures.get(name, "")


STORE = PictureStore()
