"""A task small enough to train in a test: after each letter comes the next letter of the alphabet."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models
from torch import nn

from model.config import TransformerConfig
from model.train.task import Batch, Recipe, Task


class Alphabet(Task):
    name = "alphabet"
    pad_id = 0

    def __init__(self, steps: int = 12, dropout: float = 0.1) -> None:
        self.tokenizer = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate("_abcdefghijk")}, "_"))
        self.config = TransformerConfig(
            vocab_size=12, d_model=16, n_heads=2, d_ff=32, n_decoder_layers=1, max_length=8, dropout=dropout
        )
        self.recipe = Recipe(steps=steps, learning_rate=1e-2, warmup=2, snapshots=4, checkpoint_every=4)

    def batch(self, seed: int, step: int) -> Batch:
        rng = Random(f"{seed} {step}")
        starts = torch.tensor([rng.randrange(1, 6) for _ in range(8)])
        ids = starts[:, None] + torch.arange(6)  # (8, 6)
        return Batch(ids[:, :-1], ids[:, 1:])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        batch = self.batch(-1, 0)
        said = self.logits(network, batch).argmax(-1)
        return {"next": float((said == batch.labels).float().mean())}

    def describe(self) -> dict[str, Any]:
        return {"title": "Alphabet", "about": "A test.", "data": "letters", "measures": {"next": "share right"}}


@pytest.fixture
def make_task():
    return Alphabet
