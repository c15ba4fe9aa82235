from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.errors import PictureError
from model.vision.preparation import Preparation

COLOUR = Preparation(14, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
GREY = Preparation(14, (0.13,), (0.31,))


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(1, 256, (height, width, 3)).astype(np.uint8)


@given(height=st.integers(1, 60), width=st.integers(1, 60), fit=st.sampled_from(["pad", "crop", "stretch"]))
def test_any_picture_becomes_the_models_square(height: int, width: int, fit: str) -> None:
    for plan in (COLOUR, GREY):
        plan = Preparation(plan.size, plan.mean, plan.std, fit)
        pixels = plan.prepare(picture(height, width))
        assert pixels.shape == (len(plan.mean), 14, 14)
        assert torch.isfinite(pixels).all()


def test_a_picture_of_the_right_size_keeps_its_pixels() -> None:
    for fit in ("pad", "crop", "stretch"):
        square = Preparation(14, COLOUR.mean, COLOUR.std, fit).square(picture(14, 14))
        assert np.array_equal(square, picture(14, 14))


def test_padding_keeps_the_shape_between_black_bars() -> None:
    square = COLOUR.square(np.full((10, 20, 3), 200, np.uint8))
    filled = (square == 200).all(axis=(1, 2))
    assert filled.tolist() == [False] * 3 + [True] * 7 + [False] * 4
    assert (square[~filled] == 0).all()


def test_cropping_takes_the_middle() -> None:
    wide = np.zeros((14, 42, 3), np.uint8)
    wide[:, 14:28] = 255
    assert (Preparation(14, COLOUR.mean, COLOUR.std, "crop").square(wide) == 255).all()


def test_normal_pixels_by_hand() -> None:
    red = np.zeros((14, 14, 3), np.uint8)
    red[..., 0] = 255
    assert COLOUR.normalise(red)[:, 0, 0].tolist() == pytest.approx(
        [(1 - 0.485) / 0.229, -0.456 / 0.224, -0.406 / 0.225]
    )
    assert float(GREY.normalise(red)[0, 0, 0]) == pytest.approx((0.299 - 0.13) / 0.31, abs=1e-5)


def test_the_inverse_shows_what_was_read() -> None:
    square = COLOUR.square(picture(14, 14))
    assert np.array_equal(COLOUR.picture(COLOUR.normalise(square)), square)
    grey = np.repeat(square[..., :1], 3, axis=-1)
    assert np.array_equal(GREY.picture(GREY.normalise(grey)), grey)


@pytest.mark.parametrize("shape", [(14, 14), (14, 14, 4), (0, 14, 3)])
def test_what_is_no_picture_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(PictureError, match=r"\(height, width, 3\) of bytes"):
        COLOUR.prepare(np.zeros(shape, np.uint8))
    with pytest.raises(PictureError, match="of float64"):
        COLOUR.prepare(np.zeros((14, 14, 3)))  # type: ignore[arg-type]
