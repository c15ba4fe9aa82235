"""How much of each head's weight each rule predicts, summed over the batches of a survey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.places import Kept, pack
from model.surveys.rules import Rule
from model.surveys.sight import Sight

FAILURES = 5  # texts of each head and rule
OF_EACH_RULE = (
    *("explained", "explained_beyond", "beyond_asked", "hits"),
    *("asked", "chance", "chance_beyond", "even_asked", "chance_hits"),
)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What rules predict for a batch. Each first query is left out: under a causal mask it sees itself alone.

    `keys` (texts, queries, keys, rules): 1 for a predicted key that the query sees. (texts, queries, rules): `first`
    and `itself`, whether the first token and the query are among them; `others`, how many other keys are. (texts,
    queries): `queries`, those that count; `seen`, how many keys each sees; `sees_first`, whether the first is one.
    """

    keys: Tensor
    first: Tensor
    itself: Tensor
    others: Tensor
    queries: Tensor
    seen: Tensor
    sees_first: Tensor

    @classmethod
    def of(cls, sight: Sight, rules: Sequence[Rule]) -> Predictions:
        """The predictions of rules for the sentences of a batch."""
        marks = sight.marked or ((),) * len(sight.queries)
        keys = torch.zeros(*sight.seen.shape, len(rules))
        for row, (tokens, marked) in enumerate(zip(sight.queries, marks, strict=True)):
            for column, rule in enumerate(rules):
                places = rule.keys(tokens, marked)
                queries = np.repeat(np.arange(len(places)), [len(each) for each in places])
                keys.numpy()[row, queries, [*chain.from_iterable(places)], column] = 1.0
        keys *= (sight.seen & sight.after_first[..., None])[..., None]
        itself = keys.diagonal(dim1=1, dim2=2).transpose(1, 2) > 0  # (texts, queries, rules)
        first = keys[:, :, 0] > 0
        others = keys.sum(2) - first.float() - itself.float()
        return cls(keys, first, itself, others, sight.after_first, sight.seen.sum(-1), sight.seen[:, :, 0])

    @cached_property
    def asked(self) -> Tensor:
        """Whether a rule predicts any key of a query: (texts, queries, rules)."""
        return (self.others > 0) | self.first | self.itself

    @cached_property
    def chances(self) -> dict[str, Array]:
        """What a batch adds to the sums of a `RuleTally` that are the same for all heads, by name."""
        share = (1 / self.seen.clamp_min(1).double())[..., None]  # of an even head, (texts, queries, 1)
        first, itself = self.first.double(), self.itself.double()
        beyond = share * (self.others + itself)
        rivals = (self.seen - self.sees_first.long() - 1)[..., None] + first + itself
        even_beyond = (1 - share[..., 0] * self.sees_first) * self.queries
        found = {
            "asked": self.asked,
            "chance": beyond + share * first,
            "chance_beyond": beyond,
            "even_asked": even_beyond[..., None] * self.asked,
            "chance_hits": (self.others + first + itself) / rivals.clamp_min(1),
            "queries": self.queries[..., None],
            "even_beyond": even_beyond[..., None],
        }
        return {name: values.sum((0, 1)).numpy() for name, values in found.items()}


