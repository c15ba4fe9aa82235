"""Pictures from untrusted files. They are checked before they are decoded, and made small."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from model.errors import PictureError

FORMATS = ("PNG", "JPEG", "WEBP")
MAX_BYTES = 16_000_000
MAX_PIXELS = 25_000_000  # a decoded pixel has up to four bytes: 100 MB for a moment
MIN_SIDE_PIXELS = 8
KEPT_SIDE_PIXELS = 672  # three times the side that the largest model here reads

_decoding_lock = Lock()  # bounds the memory when many readers upload at once


@dataclass(frozen=True)
class PictureFile:
    """The picture of a file: `rgb` (H, W, 3), 0..255, with sides of at most `KEPT_SIDE_PIXELS`.

    `width` and `height` are those of the file's picture, in pixels, after a turn by its EXIF data. `notes` tell the
    reader what was changed.
    """

    rgb: NDArray[np.uint8]
    width: int
    height: int
    notes: tuple[str, ...]


def read_picture(data: bytes) -> PictureFile:
    """The picture in the bytes of a PNG, JPEG or WebP file. Its size is checked before it is decoded.

    Raises `PictureError` for any other file. Its message says what to do.
    """
    if not data:
        raise PictureError("The file is empty. Choose a PNG, JPEG or WebP picture.")
    if len(data) > MAX_BYTES:
        raise PictureError(f"The file has {len(data) / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read.")
    if b"<svg" in data[:2000].lower():
        raise PictureError("This is an SVG: a drawing without pixels. Save it as PNG and choose that.")
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            _check_size(*opened.size)
            with _decoding_lock:
                return _decode(opened)
    except PictureError:
        raise
    except Image.DecompressionBombError:
        raise PictureError(_too_large("too many")) from None
    except Image.UnidentifiedImageError:
        raise PictureError("This is no PNG, JPEG or WebP picture, or its beginning is damaged.") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error):
        raise PictureError("The picture is cut off or damaged. Save it again, or choose another.") from None


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise PictureError(_too_large(f"{width:,} x {height:,}"))
    if min(width, height) < MIN_SIDE_PIXELS:
        raise PictureError(
            f"The picture has {width} x {height} pixels: too few to cut into patches. "
            f"Choose one of at least {MIN_SIDE_PIXELS} x {MIN_SIDE_PIXELS}."
        )


def _too_large(pixels: str) -> str:
    return (
        f"The picture has {pixels} pixels; at most {MAX_PIXELS / 1e6:.0f} million are read. Make it smaller, such as "
        "1,000 pixels wide: the models read far fewer."
    )


def _decode(opened: Image.Image) -> PictureFile:
    """Decodes one frame, shrinks it, turns it by its EXIF data, and converts it to 8 bits of red, green and blue."""
    notes = []
    if getattr(opened, "n_frames", 1) > 1:
        notes.append(f"It is animated: the first of its {opened.n_frames} frames is taken.")  # type: ignore[attr-defined]
    full_width, full_height = opened.size
    opened.draft(None, (KEPT_SIDE_PIXELS, KEPT_SIDE_PIXELS))  # decodes a JPEG at a fraction of its size
    mode = opened.mode
    image = _to_eight_bits(opened)
    image.thumbnail((KEPT_SIDE_PIXELS, KEPT_SIDE_PIXELS), Image.Resampling.BOX)
    turned = ImageOps.exif_transpose(image)
    if turned is not image and turned.size == image.size[::-1]:
        full_width, full_height = full_height, full_width
    if opened.getexif().get(0x0112, 1) not in (0, 1):
        notes.append("It is turned as its EXIF data say.")
    if mode == "CMYK":
        notes.append("Its print colours (CMYK) are turned into screen colours without a colour profile.")
    if mode.startswith("I"):
        notes.append("Its 16 bits a pixel are reduced to 8.")
    if turned.mode == "RGBA":
        if turned.getchannel("A").getextrema() != (255, 255):
            notes.append("Transparent parts are shown on white.")
        turned = Image.alpha_composite(Image.new("RGBA", turned.size, "white"), turned)
    return PictureFile(np.array(turned.convert("RGB")), full_width, full_height, tuple(notes))


def _to_eight_bits(opened: Image.Image) -> Image.Image:
    """The picture as RGB or RGBA, with its EXIF data, from any mode of the file."""
    opened.load()
    if opened.mode.startswith("I"):
        values = np.asarray(opened).astype(np.int64)  # 16 bits of grey
        image = Image.fromarray(np.clip(values >> 8, 0, 255).astype(np.uint8)).convert("RGB")
        image.info = dict(opened.info)
        return image
    transparent = opened.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in opened.info
    return opened.convert("RGBA" if transparent else "RGB")
