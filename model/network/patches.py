"""Pictures as tokens: learnt tokens, then the picture's patches, each flattened and projected."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.errors import PictureError
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.tape import Tape


def patchify(pixels: Tensor, size: int) -> Tensor:
    """Cuts a picture into N = H W / P^2 flattened patches of P x P, row by row: (..., C, H, W) -> (..., N, P^2 C).

    Dosovitskiy et al. (2021), arXiv:2010.11929, section 3.1; Palaskos (2022), section 4.2.1. A flattened patch holds
    its channels one after the other. So a row of the projection's weights is itself a small picture. Raises
    `PictureError` if H or W is no multiple of P.
    """
    height, width = pixels.shape[-2:]
    if size < 1 or height % size or width % size:
        raise PictureError(f"{width} x {height} pixels do not divide into patches of {size} x {size}.")
    rows = pixels.unflatten(-1, (-1, size)).unflatten(-3, (-1, size))  # (C, rows, P, columns, P)
    return rows.movedim((-4, -2), (-5, -4)).flatten(-3).flatten(-3, -2)  # (N, C P P)


def unpatchify(patches: Tensor, size: int, channels: int, columns: int) -> Tensor:
    """The inverse of `patchify`, for a picture `columns` patches wide: (..., N, P^2 C) -> (..., C, H, W)."""
    grid = patches.unflatten(-1, (channels, size, size)).unflatten(-4, (-1, columns))  # (rows, columns, C, P, P)
    return grid.movedim((-5, -4), (-4, -2)).flatten(-2).flatten(-3, -2)  # (C, H, W)


class Patches(nn.Module):
    """z = [x_class; x_1 E + b; ...; x_N E + b]: Dosovitskiy et al. (2021), eq. 1 without the positions.

    The class token is learnt and stands first. It shows no part of the picture. Attention brings it information from
    the patches, and the model reads the class of the whole picture from it.

    A distillation token, where there is one, stands second. It is made alike. In training the class token learnt to
    name the true class, and the distillation token that of a teacher network: Touvron et al. (2020), section 4.

    Registers are learnt tokens too. Layers keep there what concerns the whole picture, which they would write over
    patches of plain background otherwise: Darcet et al. (2023), arXiv:2309.16588, section 2.2.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.size, self.shape = config.patch_size, (config.channels, config.image_size, config.image_size)
        self.class_token = nn.Parameter(torch.zeros(config.token_width)) if config.class_token else None
        self.distillation_token = nn.Parameter(torch.zeros(config.token_width)) if config.distillation_token else None
        registers = torch.zeros(config.n_registers, config.token_width)
        self.registers = nn.Parameter(registers) if config.n_registers else None
        self.project = Linear(config.patch_width, config.token_width, bias=config.patch_bias)

    def forward(self, pixels: Tensor, tape: Tape) -> Tensor:
        """pixels (..., C, H, W) -> (..., S + N, token_width). Raises `PictureError` for another shape."""
        if pixels.shape[-3:] != self.shape:
            raise PictureError(f"This model reads (channels, height, width) = {self.shape}, not {tuple(pixels.shape)}.")
        patches = tape("patches", patchify(pixels.to(self.project.weight), self.size))  # (N, P^2 C)
        projected = self.project(patches)  # (N, token_width)
        learnt: list[Tensor] = [token for token in (self.class_token, self.distillation_token) if token is not None]
        if self.registers is not None:
            learnt.extend(self.registers)
        if not learnt:
            return projected
        first = torch.stack(learnt).expand(*projected.shape[:-2], -1, -1)  # (S, token_width)
        return torch.cat((first, projected), dim=-2)  # (S + N, token_width)

    @property
    def filters(self) -> Tensor:
        """The projection's rows as small pictures: (token_width, C, P, P)."""
        return self.project.weight.unflatten(1, (self.shape[0], self.size, self.size))


def add_patches(graph: GraphBuilder, patches: Patches) -> dict[str, str]:
    """What makes the tensor that `Patches` records, and the inputs that its result is made of, by their letters."""
    x = graph.add("patches", "patches", pixels=graph.pixels(patches.shape))
    learnt = {}
    if patches.class_token is not None:
        learnt["first"] = graph.weight(patches.class_token, "token_width")
    if patches.distillation_token is not None:
        learnt["second"] = graph.weight(patches.distillation_token, "token_width")
    if patches.registers is not None:
        learnt["registers"] = graph.weight(patches.registers, "registers", "token_width")
    return learnt | {"x": x} | linear_weights(graph, patches.project)
