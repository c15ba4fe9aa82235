"""The largest and the smallest numbers of long rows that come in blocks, so that no row is ever whole."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Ends:
    """The ends of some rows: the ids and the values of the largest numbers, and those of the smallest.

    Each is (rows, count), the outermost first.
    """

    most_ids: Tensor
    most: Tensor
    least_ids: Tensor
    least: Tensor


class EndsKeeper:
    """Keeps the `count` largest and smallest numbers of `rows` rows, which `add` brings a block at a time."""

    def __init__(self, rows: int, count: int) -> None:
        self.count = count
        # Those of the largest numbers, and those of the smallest, whose sign is turned round.
        self.values = [torch.empty(rows, 0), torch.empty(rows, 0)]
        self.ids = [torch.empty(rows, 0, dtype=torch.long) for _ in self.values]

    def add(self, start: int, block: Tensor) -> None:
        """The numbers of the ids from `start` on: (rows, ids)."""
        for end, signed in enumerate((block, -block)):
            found = signed.topk(min(self.count, signed.shape[-1]))
            values = torch.cat((self.values[end], found.values), -1)
            ids = torch.cat((self.ids[end], found.indices + start), -1)
            best = values.topk(min(self.count, values.shape[-1]))
            self.values[end], self.ids[end] = best.values, ids.gather(-1, best.indices)

    @property
    def ends(self) -> Ends:
        """What has been kept so far."""
        return Ends(self.ids[0], self.values[0], self.ids[1], -self.values[1])
