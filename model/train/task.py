"""What a training task is: the one interface between the generic loop and each bundled model.

A task file (`model/train/tiny_lm.py`, `model/train/en_ur.py`, ...) has one subclass of `Task` and a function
`task(name)` that makes it; `model/train/registry.py` lists the files. The loop (`model/train/loop.py`) owns the
optimiser, the schedule, checkpoints, snapshots and the files in `assets/models/NAME/`; a task owns its data, its loss
and its measures, and keeps no other state: `batch` is a pure function of (seed, step), which is what makes a killed
run resumable.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

from model.network.transformer import Transformer

if TYPE_CHECKING:
    from model.config import TransformerConfig

IGNORE = -100  # a label that asks nothing of its position (torch's own convention)


@dataclass(frozen=True)
class Batch:
    """One global batch of token ids, before it is divided among processes. Every tensor has the batch axis first.

    `inputs` are what the first stack reads: the text of a decoder-only or encoder-only model, the source sentence of an
    encoder-decoder. `targets` is the decoder's input, shifted right behind <SOS>, for an encoder-decoder only.
    `labels` are the right answers, `IGNORE` where nothing is asked (padding). Padding ids are the task's `pad_id`.
    `extras` carries what only the task's own loss reads, such as true alignments.
    """

    inputs: Tensor  # (batch, tokens), or pixels (batch, channels, height, width)
    labels: Tensor  # (batch, tokens), or (batch, target tokens) beside `targets`, or (batch,) of pictures
    targets: Tensor | None = None  # (batch, target tokens)
    extras: Mapping[str, Tensor] = field(default_factory=dict)

    def share(self, rank: int, world: int) -> Batch:
        """Every `world`-th row from `rank` on: one process's part of the batch."""

        def part(x: Tensor | None) -> Tensor | None:
            return None if x is None else x[rank::world]

        parts: dict[str, Any] = {f.name: part(getattr(self, f.name)) for f in fields(self) if f.name != "extras"}
        return Batch(**parts, extras={k: v[rank::world] for k, v in self.extras.items()})

    def to(self, device: torch.device) -> Batch:
        """The same batch on `device`."""
        targets = None if self.targets is None else self.targets.to(device)
        extras = {k: v.to(device) for k, v in self.extras.items()}
        return Batch(self.inputs.to(device), self.labels.to(device), targets, extras)


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to train. The learning rate rises linearly for `warmup` steps, then falls on a cosine to
    `final_rate` times its peak at `steps`. `weight_decay` acts on matrices only. `clip` bounds the gradient's norm."""

    steps: int
    learning_rate: float = 2e-3
    warmup: int = 100
    final_rate: float = 0.02
    weight_decay: float = 0.05
    betas: tuple[float, float] = (0.9, 0.98)
    clip: float = 1.0
    label_smoothing: float = 0.0
    snapshots: int = 0  # how many float16 copies to keep over training, at geometrically spaced steps
    evaluate_sample: int = 200  # held-out items per measure at each snapshot; the end always uses all of them
    checkpoint_every: int = 100  # steps between two checkpoints


class Task(ABC):
    """One bundled model: its name, shape, tokenizer, data, loss and measures."""

    name: str  # folder in assets/models/
    config: TransformerConfig
    recipe: Recipe
    tokenizer: Tokenizer | None  # None of a model that reads pictures
    pad_id: int
    target_tokenizer: Tokenizer | None = None  # of a decoder with its own vocabulary
    family: tuple[str, ...] = ()  # names of the variants whose measures stand beside each other in every card

    def make(self, config: TransformerConfig) -> nn.Module:
        """A network of this shape with random weights, `Transformer(config)` unless a task trains another one."""
        return Transformer(config)

    def shape(self) -> dict[str, Any]:
        """What the model is, read off its configuration, in the words of `model.zoo.cards.Card`."""
        config = self.config
        layers = [str(config.n_layers(stack)) for stack in config.stacks]
        mix = " (concatenated)" if config.position_width and config.position_mix == "concat" else ""
        return {
            "kind": "vision" if config.image_size else config.kind,
            "layers": " + ".join(layers),
            "heads": config.n_heads,
            "positions": config.positions + mix,
        }

    @abstractmethod
    def batch(self, seed: int, step: int) -> Batch:
        """The global batch of `step` (from 0): the same for the same (seed, step), whatever was asked before."""

    @abstractmethod
    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Measures on held-out data, all of it or about `limit` items a measure. Called in eval mode without gradients.
        Keys are short names that go into the card; accuracies are fractions 0..1, losses are nats a token."""

    def measures(self, network: nn.Module, limit: int) -> Iterator[tuple[str, float]]:
        """The most telling measures one by one, each as soon as it is known, on about `limit` held-out items. They need
        nothing that only development installs."""
        yield from self.evaluate(network, limit).items()

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The card's words, JSON values only: `title`, `about` (one sentence), `data` (what the corpus is, how the
        held-out split is enforced), `measures` (a sentence for each key of `evaluate`), `limits` (what the model does
        not know), and anything else worth shipping. The loop adds what it knows: shape, size, recipe, time, metrics."""

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """Summed cross-entropy of a batch and the number of labels it sums over. The loop divides by the number in the
        global batch, so that any number of processes takes the same step. Override it to add a term (scaled by the
        same count), as en-ur does for guided alignment."""
        logits = self.logits(network, batch)
        return token_loss(logits, batch.labels, self.recipe.label_smoothing)

    def logits(self, network: nn.Module, batch: Batch) -> Tensor:
        """The network's answers at every label of the batch, under teacher forcing where there is a target:
        (batch, tokens, vocabulary). Padding stands on the right, so the causal mask already hides it from every
        label; only the source of an encoder-decoder needs a mask."""
        if batch.targets is None:
            return network(batch.inputs)
        return network(batch.targets, batch.inputs, source_is_real=batch.inputs != self.pad_id)

    def finish(self, network: nn.Module) -> dict[str, Any]:
        """Reports made once, on the trained model, and put into its card (an ablation table, say). JSON values."""
        return {}


def token_loss(logits: Tensor, labels: Tensor, label_smoothing: float = 0.0) -> tuple[Tensor, int]:
    """Cross-entropy summed over all labels that are not `IGNORE`, in nats, and how many those are."""
    flat = logits.flatten(0, -2).float()  # (batch * tokens, vocabulary)
    total = F.cross_entropy(
        flat, labels.flatten().to(flat.device), ignore_index=IGNORE, reduction="sum", label_smoothing=label_smoothing
    )
    return total, int((labels != IGNORE).sum())


def shift_right(ids: list[int], start: int, end: int) -> tuple[list[int], list[int]]:
    """Decoder input and target of one sentence: (<SOS>, ids...) and (ids..., <EOS>) (Shamsi 2.4)."""
    return [start, *ids], [*ids, end]
