"""The pixels that a vision model reads, from a picture, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights, PictureError
from model.zoo.picture_files import LARGEST_SIDE, PreparationStep

LUMA = (0.299, 0.587, 0.114)  # the luma of red, green and blue, ITU-R BT.601
FITS = ("pad", "crop", "stretch", "steps")
STEPS = ("stretch", "shorten", "crop", "corner")
MOST_PIXELS = 25_000_000  # of a picture between two steps
RGB = NDArray[np.uint8]


@dataclass(frozen=True)
class Preparation:
    """Makes a picture square, then computes (x scale - mean) / std.

    `fit` says how it becomes square. "pad" scales all of it and adds black bars, "crop" takes the middle, "stretch"
    changes its proportions, "steps" does the `steps` of the model's own files, one after another: `take_step`.
    `resampling` is one of PIL's numbers; None takes the mean of the pixels to shrink, and lines between them to
    enlarge. `mean` and `std` have one value for each channel. A model's card states these values under `pixels`.
    """

    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    fit: str = "pad"
    resampling: int | None = None
    scale: float = 1 / 255
    steps: tuple[PreparationStep, ...] = ()

    @classmethod
    def of(cls, config: TransformerConfig, details: dict[str, Any]) -> Preparation:
        """The preparation of a vision model, from its configuration and the details of its card.

        Raises `DamagedWeights` if they state no values for each channel.
        """
        try:
            pixels = details["pixels"]
            mean, std = (tuple(float(value) for value in pixels[name]) for name in ("mean", "std"))
            resampling, scale = pixels.get("resampling"), float(pixels.get("scale", 1 / 255))
            steps = tuple((str(kind), int(height), int(width)) for kind, height, width in pixels.get("steps", ()))
            fits = len(mean) == len(std) == config.channels and pixels["fit"] in FITS and 0 < scale < float("inf")
            fits = fits and resampling in (None, *Image.Resampling) and all(map(_is_step, steps))
        except (KeyError, TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise DamagedWeights(
                "The card of this model does not say how to prepare its pictures. Get its files again."
            )
        return cls(config.image_size, mean, std, pixels["fit"], resampling, scale, steps)

    def reading(self, fit: str) -> Preparation:
        """The same with another `fit`. "" is that of the model's own files, or else its middle."""
        return replace(self, fit=fit or ("steps" if self.fit == "steps" else "crop"))

    def prepare(self, rgb: RGB) -> Tensor:
        """The pixels (C, size, size) of a picture (H, W, 3), 0..255. Raises `PictureError`."""
        return self.normalise(self.square(rgb))

    def square(self, rgb: RGB) -> RGB:
        """The part of the picture that the model reads, at its resolution: (size, size, 3), 0..255.

        Raises `PictureError` for what is no picture, and for one that the model's own steps do not make square.
        """
        if rgb.ndim != 3 or rgb.shape[-1] != 3 or rgb.dtype != np.uint8 or 0 in rgb.shape:
            raise PictureError(f"A picture is (height, width, 3) of bytes, not {rgb.shape} of {rgb.dtype}.")
        if self.fit == "steps":
            return self._run_steps(rgb)
        height, width = rgb.shape[:2]
        if self.fit == "crop":
            side = min(height, width)
            top, left = (height - side) // 2, (width - side) // 2
            rgb = rgb[top : top + side, left : left + side]
        longest = max(rgb.shape[:2])
        keeps_proportions = self.fit != "stretch"
        new_height, new_width = (
            max(1, round(side * self.size / longest)) if keeps_proportions else self.size for side in rgb.shape[:2]
        )
        return _pad(self._resize(rgb, new_height, new_width), self.size)

    def _run_steps(self, rgb: RGB) -> RGB:
        for step in self.steps:
            rgb = self.take_step(rgb, step)
        if rgb.shape[:2] != (self.size, self.size):
            height, width = rgb.shape[:2]
            raise PictureError(
                f"By its own files the model makes {height} x {width} pixels of this picture, and it reads "
                f"{self.size} x {self.size}. Choose a square picture, or let another part of it be read."
            )
        return rgb

    def take_step(self, rgb: RGB, step: PreparationStep) -> RGB:
        """One step of a picture's way: (H, W, 3) -> (H', W', 3).

        - ("stretch", height, width): to this size.
        - ("shorten", side, longest): in its proportions, so that the shorter side has `side` pixels, and the longer one
          at most `longest`; 0 is any length.
        - ("crop", height, width): its middle, between black bars where it is smaller.
        - ("corner", height, width): its upper left part. The rest at its right and below fills no patch.
        """
        kind, *sizes = step
        if kind == "crop":
            return _crop(rgb, *sizes)
        if kind == "corner":
            return rgb[: sizes[0], : sizes[1]]
        return self._resize(rgb, *(_shortened(rgb.shape[:2], *sizes) if kind == "shorten" else sizes))

    def _resize(self, rgb: RGB, height: int, width: int) -> RGB:
        if height * width > MOST_PIXELS:
            raise PictureError("The picture is too long and narrow for this model. Cut a part out of it.")
        # cv2.INTER_AREA makes the same choice.
        usual = Image.Resampling.BOX if max(rgb.shape[:2]) > self.size else Image.Resampling.BILINEAR
        resampling = usual if self.resampling is None else Image.Resampling(self.resampling)
        return np.asarray(Image.fromarray(rgb).resize((width, height), resampling))

    def normalise(self, rgb: RGB) -> Tensor:
        """(x scale - mean) / std of a picture (H, W, 3), 0..255: (C, H, W). In grey for a model with one channel."""
        pixels = torch.from_numpy((rgb * self.scale).astype(np.float32)).movedim(-1, 0)  # (3, H, W)
        if len(self.mean) == 1:
            pixels = torch.einsum("chw,c->hw", pixels, torch.tensor(LUMA))[None]
        return (pixels - _column(self.mean)) / _column(self.std)

    def picture(self, pixels: Tensor) -> RGB:
        """The inverse of `normalise`, to show the model's pixels: (C, H, W) -> (H, W, 3), 0..255."""
        values = (pixels * _column(self.std) + _column(self.mean)) / self.scale
        return values.clamp(0, 255).round().to(torch.uint8).expand(3, -1, -1).movedim(0, -1).numpy()


