"""The task of `tiny-lm` and its four position variants: a language model of the small world."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from model.config import TransformerConfig
from model.train.bpe import train_bpe
from model.train.corpora.world import SKILL_NAMES, held_out_probes, training_line
from model.train.probes import accuracy
from model.train.task import Batch, Recipe, Task

LENGTH = 64  # tokens of a training row
ROWS = 32
PROBES = 1000  # held-out questions of each skill
PAD, END = "<PAD>", "<EOS>"

POSITIONS: dict[str, dict[str, Any]] = {
    "tiny-lm": {"positions": "sinusoidal"},
    "tiny-lm-concat": {"positions": "sinusoidal", "position_mix": "concat", "d_position": 32},
    "tiny-lm-learned": {"positions": "learned"},
    "tiny-lm-rotary": {"positions": "rotary"},
    "tiny-lm-none": {"positions": "none"},
}


@cache
def world_tokenizer() -> Tokenizer:
    """The BPE of the small world, the same for every variant."""
    rng = Random("tokenizer")
    return train_bpe((training_line(rng).text for _ in range(30_000)), vocab_size=1024, special=[PAD, END])


class TinyLM(Task):
    """Next-token prediction on documents of the small world."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tokenizer = world_tokenizer()
        self.pad_id, self.end_id = (self.tokenizer.token_to_id(token) for token in (PAD, END))
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=128,
            n_heads=4,
            d_ff=512,
            n_decoder_layers=4,
            max_length=2 * LENGTH,
            norm_position="pre",
            activation="gelu",
            **POSITIONS[name],
        )
        self.recipe = Recipe(steps=2400, snapshots=12 if name == "tiny-lm" else 0)

    def rows(self, rng: Random, rows: int, length: int, line=training_line) -> Tensor:
        """Documents of lines, cut at `length` tokens: (rows, length)."""
        return torch.tensor([self._row(rng, length, line) for _ in range(rows)])

    def _row(self, rng: Random, length: int, line) -> list[int]:
        texts, ids = [], []
        while len(ids) < length:
            texts += [line(rng).text for _ in range(length // 12)]
            ids = self.tokenizer.encode("\n".join(texts)).ids
        return ids[:length]

    def batch(self, seed: int, step: int) -> Batch:
        ids = self.rows(Random(f"{seed} {step}"), ROWS, LENGTH + 1)
        return Batch(inputs=ids[:, :-1], labels=ids[:, 1:])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        skills = {
            skill: accuracy(network, self.tokenizer, held_out_probes(skill, limit or PROBES), self.pad_id)
            for skill in SKILL_NAMES
        }
        return skills

    def describe(self) -> dict[str, Any]:
        return {"title": self.name, "about": "x"}


def task(name: str) -> TinyLM:
    return TinyLM(name)
