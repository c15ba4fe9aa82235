"""Pictures that nobody vouches for: each kind of trouble has one message or is put right."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from model.errors import PictureError
from model.vision import files
from model.vision.files import read_picture
from model.vision.headers import KEPT_SIDE_PIXELS

RED, BLUE = (200, 30, 30), (30, 30, 200)


def file_of(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **options)
    return held.getvalue()


def two_colours(mode: str = "RGB") -> Image.Image:
    """Red on the left, blue on the right, 40 x 20."""
    image = Image.new("RGB", (40, 20), RED)
    image.paste(BLUE, (20, 0, 40, 20))
    return image.convert(mode)


def png_claiming(width: int, height: int) -> bytes:
    """A PNG whose header names a size, with hardly any data behind it."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = chunk(b"IDAT", zlib.compress(bytes(100)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + rows + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_three_formats_are_read(kind: str) -> None:
    read = read_picture(file_of(two_colours(), kind))
    assert read.rgb.shape == (20, 40, 3)
    assert (read.width, read.height) == (40, 20)
    assert read.notes == ()
    assert np.abs(read.rgb[10, 5].astype(int) - RED).max() < 12
    assert np.abs(read.rgb[10, 35].astype(int) - BLUE).max() < 12


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"hello, I am a text", "no PNG, JPEG or WebP"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
        (file_of(two_colours(), "GIF"), "no PNG, JPEG or WebP"),
        (file_of(two_colours(), "BMP"), "no PNG, JPEG or WebP"),
        (b"\x89PNG\r\n\x1a\n", "no PNG, JPEG or WebP"),
        (png_claiming(20_000, 20_000), "too many pixels|20,000 x 20,000 pixels"),
        (png_claiming(5_001, 5_000), "5,001 x 5,000 pixels"),
        (png_claiming(1, 1), "1 x 1 pixels"),
        (png_claiming(0, 10), "damaged|no PNG"),
        (file_of(Image.new("RGB", (200, 7))), "200 x 7 pixels"),
    ],
)
def test_what_cannot_be_read_has_one_message(data: bytes, message: str) -> None:
    with pytest.raises(PictureError, match=message):
        read_picture(data)


def test_a_file_of_100_mb_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "read_header", lambda data: pytest.fail("opened"))
    with pytest.raises(PictureError, match=r"100 MB; at most 16 MB"):
        read_picture(bytes(100_000_000))


@pytest.mark.parametrize("size", [(20_000, 20_000), (60_000, 60_000), (25_000_001, 1)])
def test_a_bomb_is_refused_by_its_header_without_memory(size: tuple[int, int]) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(PictureError, match=r"at most 25 million"):
            read_picture(png_claiming(*size))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_file_that_is_cut_off_says_so(kind: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    whole = file_of(Image.fromarray(noise), kind)
    with pytest.raises(PictureError, match=r"cut off or damaged|beginning is damaged"):
        read_picture(whole[: len(whole) // 2])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 2), st.integers(0, 5_000), st.integers(0, 255))
def test_a_damaged_byte_is_read_or_refused_never_worse(kind: int, place: int, value: int) -> None:
    data = bytearray(file_of(two_colours(), ("PNG", "JPEG", "WEBP")[kind]))
    data[place % len(data)] = value
    try:
        read = read_picture(bytes(data))
    except PictureError:
        return
    assert read.rgb.dtype == np.uint8
    assert read.rgb.shape[-1] == 3


def test_an_animated_picture_gives_its_first_frame() -> None:
    frames = [Image.new("RGB", (16, 16), tone) for tone in (RED, BLUE)]
    for kind in ("PNG", "WEBP"):
        read = read_picture(file_of(frames[0], kind, save_all=True, append_images=frames[1:], lossless=True))
        assert tuple(read.rgb[8, 8]) == RED
        assert "first of its 2 frames" in read.notes[0]


def test_print_colours_become_screen_colours() -> None:
    read = read_picture(file_of(two_colours("CMYK"), "JPEG"))
    assert np.abs(read.rgb[10, 5].astype(int) - RED).max() < 12
    assert "CMYK" in read.notes[0]


def test_sixteen_bits_keep_their_brightness() -> None:
    values = np.zeros((16, 16), np.uint16)
    values[:, 8:] = 0xC000
    read = read_picture(file_of(Image.fromarray(values)))
    assert read.rgb[3, 3].tolist() == [0, 0, 0]
    assert read.rgb[3, 12].tolist() == [0xC0] * 3
    assert "16 bits" in read.notes[0]


@pytest.mark.parametrize("mode", ["P", "L", "1"])
def test_palettes_and_greys_become_three_channels(mode: str) -> None:
    read = read_picture(file_of(two_colours(mode)))
    assert read.rgb.shape == (20, 40, 3)
    assert read.notes == ()


def test_what_is_transparent_lies_on_white() -> None:
    image = two_colours("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 20, 20))
    read = read_picture(file_of(image))
    assert read.rgb[5, 5].tolist() == [255] * 3
    assert tuple(read.rgb[5, 30]) == BLUE
    assert "white" in read.notes[0]


def test_a_transparent_palette_lies_on_white() -> None:
    image = two_colours("P")
    read = read_picture(file_of(image, transparency=image.getpixel((2, 2))))
    assert read.rgb[5, 5].tolist() == [255] * 3


def test_a_full_alpha_channel_is_no_news() -> None:
    assert read_picture(file_of(two_colours("RGBA"))).notes == ()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_turned_picture_is_turned_back(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to look at it
    read = read_picture(file_of(two_colours(), kind, exif=exif))
    assert (read.width, read.height) == (20, 40)
    assert np.abs(read.rgb[5, 10].astype(int) - RED).max() < 12
    assert np.abs(read.rgb[35, 10].astype(int) - BLUE).max() < 12
    assert any("EXIF" in note for note in read.notes)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_large_picture_is_made_small(kind: str) -> None:
    read = read_picture(file_of(Image.new("RGB", (3000, 1500), RED), kind))
    assert (read.width, read.height) == (3000, 1500)
    assert max(read.rgb.shape) == KEPT_SIDE_PIXELS
    assert read.rgb.shape[0] == pytest.approx(KEPT_SIDE_PIXELS / 2, abs=1)


def test_a_hair_of_a_picture_keeps_a_row() -> None:
    assert min(read_picture(file_of(Image.new("RGB", (20_000, 8)))).rgb.shape[:2]) >= 1
