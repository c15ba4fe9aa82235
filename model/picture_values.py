"""The values of a configuration that are about pictures: their size, patches, and what compares them with texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Pooled = Literal["first", "last", "probe"]


@dataclass(frozen=True, kw_only=True)
class PictureValues:
    """What a transformer has of its own when it reads pictures: an encoder, whose tokens are patches."""

    image_size: int = 0  # pixels a side of the pictures that a vision model reads; 0: it reads text
    patch_size: int = 0  # pixels a side of one patch
    channels: int = 0  # 3 of a colour picture, 1 of a grey one
    patch_bias: bool = True  # of the projection of patches
    class_token: bool = True  # a learnt token before the patches, off which the answer is read
    distillation_token: bool = False  # a second learnt token after the class token; Touvron et al. (2020)
    n_registers: int = 0  # learnt tokens after these, where the model keeps what is no part of the picture
    image_labels: tuple[str, ...] = ()  # classes read off the class token
    distillation_head: bool = False  # the distillation token has a head of its own; the picture's logits are the mean

    shared_width: int = 0  # of the vectors by which pictures and texts are compared, as in CLIP; 0: there are none
    shared_bias: bool = False  # of the projection to them
    pooled: Pooled = "first"  # what it reads: the first token, the last one, or a probe that asks all, as in SigLIP

    @property
    def patches_a_side(self) -> int:
        """Patches along one side of a picture, H / P."""
        return self.image_size // self.patch_size

    @property
    def n_patches(self) -> int:
        """N = H W / P^2 (Dosovitskiy et al. 2021, section 3.1)."""
        return self.patches_a_side**2

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The learnt tokens before the patches, in words."""
        first = ("the class token",) if self.class_token else ()
        second = ("the distillation token",) if self.distillation_token else ()
        return (*first, *second, *(f"register {number + 1}" for number in range(self.n_registers)))

    @property
    def n_special_tokens(self) -> int:
        """S, the number of the learnt tokens."""
        return len(self.special_tokens)

    @property
    def patch_width(self) -> int:
        """D' = P^2 C, the numbers of one flattened patch."""
        return self.patch_size**2 * self.channels
