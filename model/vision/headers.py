"""The headers of picture files, read without decoding: the size, and the memory and work that decoding would take.

PNG: W3C (2025), section 11.2. JPEG: ITU-T T.81 (1992), annex B. WebP: RFC 9649, section 2.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass

from model.errors import PictureError

KEPT_SIDE_PIXELS = 672  # three times the side that the largest model here reads
QUICK_BYTES = 20_000_000  # a screenshot, or a photo of a telephone: of a large JPEG only a fraction is decoded
QUICK_SCANNED_PIXELS = 50_000_000
MAX_JPEG_SEGMENTS = 10_000  # a photo has fewer than a hundred
PNG_PIXEL_BYTES = 4
ANIMATED_PNG_PIXEL_BYTES = 8  # the picture, and the canvas that its reader restores behind it
WEBP_PIXEL_BYTES = 16  # libwebp keeps two canvases, and hands over a third, which becomes the picture
PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type

UNKNOWN = "This is no PNG, JPEG or WebP picture, or its beginning is damaged."
# 0xFF00 is a byte of the scan. 0xFF01 and the restarts 0xFFD0 to 0xFFD7 stand alone and change nothing here.
_MARKER = re.compile(rb"\xff[^\x00\x01\xff\xd0-\xd7]")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = (0xC2, 0xC6, 0xCA, 0xCE)
_START, _END, _SCAN = 0xD8, 0xD9, 0xDA


@dataclass(frozen=True)
class PictureHeader:
    """What a file says of its picture. `kind` is "PNG", "JPEG" or "WEBP", as Pillow names them."""

    kind: str
    width: int  # pixels, before a turn by EXIF data
    height: int
    decoded_bytes: int  # the most memory that decoding takes beside the file
    scans: int = 1  # passes over all pixels: only a JPEG may have more than one

    @property
    def scanned_pixels(self) -> int:
        return self.scans * self.width * self.height

    @property
    def is_quick(self) -> bool:
        """Whether decoding takes tenths of a second. It takes seconds for the largest picture that is allowed."""
        return self.decoded_bytes <= QUICK_BYTES and self.scanned_pixels <= QUICK_SCANNED_PIXELS


def read_header(data: bytes) -> PictureHeader:
    """The header of a PNG, JPEG or WebP file. It takes time in proportion to the bytes, and no memory.

    Raises `PictureError` for any other file.
    """
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _read_png(data)
        if data.startswith(b"\xff\xd8\xff"):
            return _read_jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _read_webp(data)
    except (struct.error, KeyError, IndexError, ZeroDivisionError):
        raise PictureError(UNKNOWN) from None
    raise PictureError(UNKNOWN)


def _read_png(data: bytes) -> PictureHeader:
    name, width, height, depth, colours = struct.unpack_from(">4sIIBB", data, 12)
    if name != b"IHDR" or not width * height:
        raise PictureError(UNKNOWN)
    pixel = ANIMATED_PNG_PIXEL_BYTES if b"acTL" in data else PNG_PIXEL_BYTES
    rows = 2 * math.ceil(width * depth * PNG_CHANNELS[colours] / 8)  # the filters need a row and the one above
    return PictureHeader("PNG", width, height, pixel * width * height + rows)


def _read_webp(data: bytes) -> PictureHeader:
    name = data[12:16]
    if name == b"VP8X":
        low = struct.unpack_from("<HBHB", data, 24)
        width, height = 1 + low[0] + (low[1] << 16), 1 + low[2] + (low[3] << 16)
    elif name == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif name == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        raise PictureError(UNKNOWN)
    if not width * height:
        raise PictureError(UNKNOWN)
    return PictureHeader("WEBP", width, height, WEBP_PIXEL_BYTES * width * height)


def _read_jpeg(data: bytes) -> PictureHeader:
    """Walks over the segments as libjpeg does: what lies between two of them is the data of a scan."""
    at, scans, frame, several_scans = 2, 0, b"", False
    for _ in range(MAX_JPEG_SEGMENTS):
        found = _MARKER.search(data, at)
        if found is None or data[found.end() - 1] == _END:
            break
        marker, start = data[found.end() - 1], found.end()
        (length,) = struct.unpack_from(">H", data, start)
        if marker == _START or length < 2:
            raise PictureError(UNKNOWN)
        at = start + length
        if marker in _FRAMES:
            frame = data[start + 2 : at]
            several_scans = marker in _PROGRESSIVE
        elif marker == _SCAN:
            scans += 1
            several_scans |= data[start + 2] < frame[5]  # not all components at once
    else:
        raise PictureError(f"The JPEG has more than {MAX_JPEG_SEGMENTS:,} segments. Save it again, or choose another.")
    return _jpeg_header(frame, scans, several_scans)


def _jpeg_header(frame: bytes, scans: int, several_scans: bool) -> PictureHeader:
    """The header from the frame's segment: precision, height, width, and the sampling of each component."""
    height, width, components = struct.unpack_from(">HHB", frame, 1)
    if not width * height * components:
        raise PictureError(UNKNOWN)
    across = [frame[6 + 3 * number + 1] >> 4 for number in range(components)]
    down = [frame[6 + 3 * number + 1] & 15 for number in range(components)]
    blocks = sum(a * b for a, b in zip(across, down, strict=True))  # in one unit of the grid
    units = math.ceil(width / (8 * max(across))) * math.ceil(height / (8 * max(down)))
    coefficients = 64 * 2 * blocks * units if several_scans else 0  # two bytes each, kept until the last scan
    scale = max(step for step in (1, 2, 4, 8) if step <= max(1, min(width, height) // KEPT_SIDE_PIXELS))
    pixels = math.ceil(width / scale) * math.ceil(height / scale)  # libjpeg decodes at a fraction of the size
    return PictureHeader("JPEG", width, height, 4 * pixels + coefficients, scans)
