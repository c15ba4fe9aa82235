"""Handwritten digits that no model here was trained on: examples for pages, and for measuring a model again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SHEET = Path(__file__).resolve().parents[2] / "assets" / "digits" / "held-out.png"
SIDE = 28
BOX = 20  # MNIST's digits fill this many pixels, about their centre of mass


@cache
def held_out() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """500 digits of the held-out part of the corpus, 50 of each: pictures (500, 28, 28), white on black, and labels.

    The sheet has a row for each digit, 0 to 9.
    """
    with Image.open(SHEET) as opened:
        sheet = np.array(opened.convert("L"))  # (10 x 28, 50 x 28)
    rows, columns = sheet.shape[0] // SIDE, sheet.shape[1] // SIDE
    pictures = sheet.reshape(rows, SIDE, columns, SIDE).swapaxes(1, 2).reshape(-1, SIDE, SIDE)
    labels = np.repeat(np.arange(rows), columns)
    for shared in (pictures, labels):
        shared.flags.writeable = False
    return pictures, labels


def centre_digit(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A drawn digit, white on black, as MNIST has its digits: (H, W) -> (28, 28).

    The ink's box is scaled to 20 pixels and its centre of mass put on the pixel (14, 14): LeCun et al. (1998), section
    III-A. A picture without ink stays black.
    """
    rows, columns = np.nonzero(ink.max(axis=1) > 0)[0], np.nonzero(ink.max(axis=0) > 0)[0]
    canvas = np.zeros((SIDE, SIDE), np.uint8)
    if not len(rows):
        return canvas
    box = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = BOX / max(box.shape)
    height, width = (max(1, round(side * scale)) for side in box.shape)
    small = np.asarray(Image.fromarray(box).resize((width, height), Image.Resampling.BOX))
    mass = small.astype(np.int64) if small.any() else np.ones(small.shape, np.int64)  # whole: the same on every machine
    top = round(SIDE / 2 - mass.sum(axis=1) @ np.arange(height) / mass.sum())
    left = round(SIDE / 2 - mass.sum(axis=0) @ np.arange(width) / mass.sum())
    top, left = min(max(top, 0), SIDE - height), min(max(left, 0), SIDE - width)
    canvas[top : top + height, left : left + width] = small
    return canvas
