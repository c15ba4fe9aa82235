"""A saliency head: it turns the features of the patches into a map over the picture's pixels."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class SaliencyHead(nn.Module):
    """Three transposed convolutions, each of which doubles the grid, then one number 0..1 for each pixel: its saliency.

    The steps are those of the decoder in `vit_s_focus.onnx`: kernel 4, stride 2, batch norm and ReLU; then a 1 x 1
    convolution, bilinear enlargement to the picture's size, and a sigmoid. `widths` are the numbers of features: those
    of the patches first, then those after each step.
    """

    def __init__(self, widths: tuple[int, ...] = (384, 256, 128, 64), size: int = 224) -> None:
        super().__init__()
        self.size = size
        self.steps = nn.ModuleList(
            nn.Sequential(nn.ConvTranspose2d(wide, narrow, 4, stride=2, padding=1), nn.BatchNorm2d(narrow), nn.ReLU())
            for wide, narrow in pairwise(widths)
        )
        self.last = nn.Conv2d(widths[-1], 1, 1)

    @torch.inference_mode()
    def forward(self, patches: Tensor) -> Tensor:
        """The saliency map of the patches of `final_norm`, without the learnt tokens: (N, d_model) -> (H, W)."""
        side = round(len(patches) ** 0.5)
        x = patches.mT.unflatten(-1, (side, side))[None]  # (1, d_model, rows, columns)
        for step in self.steps:
            x = step(x)
        x = F.interpolate(self.last(x), (self.size, self.size), mode="bilinear", align_corners=False)
        return x.sigmoid()[0, 0]  # (H, W)
