from __future__ import annotations

import gc

import torch

from model import KeptCache
from model.generation.steps import generate
from pages.models.predict_parts.kept_text import KeptCaches
from tests.model.networks import variant

OF_A_TOKEN = 128  # bytes of the keys and values of a token in this network


def cache_of(tokens: int) -> KeptCache:
    """The cache of a text of so many tokens."""
    kept = KeptCache()
    list(generate(variant("Llama"), torch.arange(tokens), 1, kept=kept))
    assert kept.nbytes == tokens * OF_A_TOKEN
    return kept


def test_the_caches_of_all_sessions_are_bounded_together() -> None:
    first, second, third = (cache_of(4) for _ in range(3))
    caches = KeptCaches(8 * OF_A_TOKEN)
    for each in (first, second, first, third):
        caches.use(each)
    assert [each.nbytes > 0 for each in (first, second, third)] == [True, False, True]
    assert caches.nbytes == 8 * OF_A_TOKEN
    caches.use(large := cache_of(9))
    assert (large.nbytes, caches.nbytes) == (0, 0)


def test_a_session_that_is_gone_holds_nothing() -> None:
    caches, kept = KeptCaches(100 * OF_A_TOKEN), cache_of(4)
    caches.use(kept)
    del kept
    gc.collect()
    assert caches.nbytes == 0
