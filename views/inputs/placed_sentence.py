"""A sentence whose words have places: what the views of Positions are about."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from model import Model
from model.cached_property import cached_property
from views.run import Run
from views.shared import quotes
from viz.shared.tokens import words

NEEDS = "*embed.*"


@dataclass(frozen=True)
class PlacedSentence:
    """A sentence as a model reads it, and the place of the chosen token. Of two stacks, the encoder reads it."""

    run: Run
    token: int

    @property
    def model(self) -> Model:
        return self.run.model

    @property
    def _has_two_stacks(self) -> bool:
        return self.model.config.kind == "encoder-decoder"

    @cached_property
    def labels(self) -> list[str]:
        """A label for each token."""
        trace = self.run.trace
        return words(trace.source_tokens if self._has_two_stacks else trace.tokens)

    @property
    def is_relative(self) -> bool:
        """Whether the model has a bias for each distance, and no position vectors."""
        return self.model.config.has_position_bias

    def recorded(self, name: str) -> Tensor:
        """`tokens`, `positions` or `out` of the embedding: (tokens, width)."""
        return self.run.trace[f"{'encoder.' if self._has_two_stacks else ''}embed.{name}"]

    def name_token(self, t: int) -> str:
        """The token at place `t` as a chip. For a place after the end of the sentence, the place alone."""
        return name_token(self.labels, t)


def name_token(labels: list[str], t: int) -> str:
    """The token at place `t` as a chip, in Markdown. For a place without a label, the place alone."""
    return quotes.quote(labels[t], t) if t < len(labels) and labels[t] else f"position {t}"
