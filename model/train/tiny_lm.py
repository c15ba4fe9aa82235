"""The task of `tiny-lm` and its four position variants: a language model of the small world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

from corpora.lines import Line, Probe
from corpora.world import (
    SKILL_NAMES,
    held_out_line,
    held_out_probes,
    shuffle_words,
    training_line,
)
from model.config import TransformerConfig
from model.device import PLAIN
from model.tape import SILENT, Tape
from model.train.bpe import special_id, train_bpe
from model.train.head_report import head_report
from model.train.probes import accuracy
from model.train.task import Batch, Recipe, Task

TRAINING_TOKENS = 64  # in a row of a training batch
BATCH_ROWS = 24
MAX_DOCUMENT_LINES = 5
MAX_VOCABULARY = 1400  # the tokenizer has fewer: too few words and syllables are frequent enough
PROBES_OF_EACH_SKILL = 1000  # held-out questions
PAD, END = "<PAD>", "<EOS>"
ABLATION_PROBES_OF_EACH_SKILL = 250
MEASURES = {
    "loss": f"mean nats a token on held-out lines, within the training length of {TRAINING_TOKENS} tokens",
    "agreement": "the likeliest next token is a verb form of the subject's number, across a phrase in between",
    "pronoun": "he, she, it or they is right, or what is said of one belongs to the right owner",
    "repetition": "a name or word that appeared returns: every token of it is the likeliest",
    "bank": "the likeliest next word after 'bank' is of the right sense, river or money",
    "facts": "the capital, the opposite or the sound is the likeliest next word",
    "closing": "a counted list goes on or ends, and a quote closes, as it must",
    "loss_beyond": f"mean nats a token on held-out lines, from position {TRAINING_TOKENS} to twice the training length",
    **{f"{skill}_shuffled": f"{skill}, with the words before the last one shuffled" for skill in SKILL_NAMES},
}
# name -> (end of the title, words for `about`)
ABOUT = {
    "tiny-lm": ("", "A language model trained here on a small world of English. Positions: sinusoidal, added."),
    "tiny-lm-concat": (", concatenated positions", "The same model with sinusoidal positions beside the embedding."),
    "tiny-lm-learned": (", learned positions", "The same model with a learned table of positions."),
    "tiny-lm-rotary": (", rotary positions", "The same model with queries and keys turned by their positions."),
    "tiny-lm-none": (", no positions", "The same model without positions: only the causal mask tells the order."),
}
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
    """The BPE of the small world, the same for every variant.

    Invented names are too rare to become tokens. So the model reads them in pieces.
    """
    rng = Random("tokenizer")
    texts = (training_line(rng).text for _ in range(20_000))
    return train_bpe(texts, MAX_VOCABULARY, [PAD, END], min_frequency=12)


class TinyLM(Task):
    """Next-token prediction on documents of the small world."""

    tokenizer: Tokenizer

    def __init__(self, name: str) -> None:
        self.name, self.family = name, tuple(POSITIONS)
        self.tokenizer = world_tokenizer()
        self.pad_id, self.end_id = (special_id(self.tokenizer, token) for token in (PAD, END))
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=128,
            n_heads=4,
            d_ff=256,
            n_decoder_layers=4,
            max_length=2 * TRAINING_TOKENS,
            norm_position="pre",
            activation="gelu",
            position_base=100.0,  # the text is short: with 10000 most of the clock hands would stand still
            **POSITIONS[name],
        )
        self.recipe = Recipe(steps=3000, learning_rate=3e-3, snapshots=12 if name == "tiny-lm" else 0)

    def rows(self, rng: Random, rows: int, length: int, line: LineMaker = training_line) -> Tensor:
        """Rows of documents, one after another, cut at `length` tokens: (rows, length)."""
        return torch.tensor([self._row(rng, length, line) for _ in range(rows)])

    def _row(self, rng: Random, length: int, line: LineMaker) -> list[int]:
        ids: list[int] = []
        while len(ids) < length:
            document = "\n".join(line(rng).text for _ in range(rng.randint(1, MAX_DOCUMENT_LINES)))
            ids += [*self.tokenizer.encode(document).ids, self.end_id]
        return ids[:length]

    def batch(self, seed: int, step: int) -> Batch:
        ids = self.rows(Random(f"{seed} {step}"), BATCH_ROWS, TRAINING_TOKENS + 1)
        return Batch(inputs=ids[:, :-1], labels=ids[:, 1:])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """The loss on held-out text, every skill, and harder forms of both: longer texts, and words in random order."""
        near, far = self.losses(network, rows=max(8, (limit or PROBES_OF_EACH_SKILL) // 10))
        probes = {skill: held_out_probes(skill, limit or PROBES_OF_EACH_SKILL) for skill in SKILL_NAMES}
        skills = {skill: self.accuracy(network, asked) for skill, asked in probes.items()}
        mixed = {
            f"{skill}_shuffled": self.accuracy(network, [shuffle_words(probe) for probe in asked])
            for skill, asked in probes.items()
        }
        return {"loss": near, **skills, "loss_beyond": far, **mixed}

    def measures(self, network: nn.Module, limit: int) -> Iterator[tuple[str, float]]:
        yield "loss", self.losses(network, rows=max(4, limit // 10))[0]
        for skill in SKILL_NAMES:
            yield skill, self.accuracy(network, held_out_probes(skill, limit))

    def accuracy(self, network: nn.Module, probes: list[Probe], tape: Tape = SILENT) -> float:
        """The share of probes that the model answers rightly, 0..1."""
        return accuracy(network, self.tokenizer, probes, self.pad_id, tape)

    def losses(self, network: nn.Module, rows: int) -> tuple[float, float]:
        """Mean nats a token on held-out lines: within the training length, and from there to twice that length."""
        ids = self.rows(Random("held-out"), rows, 2 * TRAINING_TOKENS, held_out_line)
        logits = PLAIN.take(network(ids[:, :-1]))
        nats = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(rows, -1)
        return float(nats[:, :TRAINING_TOKENS].mean()), float(nats[:, TRAINING_TOKENS:].mean())

    def describe(self) -> dict[str, Any]:
        scheme, about = ABOUT.get(self.name, ("", ""))
        return {
            "title": f"Tiny language model{scheme}",
            "about": about,
            "data": (
                "Generated lines of a small world of simple English (corpora/skills.py), in documents of "
                f"1 to {MAX_DOCUMENT_LINES} lines; the example sentences of the app are among them. A line is held out "
                "if the hash of its text falls into one tenth. The training generator discards such a line, and every "
                "line that quotes one, so no measured line is in the training text. A line is a composition of one to "
                "four sentences; a short sentence of a measured line may also stand in another line."
            ),
            "measures": MEASURES,
            "training_length": TRAINING_TOKENS,
            "limits": (
                "It knows about four hundred words and the facts of a small table. Other text it reads in pieces, down "
                "to bytes, and continues without sense."
            ),
        }

    def finish(self, network: nn.Module) -> dict[str, Any]:
        """The card's report on the work of each head, by ablation."""
        probes = {skill: held_out_probes(skill, ABLATION_PROBES_OF_EACH_SKILL) for skill in SKILL_NAMES}
        report = head_report(self.config, lambda asked, tape: self.accuracy(network, list(asked), tape), probes)
        return {"ablation": report}


def task(name: str) -> TinyLM:
    return TinyLM(name)
