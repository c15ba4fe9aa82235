"""tiny-lm-rnn and tiny-lm-lstm: recurrent language models of the small world, to compare with tiny-lm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torch import nn

from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import make_recurrent
from model.train.task import Recipe
from model.train.tiny_lm import TRAINING_TOKENS, TinyLM

# name -> (cell, title, words for `about`)
CELLS = {
    "tiny-lm-rnn": ("rnn", "Tiny RNN language model", "A plain recurrent network, trained as tiny-lm was."),
    "tiny-lm-lstm": ("lstm", "Tiny LSTM language model", "An LSTM, trained as tiny-lm was."),
}
RATE = {"tiny-lm-rnn": 1e-3, "tiny-lm-lstm": 3e-3}  # a plain RNN needs a smaller one


def task(name: str) -> RecurrentLanguage:
    """The task of this name, for `model.train.registry`."""
    return RecurrentLanguage(name)


class RecurrentLanguage(TinyLM):
    """The same documents, tokens and number of steps as tiny-lm."""

    config: RecurrentConfig  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        super().__init__("tiny-lm")
        self.name, self.family = name, ()
        self.config = RecurrentConfig(
            kind="decoder",
            cell=CELLS[name][0],  # type: ignore[arg-type]
            vocab_size=self.tokenizer.get_vocab_size(),
            d_embed=128,
            width=256,
            max_length=2 * TRAINING_TOKENS,
        )
        self.recipe: Recipe = replace(self.recipe, learning_rate=RATE[name], snapshots=0)

    def make(self, config: RecurrentConfig) -> nn.Module:  # type: ignore[override]
        return make_recurrent(config)

    def shape(self) -> dict[str, Any]:
        return {"kind": "recurrent", "layers": "1", "heads": 0, "positions": "none"}

    def describe(self) -> dict[str, Any]:
        _, title, about = CELLS[self.name]
        return super().describe() | {"title": title, "about": about}

    def finish(self, network: nn.Module) -> dict[str, Any]:
        """There are no heads to report on."""
        return {}