@dataclass(frozen=True)
class RuleTally:
    """Sums over the queries after the first of each text.

    (layers, heads, rules): `explained`, the weight on predicted keys; `explained_beyond`, of it what is not on the
    first token; `beyond_asked`, all weight that is not on the first token, of queries with a predicted key; `hits`, how
    often a predicted key has the largest weight of all keys, where the first token and the query itself count only if
    they are predicted. (layers, heads): `beyond`, the weight that is not on the first token. (layers, rules): `asked`,
    how often a key is predicted; `chance`, `chance_beyond` and `chance_hits`, what a head would have that looks alike
    at all that it sees; `even_asked`, that head's `beyond_asked`. (layers, 1): `queries`, and `even_beyond`, that
    head's `beyond`. `failures`: the texts with the most weight beyond the first that a rule leaves unexplained.
    """

    explained: Array
    explained_beyond: Array
    beyond_asked: Array
    hits: Array
    beyond: Array
    asked: Array
    chance: Array
    chance_beyond: Array
    even_asked: Array
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
            beyond_asked=np.zeros((layers, heads, rules)),
            hits=np.zeros((layers, heads, rules)),
            beyond=np.zeros((layers, heads)),
            asked=np.zeros((layers, rules)),
            chance=np.zeros((layers, rules)),
            chance_beyond=np.zeros((layers, rules)),
            even_asked=np.zeros((layers, rules)),
            chance_hits=np.zeros((layers, rules)),
            queries=np.zeros((layers, 1)),
            even_beyond=np.zeros((layers, 1)),
            failures=Kept.none(layers * heads * rules, FAILURES),
        )

    def beside(self, other: RuleTally) -> RuleTally:
        """With the rules of another one of the same texts after its own."""
        sums = {name: np.concatenate([getattr(self, name), getattr(other, name)], -1) for name in OF_EACH_RULE}
        return replace(self, **sums, failures=self.failures.beside(other.failures, self.beyond.size))

    def add(self, layer: int, weights: Tensor, sight: Sight, predicted: Predictions) -> None:
        """Count the weights (texts, heads, queries, keys) of one layer."""
        first = weights[..., 0, None]  # (texts, heads, queries, 1)
        explained = torch.einsum("thqk,tqkr->thqr", weights, predicted.keys)
        explained_beyond = (explained - first * predicted.first[:, None]).sum(2)  # (texts, heads, rules)
        left = (1 - first[..., 0]) * predicted.queries[:, None]  # (texts, heads, queries)
        self.explained[layer] += explained.sum((0, 2), dtype=torch.float64).numpy()
        self.explained_beyond[layer] += explained_beyond.sum(0, dtype=torch.float64).numpy()
        self.beyond_asked[layer] += torch.einsum("thq,tqr->hr", left.double(), predicted.asked.double()).numpy()
        self.hits[layer] += _hits(weights, predicted).sum((0, 2)).numpy()
        self.beyond[layer] += left.sum((0, 2), dtype=torch.float64).numpy()
        for name, added in predicted.chances.items():
            getattr(self, name)[layer] += added
        unexplained = (left.sum(-1)[..., None] - explained_beyond) / predicted.queries.sum(-1)[:, None, None]
        self._offer_failures(layer, unexplained, sight)

    def _offer_failures(self, layer: int, unexplained: Tensor, sight: Sight) -> None:
        """`unexplained` (texts, heads, rules): the mean weight of a query that a rule leaves unexplained."""
        texts, heads, rules = unexplained.shape
        groups = np.arange(heads * rules) + layer * heads * rules
        values = unexplained.reshape(texts, -1).nan_to_num(0.0).numpy()
        row, group = np.nonzero(-values <= self.failures.bounds[groups])
        numbers = np.array(sight.numbers)[row]
        found = values[row, group]
        self.failures.offer(groups[group], -found.astype(float), pack(numbers, 0, 0), found)


def _hits(weights: Tensor, predicted: Predictions) -> Tensor:
    """Whether the largest key is a predicted one: (texts, heads, queries, rules)."""
    first, itself = weights[..., 0], weights.diagonal(dim1=-2, dim2=-1)  # (texts, heads, queries)
    apart = torch.eye(weights.shape[-1], dtype=torch.bool)
    apart[:, 0] = True
    largest, place = weights.masked_fill(apart, 0.0).max(-1)
    rules = predicted.keys.shape[-1]
    chosen = place.transpose(1, 2)[..., None].expand(-1, -1, -1, rules)  # (texts, queries, heads, rules)
    is_predicted = predicted.keys.gather(2, chosen).transpose(1, 2) > 0
    found = is_predicted & (largest > 0)[..., None]
    for weight, asked in ((first, predicted.first), (itself, predicted.itself)):
        found |= ((weight >= largest) & (weight > 0))[..., None] & asked[:, None]
    return found
