from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from model.vision.digits import BOX_PIXELS, SHEET_FILE, SIDE_PIXELS, centre_digit, held_out


def test_the_sheet_has_fifty_of_each_digit() -> None:
    pictures, labels = held_out()
    assert pictures.shape == (500, SIDE_PIXELS, SIDE_PIXELS)
    assert pictures.dtype == np.uint8
    assert np.bincount(labels).tolist() == [50] * 10
    assert SHEET_FILE.stat().st_size < 200_000
    with Image.open(SHEET_FILE) as sheet:
        first = np.asarray(sheet)[28:56, 56:84]
    assert np.array_equal(pictures[labels == 1][2], first)


def test_nobody_can_write_into_the_shared_pictures() -> None:
    with pytest.raises(ValueError, match="read-only"):
        held_out()[0][0, 0, 0] = 1


def test_a_digit_is_scaled_to_the_box_and_put_in_the_middle() -> None:
    ink = np.zeros((300, 200), np.uint8)
    ink[20:120, 150:170] = 255  # a stroke of 100 x 20, far from the middle
    small = centre_digit(ink)
    rows, columns = np.nonzero(small.max(axis=1))[0], np.nonzero(small.max(axis=0))[0]
    assert (rows[0], rows[-1] + 1) == (4, 24)
    assert (columns[0], columns[-1] + 1) == (12, 16)


@given(top=st.integers(0, 80), left=st.integers(0, 80), height=st.integers(1, 60), width=st.integers(1, 60))
def test_where_it_was_drawn_does_not_matter(top: int, left: int, height: int, width: int) -> None:
    stroke = np.random.default_rng(height * 61 + width).integers(1, 256, (height, width)).astype(np.uint8)
    ink = np.zeros((140, 140), np.uint8)
    ink[top : top + height, left : left + width] = stroke
    small = centre_digit(ink)
    assert np.array_equal(small, centre_digit(stroke))
    assert small.shape == (SIDE_PIXELS, SIDE_PIXELS)
    assert (small > 0).any(axis=1).sum() <= BOX_PIXELS
    assert (small > 0).any(axis=0).sum() <= BOX_PIXELS


def test_the_corpus_own_digits_stay_as_they_are() -> None:
    pictures, _ = held_out()
    assert np.array_equal(np.stack([centre_digit(each) for each in pictures]), pictures)


def test_an_empty_canvas_stays_black() -> None:
    assert not centre_digit(np.zeros((40, 30), np.uint8)).any()
