"""The pictures that See has: their names, where each is from, and its pixels."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.vision.digits import held_out
from model.vision.features import shapes
from model.vision.files import read_picture

PICTURES = Path(__file__).resolve().parents[3] / "assets" / "pictures"
PHOTOS = {
    "flower": "A dahlia. Photo: vultilion on Flickr, CC BY 2.0, from scikit-learn's sample images, cropped.",
    "pagoda": "A pagoda in Beijing. Photo: danielbuechele on Flickr, CC BY 2.0, from scikit-learn's sample images, "
    "cropped.",
    "shapes": "Three shapes, drawn by this program.",
}
DIGITS = tuple(f"digit {digit}" for digit in range(10))
DIGIT_NOTE = "A handwritten digit that the model was not trained on. MNIST (LeCun, Cortes and Burges), CC BY-SA 3.0."
PICTURES_OF_A_DIGIT, SHOWN = 50, 3  # held out of training; the one of each digit that is shown


def names_for(reads_digits: bool) -> tuple[tuple[str, ...], str]:
    """The names of a model's examples, and the first one to show."""
    names = DIGITS if reads_digits else tuple(PHOTOS)
    return names, names[3 if reads_digits else 0]


def note_of(name: str) -> str:
    """Where an example is from."""
    return DIGIT_NOTE if name in DIGITS else PHOTOS[name]


@lru_cache(maxsize=4)
def pixels_of(name: str) -> NDArray[np.uint8]:
    """The pixels of an example: (height, width, 3). Nobody changes them. Raises `KeyError` for another name."""
    if name in DIGITS:
        pictures, _ = held_out()
        rgb: NDArray[np.uint8] = pictures[PICTURES_OF_A_DIGIT * int(name[-1]) + SHOWN][..., None].repeat(3, -1)
        return rgb
    if name == "shapes":
        return shapes()
    if name not in PHOTOS:
        raise KeyError(name)
    return read_picture((PICTURES / f"{name}.jpg").read_bytes()).rgb
