"""A program that decodes one picture: `python -m model.vision.decoding`, with the file on its input.

A process of its own can be stopped, and gives all its memory back. It loads only Pillow, so it starts in 50 ms.
It writes one line of JSON: {"fault": NAME}, or the facts of a `Decoded` without its pixels. The pixels follow.
"""

from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from PIL import Image, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from model.vision.headers import KEPT_SIDE_PIXELS, read_header

try:
    import resource
except ImportError:  # Windows has no such module
    resource = None  # type: ignore[assignment]

DAMAGED, TOO_MUCH_MEMORY = "damaged", "memory"  # the faults that the program reports
MAX_DECODED_BYTES = 100_000_000  # beside the file and the program
MARGIN_BYTES = 64_000_000  # of the program itself, and for copies of the file's chunks
MAX_PROCESSOR_SECONDS = 8
SLOW_NICENESS = 10  # pages and quick pictures get the processor first
TILE_PIXELS = 1_000_000

PLUGINS = (JpegImagePlugin, PngImagePlugin, WebPImagePlugin)  # their import registers them; all others take 100 ms
ORIENTATION = 0x0112
# What undoes each orientation of the EXIF standard (JEITA CP-3451C, 4.6.4). 1 is upright, and others have no meaning.
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
FIRST_SIDEWAYS = 5  # from this orientation on, width and height change places


@dataclass(frozen=True)
class Decoded:
    """A decoded picture: `rgb` are the bytes of (height, width, 3), `file_size` is (width, height) in the file."""

    size: tuple[int, int]  # (width, height) of `rgb`
    file_size: tuple[int, int]  # after a turn by EXIF data
    notes: list[str]
    rgb: bytes


def decode(data: bytes) -> Decoded:
    """Decodes one frame, shrinks it, turns it by its EXIF data, and converts it to 8 bits of red, green and blue.

    Raises any of Pillow's errors for a damaged file, `ValueError` for one whose size is not that of its header.
    """
    header, notes = read_header(data), []
    with Image.open(io.BytesIO(data), formats=(header.kind,)) as opened:
        if opened.size != (header.width, header.height):
            raise ValueError("The file names two sizes, and only one was checked.")
        if getattr(opened, "n_frames", 1) > 1:
            notes.append(f"It is animated: the first of its {opened.n_frames} frames is taken.")  # type: ignore[attr-defined]
        width, height = opened.size
        opened.draft(None, (KEPT_SIDE_PIXELS, KEPT_SIDE_PIXELS))  # decodes a JPEG at a fraction of its size
        opened.load()
        small = _shrink(opened)
        orientation = opened.getexif().get(ORIENTATION, 1)
        if orientation in TURNS:
            small = small.transpose(TURNS[orientation])
            notes.append("It is turned as its EXIF data say.")
            if orientation >= FIRST_SIDEWAYS:
                width, height = height, width
        if opened.mode == "CMYK":
            notes.append("Its print colours (CMYK) are turned into screen colours without a colour profile.")
        if opened.mode == "I;16":
            notes.append("Its 16 bits a pixel are reduced to 8.")
    if small.mode == "RGBA":
        if small.getchannel("A").getextrema() != (255, 255):
            notes.append("Transparent parts are shown on white.")
        small = Image.alpha_composite(Image.new("RGBA", small.size, "white"), small).convert("RGB")
    return Decoded(small.size, (width, height), notes, small.tobytes())


def _shrink(loaded: Image.Image) -> Image.Image:
    """The picture as RGB or RGBA, with sides of at most `KEPT_SIDE_PIXELS`.

    First the mean of whole pixels, then the rest, as `Image.thumbnail` does it. But that converts the whole picture
    first, and makes copies of a transparent one. Here, each tile is converted and shrunk alone.
    """
    width, height = loaded.size
    share = min(1.0, KEPT_SIDE_PIXELS / max(width, height))
    final = max(1, round(width * share)), max(1, round(height * share))
    step = max(1, int(width / final[0] / 2)), max(1, int(height / final[1] / 2))
    transparent = loaded.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in loaded.info
    mode = "RGBa" if transparent and loaded.mode != "I;16" else "RGB"  # colours times alpha: a mean needs them so
    small = Image.new(mode, (math.ceil(width / step[0]), math.ceil(height / step[1])))
    for box in _tiles(width, height, step):
        tile = _to_eight_bits(loaded.crop(box)).convert("RGBA" if mode == "RGBa" else "RGB").convert(mode)
        small.paste(tile.reduce(step), (box[0] // step[0], box[1] // step[1]))
    if small.size != final:
        small = small.resize(final, Image.Resampling.BOX, (0, 0, width / step[0], height / step[1]))
    return small.convert("RGBA") if transparent and mode == "RGBa" else small


def _tiles(width: int, height: int, step: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) that cover a picture. Each begins at a multiple of the step."""
    across = max(1, min(width, math.isqrt(TILE_PIXELS)) // step[0]) * step[0]
    down = max(1, TILE_PIXELS // across // step[1]) * step[1]
    for top in range(0, height, down):
        for left in range(0, width, across):
            yield left, top, min(left + across, width), min(top + down, height)


def _to_eight_bits(tile: Image.Image) -> Image.Image:
    if tile.mode != "I;16":
        return tile
    return Image.frombytes("L", tile.size, tile.tobytes("raw", "I;16")[1::2])  # the high byte of each grey


def _limit(data: bytes) -> None:
    """Bounds the memory and the time of this process, where the system can: not on Windows."""
    if resource is None:
        return
    memory = MAX_DECODED_BYTES + MARGIN_BYTES + 3 * len(data)
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, MAX_PROCESSOR_SECONDS)):
        with suppress(ValueError, OSError):  # a lower limit stands already
            resource.setrlimit(kind, (most, most))


def _yield_to_others(data: bytes) -> None:
    """Lowers the priority of this process if the picture is slow to decode, where the system can: not on Windows."""
    if hasattr(os, "nice") and not read_header(data).is_quick:
        os.nice(SLOW_NICENESS)


def main() -> None:
    """Reads the file from the input, and writes the answer."""
    data = sys.stdin.buffer.read()
    _limit(data)
    rgb, facts = b"", {}
    try:
        _yield_to_others(data)
        decoded = decode(data)
        rgb, facts = decoded.rgb, {"size": decoded.size, "file_size": decoded.file_size, "notes": decoded.notes}
    except MemoryError:
        facts = {"fault": TOO_MUCH_MEMORY}
    except Exception:  # a hostile file may raise anything in Pillow, and this process does nothing else
        facts = {"fault": DAMAGED}
    sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + rgb)


if __name__ == "__main__":
    main()
