"""The task of `tiny-lm` and its four position variants: a language model of the small world."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

from model.config import TransformerConfig
from model.tape import SILENT, Tape
from model.train.bpe import special_id, train_bpe
from model.train.corpora.lines import Line, Probe
from model.train.corpora.world import (
    SKILL_NAMES,
    held_out_line,
    held_out_probes,
    shuffled,
    training_line,
)
from model.train.probes import accuracy
from model.train.task import Batch, Recipe, Task

LENGTH = 64  # tokens of a training row
ROWS = 24
VOCABULARY = 1200  # at most: it ends at 1070, when every word of the world is one token
PROBES = 1000  # held-out questions of each skill
PAD, END = "<PAD>", "<EOS>"
LineMaker = Callable[[Random], Line]

POSITIONS: dict[str, dict[str, Any]] = {
    "tiny-lm": {"positions": "sinusoidal"},
    "tiny-lm-concat": {"positions": "sinusoidal", "position_mix": "concat", "d_position": 32},
    "tiny-lm-learned": {"positions": "learned"},
    "tiny-lm-rotary": {"positions": "rotary"},
    "tiny-lm-none": {"positions": "none"},
}


@cache
def world_tokenizer() -> Tokenizer:
    """The BPE of the small world, the same for every variant. It learns no invented names: those are to be spelled."""
    rng = Random("tokenizer")
    texts = (training_line(rng).text for _ in range(20_000))
    return train_bpe((text for text in texts if "call" not in text and "name" not in text), VOCABULARY, [PAD, END])


class TinyLM(Task):
    """Next-token prediction on documents of the small world."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tokenizer = world_tokenizer()
        self.pad_id, self.end_id = (special_id(self.tokenizer, token) for token in (PAD, END))
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=128,
            n_heads=4,
            d_ff=512,
            n_decoder_layers=4,
            max_length=2 * LENGTH,
            norm_position="pre",
            activation="gelu",
            position_base=100.0,  # the text is short: with 10000 most of the clock hands would stand still
            **POSITIONS[name],
        )
        self.recipe = Recipe(steps=3000, learning_rate=3e-3, snapshots=12 if name == "tiny-lm" else 0)

    def rows(self, rng: Random, rows: int, length: int, line: LineMaker = training_line) -> Tensor:
        """Documents of lines, cut at `length` tokens: (rows, length)."""
        return torch.tensor([self._row(rng, length, line) for _ in range(rows)])

    def _row(self, rng: Random, length: int, line: LineMaker) -> list[int]:
        texts: list[str] = []
        ids: list[int] = []
        while len(ids) < length:
            texts += [line(rng).text for _ in range(1 + length // 12)]
            ids = self.tokenizer.encode("\n".join(texts)).ids
        return ids[:length]

    def batch(self, seed: int, step: int) -> Batch:
        ids = self.rows(Random(f"{seed} {step}"), ROWS, LENGTH + 1)
        return Batch(inputs=ids[:, :-1], labels=ids[:, 1:])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """The loss on held-out text, each skill, and both where the positions are made hard."""
        near, far = self.losses(network, rows=max(8, (limit or PROBES) // 10))
        probes = {skill: held_out_probes(skill, limit or PROBES) for skill in SKILL_NAMES}
        skills = {skill: self.accuracy(network, asked) for skill, asked in probes.items()}
        mixed = {
            f"{skill}_shuffled": self.accuracy(network, [shuffled(probe) for probe in asked])
            for skill, asked in probes.items()
        }
        return {"loss": near, **skills, "loss_beyond": far, **mixed}

    def accuracy(self, network: nn.Module, probes: list[Probe], tape: Tape = SILENT) -> float:
        return accuracy(network, self.tokenizer, probes, self.pad_id, tape)

    def losses(self, network: nn.Module, rows: int) -> tuple[float, float]:
        """Nats a token on held-out lines: within the training length, and from there to twice that length."""
        ids = self.rows(Random("held-out"), rows, 2 * LENGTH, held_out_line)
        logits = network(ids[:, :-1])
        nats = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(rows, -1)
        return float(nats[:, :LENGTH].mean()), float(nats[:, LENGTH:].mean())

    def describe(self) -> dict[str, Any]:
        return {"title": self.name, "about": "x"}


def task(name: str) -> TinyLM:
    return TinyLM(name)
