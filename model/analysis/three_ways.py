"""Three ways to hide keys from the queries of one head. Two of them fail, and this measures how far."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from model.network.masks import mask_before_softmax, multiply_scores, multiply_weights


@dataclass(frozen=True)
class ThreeWays:
    """The weights (queries, keys) of one head by three ways of masking. Only the first one works."""

    visible: Tensor  # true where a query may look: (queries, keys)
    added: Tensor  # softmax(S + M)
    scores_times_mask: Tensor  # softmax(S * M)
    weights_times_mask: Tensor  # softmax(S) * M

    @property
    def weights(self) -> tuple[Tensor, Tensor, Tensor]:
        """The weights of the three ways, in their order."""
        return self.added, self.scores_times_mask, self.weights_times_mask

    @property
    def leaks(self) -> Tensor:
        """The weight that hidden keys get where the scores are multiplied: (queries,)."""
        return (self.scores_times_mask * ~self.visible).sum(-1)

    @property
    def remainders(self) -> Tensor:
        """The sum of each row where the weights are multiplied, 1 where nothing is hidden: (queries,)."""
        return self.weights_times_mask.sum(-1)


def mask_three_ways(scores: Tensor, visible: Tensor) -> ThreeWays:
    """Masks the scores (queries, keys) of one head in three ways. Palaskos (2022), eqs. 3.43 and 3.53."""
    ways = (mask_before_softmax, multiply_scores, multiply_weights)
    return ThreeWays(visible, *(way(scores, visible) for way in ways))
