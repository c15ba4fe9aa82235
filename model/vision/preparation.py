"""The pixels that a vision model reads, from a picture, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights, PictureError

LUMA = (0.299, 0.587, 0.114)  # the luma of red, green and blue, ITU-R BT.601


@dataclass(frozen=True)
class Preparation:
    """Makes a picture square, then computes (x - mean) / std.

    `fit` says how it becomes square. "pad" scales all of it and adds black bars, "crop" takes the middle, "stretch"
    changes its proportions. `share` of the shorter side is left by a crop. `resampling` is one of PIL's numbers; None
    takes the mean of the pixels to shrink, and lines between them to enlarge. `mean` and `std` have one value for each
    channel, of pixels between 0 and 1. A model's card states these values under `pixels`.
    """

    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    fit: str = "pad"
    share: float = 1.0
    resampling: int | None = None

    @classmethod
    def of(cls, config: TransformerConfig, details: dict[str, Any]) -> Preparation:
        """The preparation of a vision model, from its configuration and the details of its card.

        Raises `DamagedWeights` if they state no values for each channel.
        """
        try:
            pixels = details["pixels"]
            mean, std = (tuple(float(value) for value in pixels[name]) for name in ("mean", "std"))
            share, resampling = float(pixels.get("share", 1.0)), pixels.get("resampling")
            fits = len(mean) == len(std) == config.channels and pixels["fit"] in ("pad", "crop", "stretch")
            fits = fits and 0 < share <= 1 and resampling in (None, *Image.Resampling)
        except (KeyError, TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise DamagedWeights(
                "The card of this model does not say how to prepare its pictures. Get its files again."
            )
        return cls(config.image_size, mean, std, pixels["fit"], share, resampling)

    def prepare(self, rgb: NDArray[np.uint8]) -> Tensor:
        """The pixels (C, size, size) of a picture (H, W, 3), 0..255. Raises `PictureError`."""
        return self.normalise(self.square(rgb))

    def square(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The part of the picture that the model reads, at its resolution: (size, size, 3), 0..255."""
        if rgb.ndim != 3 or rgb.shape[-1] != 3 or rgb.dtype != np.uint8 or 0 in rgb.shape:
            raise PictureError(f"A picture is (height, width, 3) of bytes, not {rgb.shape} of {rgb.dtype}.")
        height, width = rgb.shape[:2]
        if self.fit == "crop":
            side = max(1, round(min(height, width) * self.share))
            top, left = (height - side) // 2, (width - side) // 2
            rgb = rgb[top : top + side, left : left + side]
        longest = max(rgb.shape[:2])
        keeps_proportions = self.fit != "stretch"
        new_height, new_width = (
            max(1, round(side * self.size / longest)) if keeps_proportions else self.size for side in rgb.shape[:2]
        )
        # cv2.INTER_AREA makes the same choice.
        usual = Image.Resampling.BOX if longest > self.size else Image.Resampling.BILINEAR
        resampling = usual if self.resampling is None else Image.Resampling(self.resampling)
        resized = np.asarray(Image.fromarray(rgb).resize((new_width, new_height), resampling))
        return _pad(resized, self.size)

    def normalise(self, rgb: NDArray[np.uint8]) -> Tensor:
        """(x - mean) / std of a picture (H, W, 3), 0..255: (C, H, W). A model with one channel gets it in grey."""
        pixels = torch.from_numpy(rgb.astype(np.float32) / 255).movedim(-1, 0)  # (3, H, W)
        if len(self.mean) == 1:
            pixels = torch.einsum("chw,c->hw", pixels, torch.tensor(LUMA))[None]
        return (pixels - _column(self.mean)) / _column(self.std)

    def picture(self, pixels: Tensor) -> NDArray[np.uint8]:
        """The inverse of `normalise`, to show the model's pixels: (C, H, W) -> (H, W, 3), 0..255."""
        values = (pixels * _column(self.std) + _column(self.mean)).clamp(0, 1) * 255
        return values.round().to(torch.uint8).expand(3, -1, -1).movedim(0, -1).numpy()


def _column(values: tuple[float, ...]) -> Tensor:
    return torch.tensor(values)[:, None, None]


def _pad(rgb: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    height, width = rgb.shape[:2]
    top, left = (size - height) // 2, (size - width) // 2
    return np.pad(rgb, ((top, size - height - top), (left, size - width - left), (0, 0)))
