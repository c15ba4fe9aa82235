from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from model.cost.cache_race import race_steps, time_steps
from model.network.kv_cache import KVCache
from tests.model.networks import ids, variant

DECODERS = ("Llama", "plain decoder", "wide heads")
PROMPT, STEPS = 5, 4


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("cache", [True, False])
def test_multiplications_are_those_that_torch_counts(name: str, cache: bool) -> None:
    made = variant(name)
    stored = KVCache() if cache else None
    written = ids(PROMPT + STEPS)
    for step, expected in enumerate(race_steps(made.config, PROMPT, STEPS, cache)):
        seen = PROMPT + step
        new = written[seen - 1 : seen] if cache and step else written[:seen]
        with FlopCounterMode(display=False) as counter:
            made.logits(made.decode(new, cache=stored)[-1:])
        assert counter.get_total_flops() // 2 == expected.multiplications


@pytest.mark.parametrize("name", DECODERS)
def test_bytes_are_those_of_the_cache(name: str) -> None:
    made, stored = variant(name), KVCache()
    for step, expected in enumerate(race_steps(made.config, PROMPT, STEPS, True)):
        made.decode(ids(1) if step else ids(PROMPT), cache=stored)
        assert stored.nbytes == expected.cache_bytes


def test_what_is_computed_and_what_is_reused() -> None:
    config = variant("Llama").config
    cached, plain = (race_steps(config, PROMPT, STEPS, cache) for cache in (True, False))
    assert [(step.computed, step.reused) for step in cached] == [(5, 0), (1, 5), (1, 6), (1, 7)]
    assert [(step.computed, step.reused) for step in plain] == [(5, 0), (6, 0), (7, 0), (8, 0)]
    assert cached[0].multiplications == plain[0].multiplications
    assert all(step.cache_bytes == 0 for step in plain)


def test_both_ways_write_the_same_tokens() -> None:
    made, start = variant("Llama"), ids(PROMPT).tolist()
    runs = [list(time_steps(made, start, STEPS, cache)) for cache in (True, False)]
    assert [token for token, _ in runs[0]] == [token for token, _ in runs[1]]
    assert all(seconds > 0 for run in runs for _, seconds in run)


def test_the_first_step_reads_all_of_the_prompt() -> None:
    assert len(race_steps(variant("Llama").config, 1, 1, True)) == 1
    assert torch.tensor([step.reused for step in race_steps(variant("Llama").config, 1, 3, True)]).tolist() == [0, 1, 2]
