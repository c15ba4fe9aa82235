"""Makers of hostile pictures. Each gives the bytes of a file that is small for what it asks of its reader."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image

SCAN = b"\xff\xda"
END = b"\xff\xd9"


def encode(image: Image.Image, kind: str, **options: Any) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **options)
    return held.getvalue()


def plain(width: int, height: int, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, (width, height), (200, 30, 30) if mode == "RGB" else 0)


def jpeg_of_scans(width: int, height: int, scans: int) -> bytes:
    """A progressive JPEG that repeats its last scan until it has this many."""
    whole = encode(plain(width, height), "JPEG", progressive=True).removesuffix(END)
    body, last = whole[: whole.rindex(SCAN)], whole[whole.rindex(SCAN) :]
    return body + last * (scans - body.count(SCAN)) + END


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, depth: int, colours: int, *, before: bytes = b"", channels: int = 1) -> bytes:
    """A PNG of zeros. `before` are chunks in front of the pixels."""
    row = bytes(1 + width * channels * depth // 8)
    packer = zlib.compressobj(1)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + before + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animated_png(width: int, height: int) -> bytes:
    """Two frames, of which the first is to be wiped away: its reader needs the canvas before it."""
    control = chunk(b"acTL", struct.pack(">II", 2, 0))
    frame = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, width, height, 0, 0, 1, 10, 2, 1))
    return png(width, height, 8, 6, before=control + frame, channels=4)


def animated_webp(width: int, height: int, *, lossless: bool) -> bytes:
    frames = [Image.new("RGBA", (width, height), (tone, 0, 0, 128)) for tone in (10, 200)]
    return encode(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=lossless, method=0)
