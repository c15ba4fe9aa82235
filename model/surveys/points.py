"""Queries, keys and outputs of one head on many texts, as points of a plane: what the head takes to be alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.analysis.circuits.head_matrices import output_rows
from model.analysis.head_steps import Attention
from model.arrays import Array
from model.run import Model
from model.surveys.places import draw_lots, pack
from model.surveys.reading import Reading
from model.surveys.rows import TextRow
from model.surveys.runs import batches_to_run, record_rows, rows_again
from model.vectors.principal_components import principal_components

POINTS = 2000
SIDES = ("queries", "keys", "outputs")


@dataclass(frozen=True, eq=False)
class Points:
    """Tokens of texts as points. `numbers` and `places` (points,): the text of each, and its place there. `along`
    (points, 2): where it lies along the two directions in which the vectors differ most. `shares` (2,): how much of
    their variance each of these has."""

    numbers: Array
    places: Array
    along: Array
    shares: Array

    def share_between(self, labels: Sequence[str]) -> float:
        """How much of where the points lie is told by their labels: 1 where points of one label lie together, 0 where
        labels mean nothing.

        It is the share of their variance between the labels, less what as many labels without meaning would have: the
        adjusted R squared. Not a number where each point has a label of its own.
        """
        _, groups = np.unique(np.asarray(labels), return_inverse=True)
        counts, many = np.bincount(groups), len(groups)
        if len(counts) >= many:
            return float("nan")
        means = np.stack([np.bincount(groups, self.along[:, axis]) / counts for axis in (0, 1)], axis=1)
        within = float(np.square(self.along - means[groups]).sum()) / (many - len(counts))
        whole = float(np.square(self.along - self.along.mean(0)).sum()) / (many - 1)
        return 1 - within / whole if whole else float("nan")


@dataclass(frozen=True, eq=False)
class HeadPoints:
    """What `head_points` gives: the points of each of `SIDES`. Those of the same head of equal readings are equal."""

    reading: Reading
    attention: str
    layer: int
    head: int
    most: int
    sides: Mapping[str, Points]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeadPoints) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.reading, self.attention, self.layer, self.head, self.most

    def stack_of(self, side: str) -> str:
        """The stack that reads the tokens of a side."""
        is_source = side == "keys" and self.attention.endswith("cross_attn")
        return "encoder" if is_source else self.attention.split(".")[0]

    def ids(self, side: str) -> list[int]:
        """The id of each point's token."""
        points, read = self.sides[side], self.reading.tokens[self.stack_of(side)]
        found: list[int] = read.ids[read.begins[points.numbers] + points.places].tolist()
        return found


@torch.inference_mode()
def head_points(
    model: Model, reading: Reading, layer: int, head: int, attention: str = "", *, most: int = POINTS
) -> HeadPoints:
    """The queries, keys and outputs of a head, of `most` tokens at most.

    Texts are drawn by lot, always the same ones, until they have so many tokens. The first token of each is left out:
    what heads park there lies far from all else. Queries and keys are taken before rotary positions turn them, and an
    output is what the head adds to the stream. The directions are the principal components of the points that are here
    (`model.vectors.principal_components`). Raises `ModelMismatch` for a reading of another model, and for a head that
    is not there; `DeviceFull`.
    """
    name = reading.checked_name(attention, layer, head)
    stack, part = name.split(".")
    at = Attention(stack, layer, part)
    vectors: dict[str, list[Tensor]] = {side: [] for side in SIDES}
    found: dict[str, list[tuple[int, int]]] = {side: [] for side in SIDES}
    rows = rows_again(model, reading, _drawn(reading, stack, most))
    for batch in batches_to_run(model.network, reading.edits, rows):
        for side, tensor in _vectors(model, reading, batch, at, head).items():
            for place, row in enumerate(batch):
                is_source = side == "keys" and at.is_cross
                count = len(row.source if is_source else row.read_by(stack, model.config))
                vectors[side].append(tensor[place, 1:count])
                found[side] += [(row.number, token) for token in range(1, count)]
    sides = {side: _points(torch.cat(vectors[side]), found[side], most) for side in SIDES}
    return HeadPoints(reading, name, layer, head, most, sides)


def _drawn(reading: Reading, stack: str, most: int) -> list[int]:
    """The numbers of texts in the order of their lots, until they have `most` tokens after their first ones."""
    numbers = np.flatnonzero(reading.read)
    order = numbers[np.argsort(draw_lots(pack(numbers, 0, 0)))]
    lengths = np.diff(reading.tokens[stack].begins)[order] - 1
    enough = int(np.searchsorted(np.cumsum(lengths), most)) + 1
    chosen: list[int] = order[:enough].tolist()
    return chosen


def _vectors(model: Model, reading: Reading, rows: list[TextRow], at: Attention, head: int) -> dict[str, Tensor]:
    """The vectors of each side, of texts that run together: (texts, tokens, features)."""
    turned = model.config.positions == "rotary" and not at.is_cross
    names = [f"{at.path}.{name}" for name in (("q_unrotated", "k_unrotated") if turned else ("q", "k"))]
    recorded = record_rows(model.network, reading.edits, rows, [*names, f"{at.path}.heads"])
    q, k = (recorded[name] for name in names)  # (texts, heads, tokens, d_head)
    outputs = recorded[f"{at.path}.heads"][:, head] @ output_rows(model, at)[head]
    return {"queries": q[:, head], "keys": k[:, model.config.kv_head_of(head)], "outputs": outputs}


def _points(vectors: Tensor, found: list[tuple[int, int]], most: int) -> Points:
    numbers, places = np.array(found, dtype=np.int64).reshape(-1, 2)[:most].T
    along, shares = principal_components(vectors[:most].double(), 2)
    return Points(numbers, places, along.float().numpy(), shares.float().numpy())
