"""Pictures from untrusted files. They are checked before they are decoded, and made small.

Two things bound each picture. `model.vision.headers` counts memory and work beforehand. And a process of its own
decodes it, with a limit of time on every system, and of memory where the system has one. Nobody waits behind a picture
for longer than `MAX_WAIT_SECONDS`, and a quick picture never waits behind a slow one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.errors import PictureError
from model.fair_places import FairPlaces
from model.location import SEARCHED
from model.numerals import file_size, large
from model.vision import decoding
from model.vision.decoding import DAMAGED, MAX_DECODED_BYTES
from model.vision.headers import PictureHeader, read_header

MAX_BYTES = 16_000_000
MAX_PIXELS = 25_000_000  # a decoded pixel has up to four bytes, so this is `MAX_DECODED_BYTES`
MAX_SCANS = 64  # a progressive JPEG has about ten
MAX_SCANNED_PIXELS = 400_000_000  # pixels times scans: a second of work
MIN_SIDE_PIXELS = 8
MAX_SECONDS = 10.0  # from the start of the process to its answer
MAX_WAIT_SECONDS = MAX_SECONDS + 2  # for one of the places: who waits for one alone gets it
MAX_QUICK_AT_ONCE = 2  # processes, each with at most `QUICK_BYTES` of `headers`
MAX_SLOW_AT_ONCE = 2  # processes, each with at most `MAX_DECODED_BYTES`

_quick_places = FairPlaces(MAX_QUICK_AT_ONCE)
_slow_places = FairPlaces(MAX_SLOW_AT_ONCE)


@dataclass(frozen=True)
class PictureFile:
    """The picture of a file: `rgb` (H, W, 3), 0..255, with sides of at most `KEPT_SIDE_PIXELS` of `headers`.

    `width` and `height` are those of the file's picture, in pixels, after a turn by its EXIF data. `notes` tell the
    reader what was changed.
    """

    rgb: NDArray[np.uint8]
    width: int
    height: int
    notes: tuple[str, ...]


def read_picture(data: bytes, owner: str | None = None) -> PictureFile:
    """The picture in the bytes of a PNG, JPEG or WebP file. Its size is checked before it is decoded.

    Decoding takes at most `MAX_DECODED_BYTES` beside the file, in a process that is gone when this returns. Where many
    wait, the places go round among the owners.
    Raises `PictureError` for any other file, and if too many are read at once. Its message says what to do.
    """
    if not data:
        raise PictureError("The file is empty. Choose a PNG, JPEG or WebP picture.")
    if len(data) > MAX_BYTES:
        raise PictureError(f"The file has {file_size(len(data))}; at most {file_size(MAX_BYTES)} are read.")
    if b"<svg" in data[:2000].lower():
        raise PictureError("This is an SVG: a drawing without pixels. Save it as PNG and choose that.")
    header = read_header(data)
    _check_size(header)
    _check_work(header)
    places = _quick_places if header.is_quick else _slow_places
    with places.hold(owner, MAX_WAIT_SECONDS) as has_place:
        if not has_place:
            raise PictureError("Many pictures are read at this moment. Choose yours again in a few seconds.")
        answer = _run_decoder(data)
    return _picture(answer)


def _check_size(header: PictureHeader) -> None:
    if header.width * header.height > MAX_PIXELS:
        raise PictureError(
            f"The picture has {header.width:,} x {header.height:,} pixels; at most {large(MAX_PIXELS)} are "
            "read. Make it smaller, such as 1,000 pixels wide: the models read far fewer."
        )
    if min(header.width, header.height) < MIN_SIDE_PIXELS:
        raise PictureError(
            f"The picture has {header.width} x {header.height} pixels: too few to cut into patches. "
            f"Choose one of at least {MIN_SIDE_PIXELS} x {MIN_SIDE_PIXELS}."
        )


def _check_work(header: PictureHeader) -> None:
    if header.scans > MAX_SCANS or header.scanned_pixels > MAX_SCANNED_PIXELS:
        raise PictureError(
            f"This JPEG goes over its {header.width:,} x {header.height:,} pixels {header.scans:,} times, which takes "
            "too long. Save it as a JPEG that is not progressive, or make it smaller."
        )
    if header.decoded_bytes > MAX_DECODED_BYTES:
        raise PictureError(
            f"Of its kind, a {header.kind} of {header.width:,} x {header.height:,} pixels takes "
            f"{file_size(header.decoded_bytes)} to decode; at most {file_size(MAX_DECODED_BYTES)} are taken. Make "
            "it smaller, such as 1,000 pixels wide: the models read far fewer."
        )


def _run_decoder(data: bytes) -> bytes:
    """The answer of `model.vision.decoding`. Raises `PictureError` if the program was stopped."""
    try:
        return subprocess.run(
            [sys.executable, "-m", decoding.__name__],
            input=data,
            capture_output=True,
            timeout=MAX_SECONDS,
            check=True,
            cwd=SEARCHED,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ).stdout
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise PictureError("The picture takes too long to decode. Make it smaller, or choose another.") from None
    except OSError:
        raise PictureError("No picture can be read at this moment. Choose it again in a minute.") from None


def _picture(answer: bytes) -> PictureFile:
    head, _, rgb = answer.partition(b"\n")
    facts = json.loads(head)
    if "fault" in facts:
        raise PictureError(
            "The picture is cut off or damaged. Save it again, or choose another."
            if facts["fault"] == DAMAGED
            else "The picture takes too much memory to decode. Make it smaller, or choose another."
        )
    width, height = facts["size"]
    pixels = np.frombuffer(rgb, np.uint8).reshape(height, width, 3)
    full_width, full_height = facts["file_size"]
    return PictureFile(pixels, full_width, full_height, tuple(facts["notes"]))
