"""What is counted of one attention, in all layers and heads, while the batches of a survey run. No matrix is kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.arrays import Array
from model.surveys.measures import CROSS_MEASURES, MEASURES, measure
from model.surveys.pairs import FrequentPairs
from model.surveys.places import Kept
from model.surveys.rule_tally import Predictions, RuleTally
from model.surveys.sight import Sight

STRONGEST = 50  # places of each head
DRAWN = 8  # places of each tenth of weight of each head
TENTHS = 10
REACH = 64  # tokens; what is farther away is counted there


@dataclass(frozen=True)
class Tally:
    """The arrays of one attention. They change with each batch.

    `measures`: by name, (layers, heads, texts), not a number where a text has none. `by_distance` (layers, heads,
    2 REACH + 1): the weight on keys from `REACH` after the query to `REACH` before it. `in_tenths` (layers, heads, 10):
    how many places have a weight from 0 to 0.1, from 0.1 to 0.2, ... `by_pair` (layers, heads, pairs + 1): the weight
    on each of the `frequent` pairs, and on all others. `strongest` and `drawn` have a group for each head, and for each
    of its tenths. All of these count the places that `Sight.compared` names. Cross-attention has no distances and no
    rules.
    """

    measures: dict[str, Array]
    by_distance: Array
    in_tenths: Array
    by_pair: Array
    frequent: FrequentPairs
    strongest: Kept
    drawn: Kept
    rules: RuleTally

    @classmethod
    def none(cls, layers: int, heads: int, texts: int, frequent: FrequentPairs, rules: int, is_cross: bool) -> Tally:
        """Nothing counted yet."""
        names = CROSS_MEASURES if is_cross else MEASURES
        return cls(
            {name: np.full((layers, heads, texts), np.nan, np.float32) for name in names},
            np.zeros((layers, heads, 0 if is_cross else 2 * REACH + 1)),
            np.zeros((layers, heads, TENTHS), np.int64),
            np.zeros((layers, heads, len(frequent.pairs) + 1)),
            frequent,
            Kept.none(layers * heads, STRONGEST),
            Kept.none(layers * heads * TENTHS, DRAWN),
            RuleTally.none(layers, heads, 0 if is_cross else rules),
        )

    def add(self, layer: int, weights: Tensor, sight: Sight, pairs: Tensor, predicted: Predictions | None) -> None:
        """Count the weights (texts, heads, queries, keys) of one layer.

        `pairs`: the index in `by_pair` of each place of `sight.compared`.
        """
        measured = measure(weights, sight)
        for name, values in self.measures.items():
            values[layer][:, list(sight.numbers)] = measured[name].T.numpy()
        compared = weights.transpose(0, 1).flatten(1).index_select(1, sight.compared)  # (heads, places)
        exact = compared.double()
        if not sight.is_cross:
            bins = (sight.steps + REACH).clamp(0, 2 * REACH)
            torch.from_numpy(self.by_distance[layer]).index_add_(1, bins, exact)
        torch.from_numpy(self.by_pair[layer]).index_add_(1, pairs, exact)
        self._offer_strongest(layer, compared, sight)
        self._draw(layer, compared, sight)
        if predicted is not None:
            self.rules.add(layer, weights, sight, predicted)

    def _offer_strongest(self, layer: int, compared: Tensor, sight: Sight) -> None:
        heads, count = len(compared), self.strongest.ranks.shape[1]
        groups = np.arange(layer * heads, (layer + 1) * heads)
        floor = torch.from_numpy(-self.strongest.bounds[groups])[:, None].float()
        if floor.isinf().any() and compared.shape[1] > count:  # of the first batch, no more than can be kept
            floor = compared.topk(count).values[:, -1:]
        head, at = ((compared >= floor) & (compared > 0)).nonzero(as_tuple=True)
        found = compared[head, at].numpy()
        self.strongest.offer(groups[head.numpy()], -found.astype(float), sight.places[at.numpy()], found)

    def _draw(self, layer: int, compared: Tensor, sight: Sight) -> None:
        """Most places are in the lowest tenth, where few lots are small enough, so the others alone are looked at.

        A weight of exactly 0 is no place: the key is hidden by a window.
        """
        heads = len(compared)
        bounds = torch.from_numpy(self.drawn.bounds).reshape(-1, heads, TENTHS)[layer]  # (heads, tenths)
        is_higher = compared >= 1 / TENTHS  # (heads, places)
        is_drawn = is_higher | ((sight.lots <= bounds[:, :1]) & (compared > 0))
        head, at = is_drawn.nonzero(as_tuple=True)
        found = compared[head, at]
        tenths = (found * TENTHS).long().clamp(max=TENTHS - 1)
        higher = is_higher[head, at]
        counts = torch.bincount((head * TENTHS + tenths)[higher], minlength=heads * TENTHS).reshape(heads, TENTHS)
        counts[:, 0] += (compared > 0).sum(1) - counts.sum(1)
        self.in_tenths[layer] += counts.numpy()
        groups = (layer * heads + head) * TENTHS + tenths
        ranks, places = sight.lots[at], sight.places[at.numpy()]
        small = (ranks <= bounds[head, tenths]).numpy()
        self.drawn.offer(groups.numpy()[small], ranks.numpy()[small], places[small], found.numpy()[small])
