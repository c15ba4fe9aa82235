"""A reading: what every head of a model did on the texts of a collection. It is a value of plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array
from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.numerals import fixed
from model.surveys.made_of import MadeOf
from model.surveys.places import NO_PLACE, unpack
from model.surveys.rule_tally import RuleTally
from model.surveys.rules import Rule
from model.surveys.scores import RuleScore, score_of
from model.surveys.tally import REACH, TENTHS, Tally
from model.surveys.tokens_read import TokensRead
from model.texts.collection import Collection, Text


@dataclass(frozen=True)
class Place:
    """One query and one key of a text, and the weight between them. `number` is that of the text in its collection.

    `tokens` are those that the query stands among, `key_tokens` those of the key: the same but in cross-attention.
    """

    number: int
    text: str
    kind: str
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    query: int
    key: int
    weight: float

    def __str__(self) -> str:
        return f"{fixed(self.weight, 2)} {self.tokens[self.query]!r} → {self.key_tokens[self.key]!r} in {self.text!r}"


@dataclass(frozen=True)
class TokenPair:
    """A query token and a key token, their ids, and the weight between them in all texts together."""

    query: str
    key: str
    weight: float
    query_id: int
    key_id: int


@dataclass(frozen=True, eq=False)
class Reading:
    """What `model.survey` gives. Attentions are named "decoder.self_attn"; layers and heads count from 0.

    `made_of` says of which model, edits and texts it is. `rules` are those that were tested. `read` says which texts
    were read, and `faults` which cannot be, by number, and why. `tallies` has the arrays themselves. Readings of the
    same texts by the same model are equal.
    """

    made_of: MadeOf
    collection: Collection
    rules: tuple[Rule, ...]
    tokens: Mapping[str, TokensRead]
    tallies: Mapping[str, Tally]
    read: Array
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.made_of, self.rules, self.read.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"Reading({int(self.read.sum()):,} of {len(self.read):,} texts, {', '.join(self.attentions)})"

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits with which the texts were read, beside those that the model always has."""
        return self.made_of.edits

    @property
    def attentions(self) -> tuple[str, ...]:
        """The names of the attentions."""
        return tuple(self.tallies)

    @property
    def is_whole(self) -> bool:
        """Whether all texts were read that can be."""
        return int(self.read.sum()) + len(self.faults) == len(self.read)

    def tally(self, attention: str = "") -> Tally:
        """The arrays of an attention; without a name, of the last stack's self-attention. Raises `ModelMismatch`."""
        name = self.name_of(attention)
        if name not in self.tallies:
            raise ModelMismatch(f"This model has no {name}. It has: {', '.join(self.attentions)}.")
        return self.tallies[name]

    def measure(self, name: str, attention: str = "") -> Array:
        """A measure (`model.surveys.measures.MEASURES`) of every head on every text: (layers, heads, texts).

        Not a number where a text was not read, or has no query that could be asked. Raises `ModelMismatch` where the
        attention has no such measure.
        """
        measures = self.tally(attention).measures
        if name not in measures:
            raise ModelMismatch(f"{name!r} is not measured here. Measured are: {', '.join(measures)}.")
        return measures[name]

    def top_texts(
        self, name: str, layer: int, head: int, count: int = 20, attention: str = ""
    ) -> list[tuple[Text, float]]:
        """The texts in which a measure of a head is largest, and its value there. Raises as `measure`."""
        values = self.measure(name, self.checked_name(attention, layer, head))[layer, head]
        order = np.argsort(-np.where(np.isfinite(values), values, -np.inf), kind="stable")[:count]
        return [
            (self.collection.texts[number], float(values[number])) for number in order if np.isfinite(values[number])
        ]

    def by_kind(self, name: str, attention: str = "") -> dict[str, Array]:
        """The mean of a measure over the texts of each kind: (layers, heads). Raises as `measure`."""
        values = self.measure(name, attention)
        kinds = np.array([text.kind for text in self.collection.texts])
        return {kind: mean_of_known(values[..., kinds == kind]) for kind in self.collection.kinds}

    def strongest(self, attention: str, layer: int, head: int, count: int = 20) -> list[Place]:
        """The places with the largest weights, the largest first; at most `model.surveys.tally.STRONGEST`.

        Those of the first token and of the query itself are left out, but in cross-attention.
        """
        kept, group = self.tally(attention).strongest, self._group(attention, layer, head)
        return self.places(attention, kept.places[group][:count], kept.weights[group])

    def from_every_decile(self, attention: str, layer: int, head: int) -> list[list[Place]]:
        """Places drawn by lot, of a weight from 0 to 0.1, from 0.1 to 0.2, ...: ten lists.

        `tally(attention).in_tenths` says how many places there are in each.
        """
        kept, begin = self.tally(attention).drawn, self._group(attention, layer, head) * TENTHS
        return [self.places(attention, kept.places[g], kept.weights[g]) for g in range(begin, begin + TENTHS)]

    def pairs(self, attention: str, layer: int, head: int, count: int = 20) -> list[TokenPair]:
        """The pairs of tokens with the most weight in all texts together, the largest first.

        Places are left out as in `strongest`. A pair that is not among those that were followed has at most the weight
        `tally(attention).frequent.bound`.
        """
        tally = self.tally(attention)
        self._group(attention, layer, head)
        weights, pairs = tally.by_pair[layer, head, :-1], tally.frequent.pairs
        order = np.lexsort((pairs, -weights))[:count]
        queries, keys = self._sides(attention)
        found = []
        for pair, weight in zip(pairs[order].tolist(), weights[order].tolist(), strict=True):
            if weight > 0:
                query, key = pair >> 32, pair & 0xFFFFFFFF
                found.append(TokenPair(queries.spelled[query], keys.spelled[key], weight, query, key))
        return found

    def by_distance(self, attention: str, layer: int, head: int) -> tuple[Array, Array]:
        """How far back the head looks: distances in tokens, and the share of its weight at each.

        A negative distance is that of a later token. The first and the last count all that is farther away. Places are
        left out as in `strongest`. Raises `ModelMismatch` for cross-attention, whose keys are another sentence.
        """
        self._group(attention, layer, head)
        weights = self.tally(attention).by_distance[layer, head]
        if not len(weights):
            raise ModelMismatch(f"{attention} looks at another sentence, in which nothing is near or far.")
        return np.arange(-REACH, REACH + 1), weights / max(weights.sum(), np.finfo(float).tiny)

    @property
    def rule_tallies(self) -> dict[str, RuleTally]:
        """What was counted of the rules, by attention."""
        return {name: tally.rules for name, tally in self.tallies.items()}

    def with_rule(self, rule: Rule, tried: Mapping[str, RuleTally]) -> Reading:
        """This reading with one more rule: the `rule_tallies` of `model.surveys.trial.try_rule` on the same texts."""
        tallies = {name: replace(tally, rules=tally.rules.beside(tried[name])) for name, tally in self.tallies.items()}
        return replace(self, rules=(*self.rules, rule), tallies=tallies)

    def score(self, rule: Rule, layer: int, head: int, attention: str = "") -> RuleScore:
        """How much of a head a rule explains. Raises `ModelMismatch` for a rule that was not read, and in
        cross-attention, where rules predict nothing."""
        name = self.name_of(attention)
        tally = self.tally(name).rules
        if rule not in self.rules or not tally.asked.shape[1]:
            raise ModelMismatch(f"“{rule.sentence}” was not tested on {name}. Survey the texts with rules=[it].")
        self._group(name, layer, head)
        return score_of(tally, rule, self.rules.index(rule), layer, head, self.collection)

    def ranked(self, rule: Rule, attention: str = "") -> list[RuleScore]:
        """All heads, those first that a rule explains best beyond the first token, then of all. Raises as `score`."""
        layers, heads = self.tally(attention).by_pair.shape[:2]
        scores = [self.score(rule, layer, head, attention) for layer in range(layers) for head in range(heads)]
        return sorted(scores, key=lambda score: (score.share_beyond, score.share), reverse=True)

    def best_rule(self, layer: int, head: int, attention: str = "") -> RuleScore:
        """The rule of this reading that explains most of a head above chance. Raises as `score`."""
        scores = [self.score(rule, layer, head, attention) for rule in self.rules]
        return max(scores, key=lambda score: score.above_chance)

    @property
    def last_stack(self) -> str:
        """The stack that makes the outcome."""
        return self.attentions[-1].split(".")[0]

    def checked_name(self, attention: str, layer: int, head: int) -> str:
        """The name of the attention of a head. Raises `ModelMismatch` for a head that is not there."""
        self._group(self.name_of(attention), layer, head)
        return self.name_of(attention)

    def name_of(self, attention: str) -> str:
        """The name of an attention; without one, that of the last stack's self-attention."""
        return attention or next(name for name in reversed(self.attentions) if name.endswith(".self_attn"))

    def _group(self, attention: str, layer: int, head: int) -> int:
        layers, heads = self.tally(attention).by_pair.shape[:2]
        if not (0 <= layer < layers and 0 <= head < heads):
            raise ModelMismatch(f"{attention} has {layers} layers of {heads} heads, counted from 0.")
        return layer * heads + head

    def _sides(self, attention: str) -> tuple[TokensRead, TokensRead]:
        """The tokens among which the queries stand, and those of the keys."""
        stack = attention.split(".")[0]
        return self.tokens[stack], self.tokens["encoder" if attention.endswith("cross_attn") else stack]

    def places(self, attention: str, places: Array, weights: Array) -> list[Place]:
        """Places by their numbers (`model.surveys.places.pack`), up to the first that is none, with their weights."""
        queries, keys = self._sides(attention)
        found = []
        for place, weight in zip(places.tolist(), weights.tolist(), strict=False):
            if place == NO_PLACE:
                break
            number, query, key = unpack(place)
            text = self.collection.texts[number]
            words = queries.words_of(number), keys.words_of(number)
            found.append(Place(number, text.content, text.kind, *words, query, key, weight))
        return found


def mean_of_known(values: Array) -> Array:
    """The mean over the last axis of what is a number; not a number where nothing is."""
    counted = np.isfinite(values)
    total = np.where(counted, values, 0.0).sum(-1)
    mean: Array = np.divide(total, counted.sum(-1), out=np.full(total.shape, np.nan), where=counted.any(-1))
    return mean
