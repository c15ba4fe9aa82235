"""The pairs that are followed are those with the most places, and the others have no more than is stated."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from model.surveys import pairs
from model.surveys.sight import Sight
from model.tokens.tokenizer import Token


def sights(texts: int) -> list[Sight]:
    """Texts of random tokens, of which some come often."""
    random, found = np.random.default_rng(0), []
    for number in range(texts):
        ids = (random.random(12) ** 3 * 40).astype(int).tolist()
        tokens = (tuple(Token(id, str(id), b"") for id in ids),)
        found.append(Sight((number,), tokens, tokens, is_causal=True))
    return found


def count(made: list[Sight]) -> Counter[int]:
    return Counter(pair for sight in made for pair in sight.pairs.tolist())


@pytest.mark.parametrize("known", [2_000_000, 60])
def test_the_rest_has_at_most_so_many_places(known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST_PAIRS", 20)
    monkeypatch.setattr(pairs, "MOST_KNOWN", known)  # few are remembered while they are counted
    made = sights(30)
    times = count(made)
    found = pairs.find_frequent(made, heads=4)
    assert len(found.pairs) == 20
    assert (np.diff(found.pairs) > 0).all()
    rest = max(times[pair] for pair in times if pair not in found.pairs)
    assert rest <= found.bound
    if known > len(times):
        assert found.bound == rest
        assert min(times[pair] for pair in found.pairs.tolist()) >= rest


def test_a_pair_is_found_by_its_number() -> None:
    found = pairs.find_frequent(sights(5), heads=4)
    assert found.bound == 0
    assert found.find(found.pairs).tolist() == list(range(len(found.pairs)))
    assert found.find(np.array([-5, 2**60])).tolist() == [len(found.pairs)] * 2
    assert pairs.find_frequent([], heads=4).find(np.array([3])).tolist() == [0]
