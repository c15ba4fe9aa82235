"""Pictures of plain scenes: packed small, refused where they are none, and kept within a bound."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from pages.teach.lectures import slide_pictures
from pages.teach.lectures.scene import Scene
from pages.teach.lectures.slide_pictures import (
    MAX_CHARACTERS,
    MAX_PICTURE_BYTES,
    PictureStore,
    find_fault,
    name_of,
    pack,
)


def noise(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)


def png(width: int, height: int) -> str:
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 1), (8, 600), (672, 672)])
def test_a_picture_is_packed_small_enough_for_a_lecture(shape: tuple[int, int]) -> None:
    picture = pack(noise(*shape))
    assert len(base64.b64decode(picture)) <= MAX_PICTURE_BYTES
    assert len(picture) <= MAX_CHARACTERS
    assert find_fault(picture) == ""
    assert slide_pictures.data_url(picture).startswith("data:image/webp;base64,")


def test_a_picture_that_is_small_already_keeps_its_size() -> None:
    picture = pack(np.full((48, 64, 3), 200, np.uint8))
    assert Image.open(io.BytesIO(base64.b64decode(picture))).size == (64, 48)


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (3, "not a text"),
        (["a"], "not a text"),
        ("A" * (MAX_CHARACTERS + 1), "more than 40,000 bytes"),
        ("not base64!", "no PNG, JPEG or WebP"),
        ("é", "no PNG, JPEG or WebP"),
        (base64.b64encode(b"<svg onload=alert(1)>").decode(), "no PNG, JPEG or WebP"),
        (base64.b64encode(b"GIF89a").decode(), "no PNG, JPEG or WebP"),
        (png(3000, 3000), "more than 4,000,000 pixels"),
    ],
)
def test_what_is_no_picture_of_a_lecture_is_refused(picture: object, says: str) -> None:
    assert says in find_fault(picture)


def test_the_store_keeps_the_newest_and_forgets_the_oldest() -> None:
    store = PictureStore(max_characters=10)
    store.keep([Scene("slide", {}, picture=each) for each in ("aaaa", "bbbb")])
    store.keep([Scene("slide", {}, picture="aaaa"), Scene("heads", {})])
    store.keep([Scene("slide", {}, picture="cccc")])
    assert [store.find(name_of(each)) for each in ("aaaa", "bbbb", "cccc")] == ["aaaa", "", "cccc"]
    assert store.find("aaaa") == ""


def test_nobody_pushes_out_the_pictures_of_others() -> None:
    store = PictureStore(max_characters=10)
    own, *many = (Scene("slide", {}, picture=letter * 2) for letter in "abcdefgh")
    store.keep([own], "192.0.2.1")
    store.keep(many, "192.0.2.2")
    assert store.find(name_of("aa")) == "aa"
    assert [store.find(name_of(each.picture)) != "" for each in many] == [False] * 3 + [True] * 4
