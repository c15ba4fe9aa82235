"""One query and one key of a head with rotary positions: its pairs of features before and after the turn.

Su et al. (2021), arXiv:2104.09864, eq. 34.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.network import positions


@dataclass(frozen=True)
class RotaryPairs:
    """The query of token `t` and the key of token `s`, before and after the turn: (d_head,) each.

    `score` is that of the run, q.k times `scale`. `speeds` are w_k, in radians per position: (pairs,). `gains` are what
    each turned pair is multiplied by, (pairs,), 1 but for YaRN.
    """

    t: int
    s: int
    q: Tensor
    k: Tensor
    turned_q: Tensor
    turned_k: Tensor
    score: float
    speeds: Tensor
    scale: float
    gains: Tensor

    @property
    def distance(self) -> int:
        return self.t - self.s

    def products(self) -> Tensor:
        """The part of each pair in q_t . k_s: (pairs,)."""
        return positions.pair_contributions(self.q, self.k, self.distance, self.speeds, self.gains)

    def contributions(self) -> Tensor:
        """The part of each pair in the score: (pairs,). They sum to it."""
        return self.products() * self.scale

    def unturned_contributions(self) -> Tensor:
        """The part of each pair in the score that q and k would have without rotation: (pairs,)."""
        return (self.q * self.k).view(-1, 2).sum(-1) * self.scale

    def lengths(self) -> tuple[Tensor, Tensor]:
        """The length of each turned pair of q and of k: (pairs,) each. No turn changes it, only a gain does."""
        return self.turned_q.view(-1, 2).norm(dim=-1), self.turned_k.view(-1, 2).norm(dim=-1)

    def pair_before(self, pair: int) -> Tensor:
        """One pair of q and of k before the turn: (2, 2)."""
        return torch.stack([vector.view(-1, 2)[pair] for vector in (self.q, self.k)])

    def pair_after(self, pair: int) -> Tensor:
        """One pair of q and of k after the turn: (2, 2)."""
        return torch.stack([vector.view(-1, 2)[pair] for vector in (self.turned_q, self.turned_k)])

    def scores_by_distance(self, farthest: int) -> Tensor:
        """The score of the same q and k at each distance from 0 to `farthest`: (farthest + 1,)."""
        return self.scale * positions.score_by_distance(
            self.q, self.k, torch.arange(farthest + 1), self.speeds, self.gains
        )
