"""Training tasks: the one interface between the generic loop and each bundled model.

A task file (`model/train/tiny_lm.py`, `model/train/en_ur.py`, ...) has one subclass of `Task` and a function
`task(name)` that makes it. `model/train/registry.py` lists the files. The loop (`model/train/loop.py`) owns the
optimiser, the schedule, checkpoints, snapshots and the files in `assets/models/NAME/`. A task owns its data, its loss
and its measures. It keeps no other state: `batch` is a pure function of (seed, step), so a stopped run can go on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from model.network.transformer import Transformer
from model.train.cross_entropy import SummedCrossEntropy

if TYPE_CHECKING:
    from model.config import TransformerConfig

IGNORE = -100  # the label of a position without a right answer, such as padding (torch's own convention)


@dataclass(frozen=True)
class Batch:
    """One global batch of token ids, before it is divided among processes. Every tensor has the batch axis first.

    The first stack reads `inputs`: the text of a decoder-only or encoder-only model, or the source sentence of an
    encoder-decoder model. `targets`, for an encoder-decoder only, is the input of the decoder: the target, shifted
    right after <SOS>. `labels` are the right answers, or `IGNORE`. The id of padding is the task's `pad_id`. `extras`
    are tensors for the task's own loss, such as true alignments.
    """

    inputs: Tensor  # (batch, tokens), or pixels (batch, channels, height, width)
    labels: Tensor  # (batch, tokens), or (batch, target tokens) beside `targets`, or (batch,) of pictures
    targets: Tensor | None = None  # (batch, target tokens)
    extras: Mapping[str, Tensor] = field(default_factory=dict)

    def share(self, rank: int, world: int) -> Batch:
        """The part of one process: every `world`-th row, from row `rank` on."""

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
    """The hyperparameters of a training run.

    The learning rate rises linearly for `warmup` steps. Then it falls on a cosine to `final_rate` times its peak at
    `steps`. `weight_decay` acts on matrices only. `clip` is the largest norm of the gradient.
    """

    steps: int
    learning_rate: float = 2e-3
    warmup: int = 100
    final_rate: float = 0.02
    weight_decay: float = 0.05
    betas: tuple[float, float] = (0.9, 0.98)
    clip: float = 1.0
    label_smoothing: float = 0.0
    snapshots: int = 0  # copies of the weights in float16, kept at geometrically spaced steps
    evaluate_sample: int = 200  # held-out items for each measure of a snapshot; at the end, all of them are measured
    checkpoint_every: int = 100  # steps between two checkpoints


class Task(ABC):
    """One bundled model: its name, shape, tokenizer, data, loss and measures."""

    name: str  # folder in assets/models/
    config: TransformerConfig
    recipe: Recipe
    tokenizer: Tokenizer | None  # None of a model that reads pictures
    pad_id: int
    target_tokenizer: Tokenizer | None = None  # of a decoder with its own vocabulary
    family: tuple[str, ...] = ()  # names of all variants; every card compares their measures

    def make(self, config: TransformerConfig) -> nn.Module:
        """A network of this shape with random weights. Tasks of other networks than `Transformer` override it."""
        return Transformer(config)

    def shape(self) -> dict[str, Any]:
        """The card's entries that the configuration decides, with the names of `model.zoo.cards.Card`."""
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
        """The global batch of `step` (from 0). The same (seed, step) always gives the same batch."""

    @abstractmethod
    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Measures on all held-out data, or on about `limit` items for each measure.

        It is called in evaluation mode, without gradients. The keys are short names for the card. Accuracies are
        between 0 and 1; losses are in nats a token.
        """

    def measures(self, network: nn.Module, limit: int) -> Iterator[tuple[str, float]]:
        """The most important measures on about `limit` held-out items, each as soon as it is known.

        They need no package that is only installed for development.
        """
        yield from self.evaluate(network, limit).items()

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The card's words, as JSON values.

        They are `title`, `about` (one sentence), `data` (the corpus, and how data are held out), `measures` (a sentence
        for each key of `evaluate`), `limits` (of the model's knowledge), and any others. The loop adds the shape, size,
        recipe, time and metrics.
        """

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """The summed cross-entropy of a batch, and the number of its labels.

        The loop divides by the number of labels in the global batch. So any number of processes takes the same step.
        A task can override it to add a term, summed over the labels too, as en-ur does for guided alignment.
        """
        logits = self.logits(network, batch)
        return token_loss(logits, batch.labels, self.recipe.label_smoothing)

    def logits(self, network: nn.Module, batch: Batch) -> Tensor:
        """The network's scores at every label of the batch: (batch, tokens, vocabulary). Targets are teacher-forced.

        Padding stands on the right, so the causal mask already hides it from every label. Only the source of an
        encoder-decoder model needs a mask.
        """
        if batch.targets is None:
            return network(batch.inputs)
        return network(batch.targets, batch.inputs, source_is_real=batch.inputs != self.pad_id)

    def finish(self, network: nn.Module) -> dict[str, Any]:
        """Reports on the trained model for its card, such as an ablation table, as JSON values."""
        return {}


def token_loss(logits: Tensor, labels: Tensor, label_smoothing: float = 0.0) -> tuple[Tensor, int]:
    """The cross-entropy in nats, summed over all labels that are not `IGNORE`, and the number of these labels."""
    flat = logits.flatten(0, -2)  # (batch * tokens, vocabulary)
    right = labels.flatten().to(flat.device)  # (batch * tokens)
    return SummedCrossEntropy.apply(flat, right, IGNORE, label_smoothing), int((labels != IGNORE).sum())


def shift_right(ids: list[int], start: int, end: int) -> tuple[list[int], list[int]]:
    """The decoder's input (<SOS>, ids...) and its labels (ids..., <EOS>). Shamsi (2024), section 2.4."""
    return [start, *ids], [*ids, end]
