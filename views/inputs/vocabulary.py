"""The table of embeddings that a run has read: its rows that lie close to each other, and its map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor

from model.arrays import Array
from model.tokens.tokenizer import Token
from model.vectors.vocabulary_map import nearest_tokens, plane
from views.run import Run

NEIGHBOURS = 8
Neighbours = Sequence[tuple[int, float]]  # ids of tokens, each with its cosine
Plane = tuple[Array, float]  # the place of each token (V, 2), and the share of the variance that it holds


class Vocabulary(Protocol):
    """What takes long to find in the table of a run's model. The app's own one keeps it for all readers."""

    def nearest(self, run: Run, id: int) -> Neighbours:
        """The tokens whose rows have the largest cosine with the row of `id`."""

    def plane(self, run: Run) -> Plane:
        """The table in the plane of its first two principal components."""


class NewVocabulary:
    """Finds everything anew, and keeps nothing."""

    def nearest(self, run: Run, id: int) -> Neighbours:
        return nearest_tokens(table_of(run), id, NEIGHBOURS)

    def plane(self, run: Run) -> Plane:
        places, share = plane(table_of(run))
        return places.numpy(), share


def table_of(run: Run) -> Tensor:
    """The table of embeddings of the first stack: (V, features)."""
    stack = "encoder" if run.trace.source_tokens else run.model.config.kind
    return run.model.on_cpu.network.get_parameter(f"{stack}.embed.tokens.weight").detach().float()


def tokens_of(run: Run) -> tuple[Token, ...]:
    """All tokens that the first stack reads."""
    return run.trace.source_tokens or run.trace.tokens