def _is_step(step: PreparationStep) -> bool:
    kind, *sizes = step
    return kind in STEPS and all(0 <= size <= LARGEST_SIDE for size in sizes)


def _column(values: tuple[float, ...]) -> Tensor:
    return torch.tensor(values)[:, None, None]


def _pad(rgb: RGB, size: int) -> RGB:
    height, width = rgb.shape[:2]
    top, left = (size - height) // 2, (size - width) // 2
    return np.pad(rgb, ((top, size - height - top), (left, size - width - left), (0, 0)))


def _crop(rgb: RGB, height: int, width: int) -> RGB:
    """The middle. Where black bars are needed, an odd row is above and an odd column at the left."""
    missing = [max(wanted - side, 0) for wanted, side in zip((height, width), rgb.shape[:2], strict=True)]
    rgb = np.pad(rgb, (*((ceil(each / 2), each // 2) for each in missing), (0, 0)))
    top, left = (rgb.shape[0] - height) // 2, (rgb.shape[1] - width) // 2
    return rgb[top : top + height, left : left + width]


def _shortened(sides: tuple[int, ...], side: int, longest: int) -> tuple[int, int]:
    """The height and width of a picture whose shorter side becomes `side`. Fractions of a pixel are cut off."""
    height, width = sides
    exact = float(side)
    if longest and max(sides) / min(sides) * side > longest:
        exact = longest * min(sides) / max(sides)
        side = round(exact)
    side = max(side, 1)
    return (int(exact * height / width), side) if width < height else (side, int(exact * width / height))
