"""Handwritten digits that no model here was trained on. Pages show them, and tests measure models with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SHEET_FILE = Path(__file__).resolve().parents[2] / "assets" / "digits" / "held-out.png"
SIDE_PIXELS = 28
BOX_PIXELS = 20  # the longer side of a digit's ink in MNIST


@cache
def held_out() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """500 held-out digits of the corpus, 50 of each: pictures (500, 28, 28), white on black, and labels (500,).

    The sheet has a row for each digit, 0 to 9.
    """
    with Image.open(SHEET_FILE) as opened:
        sheet = np.array(opened.convert("L"))  # (10 x 28, 50 x 28)
    rows, columns = sheet.shape[0] // SIDE_PIXELS, sheet.shape[1] // SIDE_PIXELS
    pictures = (
        sheet.reshape(rows, SIDE_PIXELS, columns, SIDE_PIXELS).swapaxes(1, 2).reshape(-1, SIDE_PIXELS, SIDE_PIXELS)
    )
    labels = np.repeat(np.arange(rows), columns)
    for shared in (pictures, labels):
        shared.flags.writeable = False
    return pictures, labels


def centre_digit(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Scales and centres a drawn digit, white on black, like the digits of MNIST: (H, W) -> (28, 28).

    The box around the ink is scaled to 20 pixels. Its centre of mass comes to the pixel (14, 14). LeCun et al. (1998),
    section III-A. A picture without ink stays black.
    """
    rows, columns = np.nonzero(ink.max(axis=1) > 0)[0], np.nonzero(ink.max(axis=0) > 0)[0]
    canvas = np.zeros((SIDE_PIXELS, SIDE_PIXELS), np.uint8)
    if not len(rows):
        return canvas
    box = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = BOX_PIXELS / max(box.shape)
    height, width = (max(1, round(side * scale)) for side in box.shape)
    small = np.asarray(Image.fromarray(box).resize((width, height), Image.Resampling.BOX))
    # Whole numbers, so that the sums are the same on every machine.
    mass = small.astype(np.int64) if small.any() else np.ones(small.shape, np.int64)
    top = round(SIDE_PIXELS / 2 - mass.sum(axis=1) @ np.arange(height) / mass.sum())
    left = round(SIDE_PIXELS / 2 - mass.sum(axis=0) @ np.arange(width) / mass.sum())
    top, left = min(max(top, 0), SIDE_PIXELS - height), min(max(left, 0), SIDE_PIXELS - width)
    canvas[top : top + height, left : left + width] = small
    return canvas
