"""How much of each head's weight each rule predicts, summed over the batches of a survey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.arrays import Array
from model.surveys.places import Kept, pack
from model.surveys.rules import Rule
from model.surveys.sight import Sight

FAILURES = 5  # texts of each head and rule


@dataclass(frozen=True, eq=False)
class Predictions:
    """What rules predict for a batch. Each first query is left out: under a causal mask it sees itself alone.

    `keys` (texts, queries, rules): the place of each predicted key, 0 where none is. `asked`: where one is that the
    query sees. `beyond`: where it is not the first token.
    """

    keys: Tensor
    asked: Tensor
    beyond: Tensor
    queries: Tensor  # (texts, queries): those that count
    seen: Tensor  # (texts, queries): how many keys each sees

    @classmethod
    def of(cls, sight: Sight, rules: Sequence[Rule]) -> Predictions:
        """The predictions of rules for the sentences of a batch."""
        keys = torch.full((*sight.query_ids.shape, len(rules)), -1)
        for row, tokens in enumerate(sight.queries):
            for column, rule in enumerate(rules):
                found = [-1 if key is None else key for key in rule.keys(tokens)]
                keys[row, : len(tokens), column] = torch.tensor(found)
        filled = keys.clamp_min(0)
        asked = sight.after_first[..., None] & (keys >= 0) & sight.seen.gather(-1, filled)
        return cls(filled, asked, asked & (filled > 0), sight.after_first, sight.seen.sum(-1))


@dataclass(frozen=True)
class RuleTally:
    """Sums over the queries after the first of each text.

    (layers, heads, rules): `explained`, the weight on predicted keys; `explained_beyond`, of it what is not on the
    first token; `hits`, how often the predicted key has the largest weight of all keys beyond the first, or of all
    where it is the first. (layers, heads): `beyond`, the weight that is not on the first token. (layers, rules):
    `asked`, how often a key is predicted; `chance`, `chance_beyond` and `chance_hits`, what a head would have that
    looks alike at all that it sees. (layers, 1): `queries`, and `even_beyond`, that head's weight beyond the first.
    `failures`: the texts with the most weight beyond the first that a rule leaves unexplained.
    """

    explained: Array
    explained_beyond: Array
    hits: Array
    beyond: Array
    asked: Array
    chance: Array
    chance_beyond: Array
    chance_hits: Array
    queries: Array
    even_beyond: Array
    failures: Kept

    @classmethod
    def none(cls, layers: int, heads: int, rules: int) -> RuleTally:
        """Nothing read yet."""
        return cls(
            explained=np.zeros((layers, heads, rules)),
            explained_beyond=np.zeros((layers, heads, rules)),
            hits=np.zeros((layers, heads, rules)),
            beyond=np.zeros((layers, heads)),
            asked=np.zeros((layers, rules)),
            chance=np.zeros((layers, rules)),
            chance_beyond=np.zeros((layers, rules)),
            chance_hits=np.zeros((layers, rules)),
            queries=np.zeros((layers, 1)),
            even_beyond=np.zeros((layers, 1)),
            failures=Kept.none(layers * heads * rules, FAILURES),
        )

    def add(self, layer: int, weights: Tensor, sight: Sight, predicted: Predictions) -> None:
        """Count the weights (texts, heads, queries, keys) of one layer."""
        asked, beyond = (each[:, None] for each in (predicted.asked, predicted.beyond))  # (texts, 1, queries, rules)
        heads = weights.shape[1]
        keys = predicted.keys[:, None].expand(-1, heads, -1, -1)
        picked = weights.gather(-1, keys) * asked  # (texts, heads, queries, rules)
        rest = weights[..., 1:].amax(-1, keepdim=True) if weights.shape[-1] > 1 else torch.zeros_like(weights)
        rival = torch.where(beyond, rest, rest.maximum(weights[..., :1]))
        explained_beyond = (picked * beyond).sum(2)  # (texts, heads, rules)
        left = (1 - weights[..., 0]) * predicted.queries[:, None]  # (texts, heads, queries)
        self.explained[layer] += _sum(picked)
        self.explained_beyond[layer] += explained_beyond.double().sum(0).numpy()
        self.hits[layer] += _sum(asked & (picked >= rival) & (picked > 0))
        self.beyond[layer] += left.double().sum((0, 2)).numpy()
        self._add_chance(layer, predicted)
        unexplained = (left.sum(-1)[..., None] - explained_beyond) / predicted.queries.sum(-1)[:, None, None]
        self._offer_failures(layer, unexplained, sight)

    def _add_chance(self, layer: int, predicted: Predictions) -> None:
        share = (1 / predicted.seen.clamp_min(1).double())[..., None]  # (texts, queries, 1)
        share_beyond = (1 / (predicted.seen - 1).clamp_min(1).double())[..., None]
        even = share * predicted.asked
        self.asked[layer] += predicted.asked.sum((0, 1)).numpy()
        self.chance[layer] += even.sum((0, 1)).numpy()
        self.chance_beyond[layer] += (even * predicted.beyond).sum((0, 1)).numpy()
        hits = torch.where(predicted.beyond, share_beyond, share) * predicted.asked
        self.chance_hits[layer] += hits.sum((0, 1)).numpy()
        self.queries[layer] += int(predicted.queries.sum())
        self.even_beyond[layer] += float(((1 - share[..., 0]) * predicted.queries).sum())

    def _offer_failures(self, layer: int, unexplained: Tensor, sight: Sight) -> None:
        """`unexplained` (texts, heads, rules): the mean weight of a query that a rule leaves unexplained."""
        texts, heads, rules = unexplained.shape
        groups = np.arange(heads * rules) + layer * heads * rules
        values = unexplained.reshape(texts, -1).nan_to_num(0.0).numpy()
        row, group = np.nonzero(-values <= self.failures.bounds[groups])
        numbers = np.array(sight.numbers)[row]
        found = values[row, group]
        self.failures.offer(groups[group], -found.astype(float), pack(numbers, 0, 0), found)


def _sum(values: Tensor) -> Array:
    """The sum over texts and queries: (texts, heads, queries, rules) -> (heads, rules)."""
    total: Array = values.double().sum((0, 2)).numpy()
    return total
