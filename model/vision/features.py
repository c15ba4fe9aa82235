"""Views of a vision model and its pictures: features as colours, the likeness of positions, an example picture."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.vectors.cosines import cosine_table
from model.vectors.principal_components import principal_components
from model.vision.digits import centre_digit

PAPER_SHARE = 0.25  # share of the darkest ink below which a pixel counts as paper


def principal_colours(features: Tensor) -> tuple[Tensor, Tensor]:
    """The first three principal components of patches (N, D) as red, green and blue, each stretched to 0..1.

    Returns the colours (N, 3) and each component's share of the variance (3,). Oquab et al. (2023), arXiv:2304.07193,
    figure 1.
    """
    along, shares = principal_components(features, 3)  # (N, 3), (3,)
    low, high = along.amin(0), along.amax(0)
    return (along - low) / (high - low).clamp(min=1e-12), shares


def position_similarity(table: Tensor, special: int = 1) -> Tensor:
    """The cosine of every patch's position vector with every other's: (S + N, D) -> (N, N).

    The first S = `special` rows are those of the learnt tokens.

    Dosovitskiy et al. (2021), arXiv:2010.11929, figure 7, centre.
    """
    return cosine_table(table[special:])


def neighbour_similarity(similarity: Tensor, side: int) -> tuple[float, float]:
    """The mean cosine of patches that touch along a side, and of all pairs of two patches.

    `similarity` (N, N) is that of `position_similarity`, with N = side x side patches row by row.
    """
    patches = torch.arange(side * side)
    left, upper = patches[patches % side < side - 1], patches[: side * (side - 1)]
    touching = torch.cat((similarity[left, left + 1], similarity[upper, upper + side]))
    count = len(similarity)
    different = (similarity.sum() - similarity.trace()) / (count * (count - 1))
    return float(touching.mean()), float(different)


def longest_filters(filters: Tensor, count: int) -> tuple[Tensor, Tensor, float]:
    """The `count` longest rows of a projection (D, C, P, P): their features, the length of each, and their share.

    Features and lengths (count,) go from the longest down. The share is that of the squares of all weights.
    """
    squares = filters.square().sum((1, 2, 3))  # (D,)
    longest = squares.argsort(descending=True, stable=True)[:count]
    return longest, squares[longest].sqrt(), float(squares[longest].sum() / squares.sum())


def patch_means(picture: Tensor, side: int) -> Tensor:
    """The mean of a grey picture (H, H) over each of its side x side patches, row by row: (side * side,)."""
    size = len(picture) // side
    return picture.reshape(side, size, side, size).mean((1, 3)).flatten()


def shift_picture(square: NDArray[np.uint8], right: int, down: int) -> NDArray[np.uint8]:
    """A picture (H, W, 3), moved by so many pixels. The new pixels repeat the edge."""
    rows = np.clip(np.arange(square.shape[0]) - down, 0, square.shape[0] - 1)
    columns = np.clip(np.arange(square.shape[1]) - right, 0, square.shape[1] - 1)
    return square[rows][:, columns]


def as_digit(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A photographed or drawn digit in the form of the digits models: (H, W, 3) -> (28, 28, 3), white on black.

    The median of the border is taken as the paper, light or dark. Pixels that differ from it are ink.
    """
    grey = rgb.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
    border = np.concatenate((grey[0], grey[-1], grey[:, 0], grey[:, -1]))
    ink = np.abs(grey - np.median(border))
    ink = ink / max(float(ink.max()), 16.0)  # at least 16, so that the noise of an empty page does not become ink
    ink = np.clip((ink - PAPER_SHARE) / (1 - PAPER_SHARE), 0, 1)
    digit = centre_digit(np.rint(ink * 255).astype(np.uint8))
    return digit[..., None].repeat(3, -1)


def shapes(side: int = 420) -> NDArray[np.uint8]:
    """An example picture: a red disc, a blue square and a yellow triangle on pale stripes, (side, side, 3)."""
    y, x = np.mgrid[:side, :side] / side
    picture = np.where((np.floor(x * 14) % 2 == 0)[..., None], (236, 240, 244), (222, 228, 236))
    picture = np.where((np.hypot(x - 0.3, y - 0.32) < 0.19)[..., None], (204, 51, 51), picture)
    picture = np.where(((abs(x - 0.72) < 0.16) & (abs(y - 0.34) < 0.16))[..., None], (0, 114, 178), picture)
    triangle = (y > 0.58) & (y < 0.9) & (abs(x - 0.5) < (y - 0.58) * 0.62)
    return np.where(triangle[..., None], (240, 190, 30), picture).astype(np.uint8)
