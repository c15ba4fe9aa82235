"""What a reading must say, worked out text by text from whole matrices, in the plainest way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from model.analysis import head_measures
from model.surveys.reading import Reading

CLOSE = 1e-5


@dataclass(frozen=True)
class Matrices:
    """The weights (layers, heads, queries, keys) of one attention on one text, and its ids. `number`: the text's."""

    number: int
    weights: Tensor
    query_ids: tuple[int, ...]
    key_ids: tuple[int, ...]


Placed = tuple[float, tuple[int, int, int]]  # a weight; its text, query and key


def places(texts: Sequence[Matrices], layer: int, head: int, is_cross: bool) -> list[Placed]:
    """The places that count, the largest weights first."""
    found = []
    for text in texts:
        weights = text.weights[layer, head]
        for query, key in (weights > 0).nonzero().tolist():
            if is_cross or (key not in (0, query)):
                found.append((float(weights[query, key]), (text.number, query, key)))
    return sorted(found, key=lambda each: (-each[0], each[1]))


def check_measures(reading: Reading, attention: str, texts: Sequence[Matrices]) -> None:
    """All measures of `head_measures`; it says 0 where nothing is to be measured, and a reading says nothing."""
    is_cross = attention.endswith("cross_attn")
    for text in texts:
        ids = None if is_cross else text.query_ids
        for layer, weights in enumerate(text.weights):
            expected = head_measures.measure(weights, ids)
            if not is_cross:
                expected["distance"] = head_measures.distance(weights)
                expected["strongest"] = head_measures.strongest(weights)
                expected["induction"] = induction(weights, text.query_ids)
            for name, values in expected.items():
                found = torch.from_numpy(reading.measure(name, attention)[layer, :, text.number])
                torch.testing.assert_close(found.nan_to_num(0.0), values, atol=CLOSE, rtol=CLOSE)


def induction(weights: Tensor, ids: Sequence[int]) -> Tensor:
    """The share on keys that follow an earlier place of the query's token, over queries that see one: (heads,)."""
    shares = []
    for query in range(1, len(ids)):
        keys = [key for key in range(1, query) if ids[key - 1] == ids[query] and weights[:, query, key].any()]
        if keys:
            shares.append(weights[:, query, keys].sum(-1))
    return torch.stack(shares).mean(0) if shares else torch.zeros(len(weights))


def check_places(reading: Reading, attention: str, texts: Sequence[Matrices], layer: int, head: int) -> None:
    """The strongest places in their order, and the places of every tenth of weight."""
    expected = places(texts, layer, head, attention.endswith("cross_attn"))
    found = [(each.weight, (each.number, each.query, each.key)) for each in reading.strongest(attention, layer, head)]
    assert len(found) == min(20, len(expected))
    assert [each for each, _ in found] == [close_to(each) for each, _ in expected[: len(found)]]
    weight_of = {place: weight for weight, place in expected}
    assert all(weight == close_to(weight_of[place]) for weight, place in found)
    for (weight, place), (also, instead) in zip(found, expected, strict=False):
        assert place == instead or abs(weight - also) <= CLOSE, (
            "the same order, but for weights that are as good as equal"
        )
    tenths = reading.tally(attention).in_tenths[layer, head]
    assert tenths.sum() == len(expected)
    for tenth, drawn in enumerate(reading.from_every_decile(attention, layer, head)):
        assert len(drawn) == min(8, tenths[tenth])
        for each in drawn:
            assert tenth / 10 <= each.weight <= tenth / 10 + 0.1
            assert each.weight == close_to(weight_of[each.number, each.query, each.key])


def check_sums(reading: Reading, attention: str, texts: Sequence[Matrices], layer: int, head: int) -> None:
    """The weight of each pair of tokens, and by distance."""
    is_cross, ids = attention.endswith("cross_attn"), {text.number: text for text in texts}
    pairs: dict[tuple[int, int], float] = defaultdict(float)
    distances: dict[int, float] = defaultdict(float)
    for weight, (number, query, key) in places(texts, layer, head, is_cross):
        pairs[ids[number].query_ids[query], ids[number].key_ids[key]] += weight
        distances[query - key] += weight
    tally = reading.tally(attention)
    found = zip(tally.frequent.pairs.tolist(), tally.by_pair[layer, head].tolist(), strict=False)
    for pair, weight in found:
        assert weight == close_to(pairs.pop((pair >> 32, pair & 0xFFFFFFFF), 0.0))
    assert tally.by_pair[layer, head, -1] == close_to(sum(pairs.values()))
    assert max(pairs.values(), default=0.0) <= tally.frequent.bound
    largest = [pair.weight for pair in reading.pairs(attention, layer, head)]
    assert largest == sorted(largest, reverse=True)
    if not is_cross:
        steps, shares = reading.by_distance(attention, layer, head)
        total = max(sum(distances.values()), 1e-30)
        np.testing.assert_allclose(shares, [distances[step] / total for step in steps.tolist()], atol=CLOSE)


def close_to(value: float) -> object:
    """Equal to a number within 1e-5, of it or of 1."""
    return pytest.approx(value, rel=CLOSE, abs=CLOSE)
