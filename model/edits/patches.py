"""Patches of a picture in another order or blank, and no positions: what does the place of a patch say?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.edits.edit import Edit
from model.edits.parts import Zero
from model.errors import EditError

if TYPE_CHECKING:
    from torch import Tensor

PATCHES = "embed.patches"


@dataclass(frozen=True)
class ShufflePatches(Edit):
    """Puts patch `order[i]` in place i, before positions are added. The run raises `EditError` for no permutation."""

    order: tuple[int, ...]

    @property
    def pattern(self) -> str:
        return PATCHES

    def apply(self, tensor: Tensor) -> Tensor:  # (..., N, P^2 C)
        if sorted(self.order) != list(range(tensor.shape[-2])):
            raise EditError(f"A shuffle names each of the {tensor.shape[-2]} patches once.")
        return tensor[..., list(self.order), :]


def shuffle_patches(order: Iterable[int]) -> ShufflePatches:
    """The edit that puts patch `order[i]` in place i: `ShufflePatches`."""
    return ShufflePatches(tuple(order))


@dataclass(frozen=True)
class BlankPatches(Edit):
    """Fills the patches at these places (from 0) with one value. 0 is the mean colour of the training pictures.

    The run raises `EditError` for a place outside the picture.
    """

    places: tuple[int, ...]
    value: float = 0.0

    @property
    def pattern(self) -> str:
        return PATCHES

    def apply(self, tensor: Tensor) -> Tensor:  # (..., N, P^2 C)
        count = tensor.shape[-2]
        if any(not 0 <= place < count for place in self.places):
            raise EditError(f"There are patches 0 to {count - 1}.")
        filled = tensor.clone()
        filled[..., list(self.places), :] = self.value
        return filled


def blank_patches(places: Iterable[int], value: float = 0.0) -> BlankPatches:
    """The edit that fills the patches at these places with one value: `BlankPatches`."""
    return BlankPatches(tuple(places), value)


def without_positions() -> Zero:
    """The edit that sets every position vector to 0: the patches become a set. For models that have positions."""
    return Zero("embed.positions")
